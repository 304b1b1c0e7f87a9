#include "actors/augmenter/transforms/auto_augment.hpp"

#include "actors/augmenter/transforms/augment_op.hpp"
#include "actors/augmenter/transforms/transform_checks.hpp"

namespace troupe {

namespace {

constexpr std::int64_t max_bins = 1000;
constexpr std::int64_t max_ops = 32;
const augment_space wide_space{.shear = 0.99F, .translate = {32, 32}, .rotate = 135, .colour = 0.99F, .bits = 6};

/// Of RandAugment, where the image is moved by up to 150 of 331 parts of its size.
augment_space space_for(cv::Size size) {
  constexpr double part = 150.0 / 331.0;
  const cv::Point2f translate(static_cast<float>(part * size.width), static_cast<float>(part * size.height));
  return {.shear = 0.3F, .translate = translate, .rotate = 30, .colour = 0.9F, .bits = 4};
}

/// What both transforms know of their config.
struct augment_settings {
  image_shape shape;
  int num_bins = 0;
  interpolation filter = interpolation::nearest;
  double fill = 0;
};

augment_op draw_op(sample_rng& rng) {
  return static_cast<augment_op>(rng.below(num_augment_ops));
}

/// Applies `op` with the magnitude of `bin`, of random sign where it has one, and adds it to the image's note.
void augment(working_image& image, augment_op op, int bin, const augment_settings& with, const augment_space& space,
             sample_rng& rng) {
  const float magnitude = magnitude_of(op, bin, with.num_bins, space);
  const bool negative = is_signed(op) && rng.below(2) == 1;
  const float drawn = negative ? -magnitude : magnitude;
  if (auto* note = image.note())
    *note += (note->empty() ? "" : ", then ") + text_of(op, drawn);
  apply_augment_op(image, op, drawn, with.filter, with.fill);
}

class trivial_augment_wide final : public transform {
public:
  explicit trivial_augment_wide(const augment_settings& settings) : settings_(settings) {}

  [[nodiscard]] image_shape output_shape() const noexcept override { return settings_.shape; }

  [[nodiscard]] expected<void> apply(working_image& image, sample_rng& rng) const override {
    const auto op = draw_op(rng);
    const auto bin = static_cast<int>(rng.below(static_cast<std::uint64_t>(settings_.num_bins)));
    augment(image, op, bin, settings_, wide_space, rng);
    return {};
  }

private:
  augment_settings settings_;
};

class rand_augment final : public transform {
public:
  rand_augment(const augment_settings& settings, std::int64_t num_ops, std::int64_t magnitude)
    : settings_(settings), num_ops_(num_ops), bin_(static_cast<int>(magnitude)) {}

  [[nodiscard]] image_shape output_shape() const noexcept override { return settings_.shape; }

  [[nodiscard]] expected<void> apply(working_image& image, sample_rng& rng) const override {
    const auto space = space_for(image.size());
    for (std::int64_t i = 0; i < num_ops_; ++i) {
      const auto op = draw_op(rng);
      augment(image, op, bin_, settings_, space, rng);
    }
    return {};
  }

private:
  augment_settings settings_;
  std::int64_t num_ops_;
  int bin_;
};

template <class Config>
expected<augment_settings> settings_of(const Config& config, const image_shape& input) {
  if (auto ok = check_colours(input); !ok)
    return ok.error();
  if (auto ok = check_whole("num_magnitude_bins", config.num_magnitude_bins, 2, max_bins); !ok)
    return ok.error();
  auto filter = interpolation_of(config.interpolation, false);
  if (!filter)
    return filter.error();
  if (auto ok = check_number("fill", config.fill, {0, 255}); !ok)
    return ok.error();
  return augment_settings{input, static_cast<int>(config.num_magnitude_bins), *filter, config.fill};
}

} // namespace

expected<std::unique_ptr<transform>> make_trivial_augment_wide(const trivial_augment_wide_config& config,
                                                               const image_shape& input) {
  auto settings = settings_of(config, input);
  if (!settings)
    return settings.error();
  return std::unique_ptr<transform>(std::make_unique<trivial_augment_wide>(*settings));
}

expected<std::unique_ptr<transform>> make_rand_augment(const rand_augment_config& config, const image_shape& input) {
  auto settings = settings_of(config, input);
  if (!settings)
    return settings.error();
  if (auto ok = check_whole("num_ops", config.num_ops, 1, max_ops); !ok)
    return ok.error();
  if (auto ok = check_whole("magnitude", config.magnitude, 0, config.num_magnitude_bins - 1); !ok)
    return ok.error();
  return std::unique_ptr<transform>(std::make_unique<rand_augment>(*settings, config.num_ops, config.magnitude));
}

} // namespace troupe
