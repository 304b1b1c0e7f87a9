#include "actors/augmenter/random_crop.hpp"

#include <algorithm>
#include <opencv2/core.hpp>
#include <string>

namespace troupe {

namespace {

constexpr std::int64_t max_padding = 4096;

/// How much of [first, first + size) lies before, within and behind [0, extent).
struct overlap {
  overlap(int first, int size, int extent)
    : begin(std::clamp(first, 0, extent)), num_before(std::clamp(-first, 0, size)),
      num_within(std::max(0, std::min(first + size, extent) - begin)), num_behind(size - num_before - num_within) {}

  int begin;
  int num_before;
  int num_within;
  int num_behind;
};

class random_crop final : public transform {
public:
  random_crop(const image_shape& output, int padding) : output_(output), padding_(padding) {}

  [[nodiscard]] image_shape output_shape() const noexcept override { return output_; }

  void apply(working_image& image, sample_rng& rng) const override {
    const auto size = image.pixels().size();
    const overlap rows(corner(size.height, output_.height, rng), output_.height, size.height);
    const overlap columns(corner(size.width, output_.width, rng), output_.width, size.width);
    const cv::Rect window(columns.begin, rows.begin, columns.num_within, rows.num_within);
    if (window.width == output_.width && window.height == output_.height)
      return image.show(window);
    image.replace({output_.width, output_.height}, [&](const cv::Mat& from, cv::Mat& to) {
      if (window.empty())
        to.setTo(0);
      else // Isolated: OpenCV would else take the border from the pixels around the window.
        cv::copyMakeBorder(from(window), to, rows.num_before, rows.num_behind, columns.num_before, columns.num_behind,
                           cv::BORDER_CONSTANT | cv::BORDER_ISOLATED);
    });
  }

private:
  /// Where the crop begins, relative to the image without its padding.
  [[nodiscard]] int corner(int extent, int size, sample_rng& rng) const {
    const auto num_places = static_cast<std::uint64_t>(extent + 2 * padding_ - size + 1);
    return static_cast<int>(rng.below(num_places)) - padding_;
  }

  image_shape output_;
  int padding_;
};

} // namespace

expected<std::unique_ptr<transform>> make_random_crop(const random_crop_config& config, const image_shape& input) {
  if (config.padding < 0 || config.padding > max_padding)
    return failure{ec::bad_config,
                   "padding is " + std::to_string(config.padding) + ", expected 0.." + std::to_string(max_padding)};
  if (config.size < 0)
    return failure{ec::bad_config, "size is " + std::to_string(config.size) + ", expected at least 0"};
  const auto padded = std::min(input.height, input.width) + 2 * config.padding;
  if (config.size > padded)
    return failure{ec::bad_config, "size is " + std::to_string(config.size) + ", expected at most "
                                     + std::to_string(padded) + ", the shorter side of the padded input (input "
                                     + to_string(input) + ", padding " + std::to_string(config.padding) + ")"};
  auto output = input;
  if (config.size > 0)
    output.height = output.width = static_cast<int>(config.size);
  return std::unique_ptr<transform>(std::make_unique<random_crop>(output, static_cast<int>(config.padding)));
}

} // namespace troupe
