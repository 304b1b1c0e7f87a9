#include "actors/augmenter/random_horizontal_flip.hpp"

#include <opencv2/core.hpp>
#include <string>

namespace troupe {

namespace {

class random_horizontal_flip final : public transform {
public:
  random_horizontal_flip(const image_shape& shape, double p) : shape_(shape), p_(p) {}

  [[nodiscard]] image_shape output_shape() const noexcept override { return shape_; }

  void apply(working_image& image, sample_rng& rng) const override {
    if (rng.uniform() >= p_)
      return;
    constexpr int around_vertical_axis = 1;
    image.replace(image.pixels().size(),
                  [](const cv::Mat& from, cv::Mat& to) { cv::flip(from, to, around_vertical_axis); });
  }

private:
  image_shape shape_;
  double p_;
};

} // namespace

expected<std::unique_ptr<transform>> make_random_horizontal_flip(const random_horizontal_flip_config& config,
                                                                 const image_shape& input) {
  if (!(config.p >= 0 && config.p <= 1))
    return failure{ec::bad_config, "p is " + std::to_string(config.p) + ", expected 0..1"};
  return std::unique_ptr<transform>(std::make_unique<random_horizontal_flip>(input, config.p));
}

} // namespace troupe
