#include "actors/augmenter/transforms/color_jitter.hpp"

#include "actors/augmenter/transforms/colour.hpp"
#include "actors/augmenter/transforms/note_text.hpp"
#include "actors/augmenter/transforms/transform_checks.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace troupe {

namespace {

constexpr value_range factor_limits{0, 100};
constexpr value_range hue_limits{-0.5, 0.5};

/// One of the changes and what its strength is drawn from.
struct adjustment {
  const char* name = "";
  void (*change)(cv::Mat&, double) = nullptr;
  value_range range;
  bool idle = true; ///< Its only strength changes nothing.
};

using adjustments = std::array<adjustment, 4>;

/// The changes with their strengths, in the order in which they are made.
using drawn_adjustments = std::array<std::pair<const adjustment*, double>, std::tuple_size_v<adjustments>>;

/// "contrast 0.93, brightness 1.12, saturation off, hue off": what changes something first, in the order of the changes.
std::string note_of(const drawn_adjustments& drawn, const adjustments& all) {
  std::string changes;
  std::string rest;
  for (const auto& [what, strength] : drawn)
    if (!what->idle)
      changes +=
        std::string(", ") + what->name + " " + text_of(strength) + (what->change == adjust_hue ? " turns" : "");
  for (const auto& what : all)
    if (what.idle)
      rest += std::string(", ") + what.name + " off";
  return (changes + rest).substr(2);
}

class color_jitter final : public transform {
public:
  color_jitter(const image_shape& shape, const adjustments& all) : shape_(shape), all_(all) {}

  [[nodiscard]] image_shape output_shape() const noexcept override { return shape_; }

  [[nodiscard]] expected<void> apply(working_image& image, sample_rng& rng) const override {
    drawn_adjustments chosen;
    for (std::size_t i = 0; i < chosen.size(); ++i)
      chosen[i] = {&all_[i], rng.uniform(all_[i].range.low, all_[i].range.high)};
    for (std::size_t i = chosen.size(); i > 1; --i)
      std::swap(chosen[i - 1], chosen[rng.below(i)]);
    if (auto* note = image.note())
      *note = note_of(chosen, all_);
    for (const auto& [what, strength] : chosen)
      if (!what->idle)
        what->change(image.writable(), strength);
    return {};
  }

private:
  image_shape shape_;
  adjustments all_;
};

expected<value_range> factor_of(const std::string& name, const std::vector<double>& x) {
  if (x.size() != 1)
    return range_of(name, x, factor_limits);
  if (auto ok = check_number(name, x[0], {0, factor_limits.high - 1}); !ok)
    return ok.error();
  return value_range{std::max(0.0, 1 - x[0]), 1 + x[0]};
}

} // namespace

expected<std::unique_ptr<transform>> make_color_jitter(const color_jitter_config& config, const image_shape& input) {
  if (auto ok = check_colours(input); !ok)
    return ok.error();
  adjustments all;
  const std::array ranges{factor_of("brightness", config.brightness), factor_of("contrast", config.contrast),
                          factor_of("saturation", config.saturation), range_around_zero("hue", config.hue, hue_limits)};
  constexpr std::array names{"brightness", "contrast", "saturation", "hue"};
  const std::array changes{adjust_brightness, adjust_contrast, adjust_saturation, adjust_hue};
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!ranges[i])
      return ranges[i].error();
    const double nothing = changes[i] == adjust_hue ? 0 : 1;
    all[i] = {names[i], changes[i], *ranges[i], ranges[i]->low == nothing && ranges[i]->high == nothing};
  }
  return std::unique_ptr<transform>(std::make_unique<color_jitter>(input, all));
}

} // namespace troupe
