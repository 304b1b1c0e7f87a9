#include "app/data_report/training_sheet.hpp"

#include "actors/loader/sampler.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

namespace troupe {

namespace {

/// From the network's numbers back to bytes.
class display_scale {
public:
  explicit display_scale(const std::vector<transform_config>& list) {
    if (!list.empty() && std::holds_alternative<normalize_config>(list.back()))
      config_ = std::get<normalize_config>(list.back());
  }

  [[nodiscard]] unsigned char byte_of(float value, std::size_t channel) const {
    const auto mean = of_channel(config_.mean, channel), std = of_channel(config_.std, channel);
    return static_cast<unsigned char>(std::clamp<long>(std::lround(255 * (value * std + mean)), 0, 255));
  }

private:
  [[nodiscard]] static double of_channel(const std::vector<double>& values, std::size_t channel) {
    return values.size() == 1 ? values[0] : values[channel];
  }

  normalize_config config_{.mean = {0}, .std = {1}}; ///< What a list without `normalize` ends with.
};

/// `numbers`: [H, W, C].
std::vector<unsigned char> to_rgb(const std::vector<float>& numbers, std::size_t channels, const display_scale& scale) {
  std::vector<unsigned char> rgb;
  rgb.reserve(numbers.size() / channels * 3);
  for (std::size_t first = 0; first < numbers.size(); first += channels)
    for (std::size_t c = 0; c < 3; ++c) {
      const auto shown = channels < 3 ? 0 : c;
      rgb.push_back(scale.byte_of(numbers[first + shown], shown));
    }
  return rgb;
}

} // namespace

expected<std::vector<std::uint32_t>> first_training_ids(const dataset& data, const run_config& config,
                                                        std::uint64_t num_samples) {
  const auto plan = epoch_plan::make(data.num_samples(), config.pipeline.batch_size, config.pipeline.drop_last,
                                     /*shuffle=*/true, config.run.seed);
  if (!plan)
    return plan.error();
  auto ids = plan->order(0);
  ids.resize(std::min(num_samples, plan->samples_per_epoch()));
  return ids;
}

std::vector<sheet_tile> make_training_tiles(const dataset& data, const transform_pipeline& transforms,
                                            const run_config& config, const std::vector<std::string>& class_names,
                                            const std::vector<std::uint32_t>& ids) {
  const auto channels = static_cast<std::size_t>(transforms.output_channels());
  std::vector<float> numbers(
    static_cast<std::size_t>(transforms.output_channels() * transforms.output_height() * transforms.output_width()));
  const sample_slot slot{numbers.data(), pixel_type::float32, /*channels_last=*/true};
  const display_scale scale(config.transforms.train);
  std::vector<sheet_tile> tiles;
  for (const auto id : ids) {
    auto& tile = tiles.emplace_back();
    tile.caption = class_names[static_cast<std::size_t>(data.label(id))] + " " + std::to_string(id);
    const auto sample = data.read(id);
    if (sample && transforms.apply(*sample, config.run.seed, 0, slot))
      tile.rgb = to_rgb(numbers, channels, scale);
    else
      tile.caption = "bad: " + tile.caption;
  }
  return tiles;
}

} // namespace troupe
