#include "actors/augmenter/transforms/random_rotation.hpp"

#include "actors/augmenter/transforms/affine.hpp"
#include "actors/augmenter/transforms/note_text.hpp"
#include "actors/augmenter/transforms/transform_checks.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

namespace troupe {

namespace {

constexpr value_range degree_limits{-360, 360};
constexpr std::int64_t max_area = 100'000'000; ///< Of an enlarged image.

class random_rotation final : public transform {
public:
  random_rotation(const image_shape& output, const value_range& degrees, interpolation filter, bool expand, double fill)
    : output_(output), degrees_(degrees), filter_(filter), expand_(expand), fill_(pixel_value(fill, output.bits)) {}

  [[nodiscard]] image_shape output_shape() const noexcept override { return output_; }

  [[nodiscard]] expected<void> apply(working_image& image, sample_rng& rng) const override {
    const double degrees = rng.uniform(degrees_.low, degrees_.high);
    const auto map = rotation_map(degrees);
    const auto size = expand_ ? expanded_size(map, image.size()) : image.size();
    if (auto* note = image.note())
      *note = text_of(degrees) + " deg counter-clockwise" + (expand_ ? ", enlarged to " + text_of(size) : "");
    if (expand_
        && (std::max(size.width, size.height) > max_image_side || std::int64_t{size.width} * size.height > max_area))
      return failure{ec::bad_data, "image of " + std::to_string(image.size().height) + " x "
                                     + std::to_string(image.size().width) + " would become one of "
                                     + std::to_string(size.height) + " x " + std::to_string(size.width)
                                     + ", expected sides of at most " + std::to_string(max_image_side) + " and "
                                     + std::to_string(max_area) + " pixels (height x width; expand enlarges it)"};
    image.replace(size, [&](const cv::Mat& from, cv::Mat& to) { warp(from, to, map, filter_, fill_); });
    return {};
  }

private:
  image_shape output_;
  value_range degrees_;
  interpolation filter_;
  bool expand_;
  double fill_;
};

} // namespace

expected<std::unique_ptr<transform>> make_random_rotation(const random_rotation_config& config,
                                                          const image_shape& input) {
  auto degrees = range_around_zero("degrees", config.degrees, degree_limits);
  if (!degrees)
    return degrees.error();
  auto filter = interpolation_of(config.interpolation, false);
  if (!filter)
    return filter.error();
  if (auto ok = check_number("fill", config.fill, {0, 255}); !ok)
    return ok.error();
  auto output = input;
  if (config.expand)
    output.height = output.width = 0;
  return std::unique_ptr<transform>(
    std::make_unique<random_rotation>(output, *degrees, *filter, config.expand, config.fill));
}

} // namespace troupe
