#include "actors/augmenter/transforms/random_erasing.hpp"

#include "actors/augmenter/transforms/note_text.hpp"
#include "actors/augmenter/transforms/transform_checks.hpp"

#include <cmath>
#include <opencv2/core.hpp>
#include <utility>

namespace troupe {

namespace {

constexpr int max_tries = 10;
constexpr double min_ratio = 1e-6;
constexpr double max_ratio = 1e6;

class random_erasing final : public transform {
public:
  random_erasing(const image_shape& shape, const random_erasing_config& config)
    : shape_(shape), p_(config.p), scale_(config.scale[0], config.scale[1]),
      log_ratio_(std::log(config.ratio[0]), std::log(config.ratio[1])),
      value_(cv::Scalar::all(pixel_value(config.value, shape.bits))) {}

  [[nodiscard]] image_shape output_shape() const noexcept override { return shape_; }

  [[nodiscard]] expected<void> apply(working_image& image, sample_rng& rng) const override {
    auto* note = image.note();
    if (rng.uniform() >= p_) {
      if (note != nullptr)
        *note = "not erased";
      return {};
    }
    const auto rectangle = draw_rectangle(image.size(), rng);
    if (note != nullptr)
      *note = rectangle.empty() ? "not erased: no rectangle fits" : "erased " + text_of(rectangle);
    if (!rectangle.empty())
      image.writable()(rectangle).setTo(value_);
    return {};
  }

private:
  [[nodiscard]] cv::Rect draw_rectangle(cv::Size size, sample_rng& rng) const {
    const double area = static_cast<double>(size.height) * size.width;
    for (int i = 0; i < max_tries; ++i) {
      const double erased = area * rng.uniform(scale_.first, scale_.second);
      const double ratio = std::exp(rng.uniform(log_ratio_.first, log_ratio_.second));
      const double height = std::nearbyint(std::sqrt(erased * ratio));
      const double width = std::nearbyint(std::sqrt(erased / ratio));
      if (!(height < size.height && width < size.width))
        continue;
      cv::Rect result(0, 0, static_cast<int>(width), static_cast<int>(height));
      result.y = static_cast<int>(rng.below(static_cast<std::uint64_t>(size.height - result.height + 1)));
      result.x = static_cast<int>(rng.below(static_cast<std::uint64_t>(size.width - result.width + 1)));
      return result;
    }
    return {};
  }

  image_shape shape_;
  double p_;
  std::pair<double, double> scale_;
  std::pair<double, double> log_ratio_;
  cv::Scalar value_;
};

} // namespace

expected<std::unique_ptr<transform>> make_random_erasing(const random_erasing_config& config,
                                                         const image_shape& input) {
  if (auto ok = check_number("p", config.p, {0, 1}); !ok)
    return ok.error();
  if (auto scale = range_of("scale", config.scale, {0, 1}); !scale)
    return scale.error();
  if (auto ratio = range_of("ratio", config.ratio, {min_ratio, max_ratio}); !ratio)
    return ratio.error();
  if (auto ok = check_number("value", config.value, {0, 255}); !ok)
    return ok.error();
  return std::unique_ptr<transform>(std::make_unique<random_erasing>(input, config));
}

} // namespace troupe
