#include "actors/augmenter/transforms/random_affine.hpp"

#include "actors/augmenter/transforms/affine.hpp"
#include "actors/augmenter/transforms/note_text.hpp"
#include "actors/augmenter/transforms/transform_checks.hpp"

#include <cmath>
#include <string>

namespace troupe {

namespace {

constexpr value_range degree_limits{-360, 360};
constexpr value_range shear_limits{-89, 89};
constexpr value_range scale_limits{0.01, 100};

/// What the parameters are drawn from.
struct affine_ranges {
  value_range degrees;
  cv::Point2d translate; ///< Largest shares of width and height.
  value_range scale{1, 1};
  value_range shear_x;
  value_range shear_y;
};

double draw(const value_range& range, sample_rng& rng) {
  return rng.uniform(range.low, range.high);
}

std::string note_of(const affine_parameters& x) {
  return text_of(x.degrees) + " deg clockwise, moved by " + text_of(x.translate) + " px, scaled by " + text_of(x.scale)
         + ", sheared by " + text_of(x.shear) + " deg";
}

class random_affine final : public transform {
public:
  random_affine(const image_shape& shape, const affine_ranges& ranges, interpolation filter, double fill)
    : shape_(shape), ranges_(ranges), filter_(filter), fill_(pixel_value(fill, shape.bits)) {}

  [[nodiscard]] image_shape output_shape() const noexcept override { return shape_; }

  [[nodiscard]] expected<void> apply(working_image& image, sample_rng& rng) const override {
    const auto size = image.size();
    const cv::Point2d farthest(ranges_.translate.x * size.width, ranges_.translate.y * size.height);
    affine_parameters x;
    x.degrees = draw(ranges_.degrees, rng);
    x.translate.x = std::nearbyint(rng.uniform(-farthest.x, farthest.x));
    x.translate.y = std::nearbyint(rng.uniform(-farthest.y, farthest.y));
    x.scale = draw(ranges_.scale, rng);
    x.shear.x = draw(ranges_.shear_x, rng);
    x.shear.y = draw(ranges_.shear_y, rng);
    if (auto* note = image.note())
      *note = note_of(x);
    const auto map = affine_map_of(x);
    image.replace(size, [&](const cv::Mat& from, cv::Mat& to) { warp(from, to, map, filter_, fill_); });
    return {};
  }

private:
  image_shape shape_;
  affine_ranges ranges_;
  interpolation filter_;
  double fill_;
};

expected<void> read_shear(const std::vector<double>& shear, affine_ranges& out) {
  if (shear.empty())
    return {};
  const bool both = shear.size() == 4;
  const auto middle = shear.begin() + (both ? 2 : static_cast<std::ptrdiff_t>(shear.size()));
  auto x = range_around_zero("shear", {shear.begin(), middle}, shear_limits);
  if (!x)
    return x.error();
  out.shear_x = *x;
  if (!both)
    return {};
  auto y = range_of("shear", {middle, shear.end()}, shear_limits);
  if (!y)
    return y.error();
  out.shear_y = *y;
  return {};
}

expected<affine_ranges> ranges_of(const random_affine_config& config) {
  affine_ranges result;
  auto degrees = range_around_zero("degrees", config.degrees, degree_limits);
  if (!degrees)
    return degrees.error();
  result.degrees = *degrees;
  if (!config.translate.empty()) {
    if (config.translate.size() != 2)
      return bad_parameter("translate", text_of(config.translate), "[share of the width, share of the height]");
    for (const auto share : config.translate)
      if (auto ok = check_number("translate", share, {0, 1}); !ok)
        return ok.error();
    result.translate = {config.translate[0], config.translate[1]};
  }
  if (!config.scale.empty()) {
    auto scale = range_of("scale", config.scale, scale_limits);
    if (!scale)
      return scale.error();
    result.scale = *scale;
  }
  if (auto ok = read_shear(config.shear, result); !ok)
    return ok.error();
  return result;
}

} // namespace

expected<std::unique_ptr<transform>> make_random_affine(const random_affine_config& config, const image_shape& input) {
  auto ranges = ranges_of(config);
  if (!ranges)
    return ranges.error();
  auto filter = interpolation_of(config.interpolation, false);
  if (!filter)
    return filter.error();
  if (auto ok = check_number("fill", config.fill, {0, 255}); !ok)
    return ok.error();
  return std::unique_ptr<transform>(std::make_unique<random_affine>(input, *ranges, *filter, config.fill));
}

} // namespace troupe
