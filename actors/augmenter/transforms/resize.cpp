#include "actors/augmenter/transforms/resize.hpp"

#include "actors/augmenter/transforms/note_text.hpp"
#include "actors/augmenter/transforms/transform_checks.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace troupe {

namespace {

class resize_step final : public transform {
public:
  resize_step(const image_shape& input, const resize_config& config, interpolation filter)
    : config_(config), filter_(filter), output_(input) {
    const bool known = config.size.is_pair() || input.fixed();
    const auto size = known ? size_for({input.width, input.height}) : cv::Size();
    output_.height = size.height;
    output_.width = size.width;
  }

  [[nodiscard]] image_shape output_shape() const noexcept override { return output_; }
  [[nodiscard]] bool takes_undecoded() const noexcept override { return true; }

  [[nodiscard]] expected<void> apply(working_image& image, sample_rng&) const override {
    const auto from = image.size();
    const auto to = size_for(from);
    if (auto* note = image.note())
      *note = to == from ? text_of(to) + " already" : text_of(from) + " to " + text_of(to);
    if (to == from)
      return {};
    if (std::max(to.width, to.height) > max_image_side)
      return failure{ec::bad_data, "image of " + std::to_string(from.height) + " x " + std::to_string(from.width)
                                     + " would get a side of " + std::to_string(std::max(to.width, to.height))
                                     + ", expected at most " + std::to_string(max_image_side)
                                     + " (height x width; max_size sets a lower limit)"};
    return image.resize({{}, from}, to, filter_, config_.antialias);
  }

private:
  [[nodiscard]] cv::Size size_for(cv::Size from) const noexcept {
    if (config_.size.is_pair())
      return {static_cast<int>(config_.size.width), static_cast<int>(config_.size.height)};
    return resized_size(from, config_.size.height, config_.max_size);
  }

  resize_config config_;
  interpolation filter_;
  image_shape output_;
};

} // namespace

cv::Size resized_size(cv::Size from, std::int64_t shorter, std::int64_t max_size) noexcept {
  const double long_side = std::max(from.width, from.height);
  const double short_side = std::min(from.width, from.height);
  auto new_short = shorter;
  auto new_long = static_cast<std::int64_t>(static_cast<double>(shorter) * long_side / short_side);
  if (max_size > 0 && new_long > max_size) {
    new_short = static_cast<std::int64_t>(static_cast<double>(max_size * new_short) / static_cast<double>(new_long));
    new_long = max_size;
  }
  constexpr std::int64_t largest = std::numeric_limits<int>::max(); // More than anybody accepts.
  const auto a = static_cast<int>(std::clamp<std::int64_t>(new_short, 1, largest));
  const auto b = static_cast<int>(std::clamp<std::int64_t>(new_long, 1, largest));
  return from.width <= from.height ? cv::Size(a, b) : cv::Size(b, a);
}

expected<std::unique_ptr<transform>> make_resize(const resize_config& config, const image_shape& input) {
  if (auto size = size_of("size", config.size); !size)
    return size.error();
  auto filter = interpolation_of(config.interpolation, true);
  if (!filter)
    return filter.error();
  if (auto ok = check_whole("max_size", config.max_size, 0, max_image_side); !ok)
    return ok.error();
  if (config.max_size > 0 && config.size.is_pair())
    return bad_parameter("max_size", std::to_string(config.max_size), "0 where size is [height, width]");
  if (config.max_size > 0 && config.max_size <= config.size.height)
    return bad_parameter("max_size", std::to_string(config.max_size),
                         "more than size, " + std::to_string(config.size.height) + ", or 0");
  return std::unique_ptr<transform>(std::make_unique<resize_step>(input, config, *filter));
}

} // namespace troupe
