#include "app/data_report/sample_painter.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

namespace troupe {

namespace {

double of_channel(const std::vector<double>& values, std::size_t channel) {
  return values.size() == 1 ? values[0] : values[channel];
}

} // namespace

sample_painter::sample_painter(const transform_pipeline& transforms, const std::vector<transform_config>& list)
  : transforms_(transforms), numbers_(static_cast<std::size_t>(transforms.output_channels() * transforms.output_height()
                                                               * transforms.output_width())) {
  if (!list.empty() && std::holds_alternative<normalize_config>(list.back()))
    undone_ = std::get<normalize_config>(list.back());
}

unsigned char sample_painter::byte_of(float value, std::size_t channel) const {
  const auto mean = of_channel(undone_.mean, channel), std = of_channel(undone_.std, channel);
  return static_cast<unsigned char>(std::clamp<long>(std::lround(255 * (value * std + mean)), 0, 255));
}

expected<std::vector<unsigned char>> sample_painter::paint(const encoded_sample& sample, std::uint64_t seed,
                                                           std::uint64_t epoch, const sample_extras& extras) {
  const sample_slot slot{numbers_.data(), pixel_type::float32, /*channels_last=*/true};
  if (auto made = transforms_.apply(sample, seed, epoch, slot, extras); !made)
    return made.error();
  const auto channels = static_cast<std::size_t>(transforms_.output_channels());
  std::vector<unsigned char> rgb;
  rgb.reserve(numbers_.size() / channels * 3);
  for (std::size_t first = 0; first < numbers_.size(); first += channels)
    for (std::size_t c = 0; c < 3; ++c) {
      const auto shown = channels < 3 ? 0 : c;
      rgb.push_back(byte_of(numbers_[first + shown], shown));
    }
  return rgb;
}

} // namespace troupe
