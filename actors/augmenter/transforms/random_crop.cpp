#include "actors/augmenter/transforms/random_crop.hpp"

#include "actors/augmenter/transforms/crop_window.hpp"
#include "actors/augmenter/transforms/note_text.hpp"
#include "actors/augmenter/transforms/transform_checks.hpp"

#include <algorithm>
#include <array>
#include <opencv2/core.hpp>
#include <optional>
#include <string>

namespace troupe {

namespace {

constexpr std::int64_t max_padding = 4096;

std::optional<int> border_of(const std::string& mode) {
  if (mode == "constant")
    return cv::BORDER_CONSTANT;
  if (mode == "edge")
    return cv::BORDER_REPLICATE;
  if (mode == "reflect")
    return cv::BORDER_REFLECT_101;
  if (mode == "symmetric")
    return cv::BORDER_REFLECT;
  return std::nullopt;
}

cv::Size grown(cv::Size size, cv::Size border) {
  return {size.width + 2 * border.width, size.height + 2 * border.height};
}

/// "28 x 28 at (y 3, x 1), padded 2": the window within the padded image, and how far it is padded on all sides.
std::string note_of(const cv::Rect& window, cv::Size border) {
  auto text = text_of(window + cv::Point(border));
  if (border != cv::Size())
    text += ", padded " + (border.width == border.height ? std::to_string(border.width) : text_of(border));
  return text;
}

class random_crop final : public transform {
public:
  random_crop(const image_shape& output, const random_crop_config& config, int border)
    : output_(output), padding_(static_cast<int>(config.padding)), pad_if_needed_(config.pad_if_needed),
      border_(border), fill_(cv::Scalar::all(pixel_value(config.fill, output.bits))) {}

  [[nodiscard]] image_shape output_shape() const noexcept override { return output_; }
  [[nodiscard]] bool takes_undecoded() const noexcept override { return true; }

  [[nodiscard]] expected<void> apply(working_image& image, sample_rng& rng) const override {
    const cv::Size size(output_.width, output_.height);
    const cv::Size first(padding_, padding_);
    const auto padded = grown(image.size(), first);
    const cv::Size second(std::max(0, size.width - padded.width), std::max(0, size.height - padded.height));
    if (!pad_if_needed_ && (second.width > 0 || second.height > 0))
      return too_small(image.size());
    const auto room = grown(padded, second);
    const int y = corner(room.height, size.height, rng) - first.height - second.height;
    const int x = corner(room.width, size.width, rng) - first.width - second.width;
    const cv::Rect window({x, y}, size);
    if (auto* note = image.note())
      *note = note_of(window, first + second);
    const bool inside = (window & cv::Rect({}, image.size())) == window;
    if (inside || border_ == cv::BORDER_CONSTANT)
      return cut_window(image, window, fill_);
    return cut_bordered(image, first, second, window);
  }

private:
  /// Where the crop begins, relative to the padded image.
  [[nodiscard]] static int corner(int extent, int size, sample_rng& rng) {
    return static_cast<int>(rng.below(static_cast<std::uint64_t>(extent - size + 1)));
  }

  [[nodiscard]] failure too_small(cv::Size size) const {
    return {ec::bad_data, "image of " + text_of(size) + " is too small for a crop of "
                            + text_of(cv::Size(output_.width, output_.height)) + " with padding "
                            + std::to_string(padding_)
                            + " (height x width), expected a larger image, or pad_if_needed"};
  }

  /// Pads in two steps: what the second one mirrors includes the border of the first.
  [[nodiscard]] expected<void> cut_bordered(working_image& image, cv::Size first, cv::Size second,
                                            const cv::Rect& window) const {
    if (auto ok = image.decode(); !ok)
      return ok;
    thread_local std::array<cv::Mat, 2> padded;
    const int how = border_ | cv::BORDER_ISOLATED;
    image.replace(window.size(), [&](const cv::Mat& from, cv::Mat& to) {
      cv::copyMakeBorder(from, padded[0], first.height, first.height, first.width, first.width, how);
      cv::copyMakeBorder(padded[0], padded[1], second.height, second.height, second.width, second.width, how);
      padded[1](window + cv::Point(first + second)).copyTo(to);
    });
    return {};
  }

  image_shape output_;
  int padding_;
  bool pad_if_needed_;
  int border_;
  cv::Scalar fill_;
};

/// The crop must fit into all images, where all have the same shape.
expected<void> check_fit(const random_crop_config& config, cv::Size size, const image_shape& input) {
  if (!input.fixed() || config.pad_if_needed)
    return {};
  const auto room =
    grown({input.width, input.height}, {static_cast<int>(config.padding), static_cast<int>(config.padding)});
  const auto refuse = [&](int value, int limit, const char* what) {
    return bad_parameter("size", std::to_string(value),
                         "at most " + std::to_string(limit) + ", the " + what + " of the padded input (input "
                           + to_string(input) + ", padding " + std::to_string(config.padding) + ")");
  };
  if (!config.size.is_pair() && size.width > std::min(room.width, room.height))
    return refuse(size.width, std::min(room.width, room.height), "shorter side");
  if (size.height > room.height)
    return refuse(size.height, room.height, "height");
  if (size.width > room.width)
    return refuse(size.width, room.width, "width");
  return {};
}

} // namespace

expected<std::unique_ptr<transform>> make_random_crop(const random_crop_config& config, const image_shape& input) {
  if (auto ok = check_whole("padding", config.padding, 0, max_padding); !ok)
    return ok.error();
  if (auto ok = check_number("fill", config.fill, {0, 255}); !ok)
    return ok.error();
  const auto border = border_of(config.padding_mode);
  if (!border)
    return bad_parameter("padding_mode", "\"" + config.padding_mode + "\"", "constant, edge, reflect or symmetric");
  auto output = input;
  if (config.size.given() || !input.fixed()) {
    auto size = size_of("size", config.size);
    if (!size)
      return size.error();
    if (auto ok = check_fit(config, *size, input); !ok)
      return ok.error();
    output.height = size->height;
    output.width = size->width;
  }
  return std::unique_ptr<transform>(std::make_unique<random_crop>(output, config, *border));
}

} // namespace troupe
