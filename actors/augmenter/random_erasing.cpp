#include "actors/augmenter/random_erasing.hpp"

#include <cmath>
#include <opencv2/core.hpp>
#include <string>
#include <utility>

namespace troupe {

namespace {

constexpr int max_tries = 10;

class random_erasing final : public transform {
public:
  random_erasing(const image_shape& shape, const random_erasing_config& config)
    : shape_(shape), p_(config.p), scale_(config.scale[0], config.scale[1]),
      log_ratio_(std::log(config.ratio[0]), std::log(config.ratio[1])), value_(cv::Scalar::all(config.value)) {}

  [[nodiscard]] image_shape output_shape() const noexcept override { return shape_; }

  void apply(working_image& image, sample_rng& rng) const override {
    if (rng.uniform() >= p_)
      return;
    const auto rectangle = draw_rectangle(rng);
    if (!rectangle.empty())
      image.writable()(rectangle).setTo(value_);
  }

private:
  [[nodiscard]] cv::Rect draw_rectangle(sample_rng& rng) const {
    const double area = static_cast<double>(shape_.height) * shape_.width;
    for (int i = 0; i < max_tries; ++i) {
      const double erased = area * rng.uniform(scale_.first, scale_.second);
      const double ratio = std::exp(rng.uniform(log_ratio_.first, log_ratio_.second));
      const double height = std::nearbyint(std::sqrt(erased * ratio));
      const double width = std::nearbyint(std::sqrt(erased / ratio));
      if (!(height < shape_.height && width < shape_.width))
        continue;
      cv::Rect result(0, 0, static_cast<int>(width), static_cast<int>(height));
      result.y = static_cast<int>(rng.below(static_cast<std::uint64_t>(shape_.height - result.height + 1)));
      result.x = static_cast<int>(rng.below(static_cast<std::uint64_t>(shape_.width - result.width + 1)));
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

std::string text_of(const std::vector<double>& range) {
  std::string result = "[";
  for (auto x : range)
    result.append(result.size() > 1 ? ", " : "").append(std::to_string(x));
  return result + "]";
}

bool is_range(const std::vector<double>& x) {
  return x.size() == 2 && x[0] <= x[1];
}

} // namespace

expected<std::unique_ptr<transform>> make_random_erasing(const random_erasing_config& config,
                                                         const image_shape& input) {
  const auto bad = [](const std::string& what) { return failure{ec::bad_config, what}; };
  if (!(config.p >= 0 && config.p <= 1))
    return bad("p is " + std::to_string(config.p) + ", expected 0..1");
  if (!is_range(config.scale) || config.scale[0] < 0 || config.scale[1] > 1)
    return bad("scale is " + text_of(config.scale) + ", expected [low, high] with 0 <= low <= high <= 1");
  if (!is_range(config.ratio) || config.ratio[0] <= 0 || !std::isfinite(config.ratio[1]))
    return bad("ratio is " + text_of(config.ratio) + ", expected [low, high] with 0 < low <= high");
  if (!(config.value >= 0 && config.value <= 255))
    return bad("value is " + std::to_string(config.value) + ", expected 0..255");
  return std::unique_ptr<transform>(std::make_unique<random_erasing>(input, config));
}

} // namespace troupe
