#include "actors/augmenter/transforms/random_resized_crop.hpp"

#include "actors/augmenter/transforms/note_text.hpp"

#include <algorithm>
#include <cmath>

namespace troupe {

namespace {

constexpr int max_tries = 10;
constexpr double min_scale = 1e-6;
constexpr value_range ratio_limits{0.01, 100};

int rounded(double x) {
  return static_cast<int>(std::nearbyint(x));
}

/// The largest box in the middle whose shape is allowed.
cv::Rect central_box(cv::Size size, const value_range& ratio) {
  const double shape = static_cast<double>(size.width) / size.height;
  auto box = size;
  if (shape < ratio.low)
    box.height = rounded(size.width / ratio.low);
  else if (shape > ratio.high)
    box.width = rounded(size.height * ratio.high);
  box.height = std::clamp(box.height, 1, size.height);
  box.width = std::clamp(box.width, 1, size.width);
  return {{(size.width - box.width) / 2, (size.height - box.height) / 2}, box};
}

class random_resized_crop final : public transform {
public:
  random_resized_crop(const image_shape& output, const value_range& scale, const value_range& ratio,
                      interpolation filter, bool antialias)
    : output_(output), scale_(scale), ratio_(ratio), filter_(filter), antialias_(antialias) {}

  [[nodiscard]] image_shape output_shape() const noexcept override { return output_; }
  [[nodiscard]] bool takes_undecoded() const noexcept override { return true; }

  [[nodiscard]] expected<void> apply(working_image& image, sample_rng& rng) const override {
    const auto box = random_resized_crop_box(image.size(), scale_, ratio_, rng);
    const cv::Size size(output_.width, output_.height);
    if (auto* note = image.note())
      *note = text_of(box) + " of " + text_of(image.size()) + ", resized to " + text_of(size);
    return image.resize(box, size, filter_, antialias_);
  }

private:
  image_shape output_;
  value_range scale_;
  value_range ratio_;
  interpolation filter_;
  bool antialias_;
};

} // namespace

cv::Rect random_resized_crop_box(cv::Size size, const value_range& scale, const value_range& ratio, sample_rng& rng) {
  const double area = static_cast<double>(size.height) * size.width;
  for (int i = 0; i < max_tries; ++i) {
    const double wanted = area * rng.uniform(scale.low, scale.high);
    const double shape = std::exp(rng.uniform(std::log(ratio.low), std::log(ratio.high)));
    const cv::Size box(rounded(std::sqrt(wanted * shape)), rounded(std::sqrt(wanted / shape)));
    if (box.width < 1 || box.width > size.width || box.height < 1 || box.height > size.height)
      continue;
    const auto y = rng.below(static_cast<std::uint64_t>(size.height - box.height + 1));
    const auto x = rng.below(static_cast<std::uint64_t>(size.width - box.width + 1));
    return {{static_cast<int>(x), static_cast<int>(y)}, box};
  }
  return central_box(size, ratio);
}

expected<std::unique_ptr<transform>> make_random_resized_crop(const random_resized_crop_config& config,
                                                              const image_shape& input) {
  auto size = size_of("size", config.size);
  if (!size)
    return size.error();
  auto scale = range_of("scale", config.scale, {min_scale, 1});
  if (!scale)
    return scale.error();
  auto ratio = range_of("ratio", config.ratio, ratio_limits);
  if (!ratio)
    return ratio.error();
  auto filter = interpolation_of(config.interpolation, true);
  if (!filter)
    return filter.error();
  auto output = input;
  output.height = size->height;
  output.width = size->width;
  return std::unique_ptr<transform>(
    std::make_unique<random_resized_crop>(output, *scale, *ratio, *filter, config.antialias));
}

} // namespace troupe
