#include "actors/augmenter/transforms/grayscale.hpp"

#include "actors/augmenter/transforms/colour.hpp"
#include "actors/augmenter/transforms/transform_checks.hpp"

#include <string>

namespace troupe {

namespace {

class random_grayscale final : public transform {
public:
  random_grayscale(const image_shape& shape, double p) : shape_(shape), p_(p) {}

  [[nodiscard]] image_shape output_shape() const noexcept override { return shape_; }

  [[nodiscard]] expected<void> apply(working_image& image, sample_rng& rng) const override {
    const bool chosen = rng.uniform() < p_;
    const bool changes = chosen && shape_.channels > 1;
    if (auto* note = image.note())
      *note = changes ? "made grey" : chosen ? "grey already" : "not made grey";
    if (changes)
      to_grayscale(image.writable());
    return {};
  }

private:
  image_shape shape_;
  double p_;
};

} // namespace

expected<std::unique_ptr<transform>> make_grayscale(const grayscale_config& config, const image_shape& input) {
  if (config.num_output_channels != input.channels)
    return bad_parameter("num_output_channels", std::to_string(config.num_output_channels),
                         std::to_string(input.channels) + ", as the input has");
  return make_random_grayscale({.p = 1}, input);
}

expected<std::unique_ptr<transform>> make_random_grayscale(const random_grayscale_config& config,
                                                           const image_shape& input) {
  if (auto ok = check_colours(input); !ok)
    return ok.error();
  if (auto ok = check_number("p", config.p, {0, 1}); !ok)
    return ok.error();
  return std::unique_ptr<transform>(std::make_unique<random_grayscale>(input, config.p));
}

} // namespace troupe
