#include "actors/augmenter/transforms/random_flip.hpp"

#include "actors/augmenter/transforms/transform_checks.hpp"
#include "actors/support/imaging/mirror.hpp"

#include <opencv2/core.hpp>

namespace troupe {

namespace {

/// As OpenCV numbers them.
enum class axis : int { horizontal = 0, vertical = 1 };

class random_flip final : public transform {
public:
  random_flip(const image_shape& shape, double p, axis around) : shape_(shape), p_(p), around_(around) {}

  [[nodiscard]] image_shape output_shape() const noexcept override { return shape_; }

  [[nodiscard]] expected<void> apply(working_image& image, sample_rng& rng) const override {
    const bool flips = rng.uniform() < p_;
    if (auto* note = image.note())
      *note = flips ? "flipped" : "not flipped";
    if (flips)
      image.replace(image.size(), [this](const cv::Mat& from, cv::Mat& to) {
        if (around_ == axis::vertical)
          mirror(from, to);
        else
          cv::flip(from, to, static_cast<int>(around_));
      });
    return {};
  }

private:
  image_shape shape_;
  double p_;
  axis around_;
};

expected<std::unique_ptr<transform>> make_flip(const image_shape& input, double p, axis around) {
  if (auto ok = check_number("p", p, {0, 1}); !ok)
    return ok.error();
  return std::unique_ptr<transform>(std::make_unique<random_flip>(input, p, around));
}

} // namespace

expected<std::unique_ptr<transform>> make_random_horizontal_flip(const random_horizontal_flip_config& config,
                                                                 const image_shape& input) {
  return make_flip(input, config.p, axis::vertical);
}

expected<std::unique_ptr<transform>> make_random_vertical_flip(const random_vertical_flip_config& config,
                                                               const image_shape& input) {
  return make_flip(input, config.p, axis::horizontal);
}

} // namespace troupe
