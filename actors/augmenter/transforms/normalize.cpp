#include "actors/augmenter/transforms/normalize.hpp"

#include <cassert>
#include <cmath>
#include <string>
#include <vector>

namespace troupe {

namespace {

expected<void> check(const std::string& name, const std::vector<double>& x, const image_shape& input) {
  if (x.size() != 1 && x.size() != static_cast<std::size_t>(input.channels))
    return failure{ec::bad_config, name + " has " + std::to_string(x.size()) + " numbers, expected 1 or "
                                     + std::to_string(input.channels) + " (channels)"};
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!std::isfinite(x[i]) || (name == "std" && x[i] <= 0))
      return failure{ec::bad_config, name + "[" + std::to_string(i) + "] is " + std::to_string(x[i]) + ", expected a "
                                       + (name == "std" ? "number above 0" : "finite number")};
  return {};
}

double of_channel(const std::vector<double>& x, std::size_t channel) {
  return x[x.size() == 1 ? 0 : channel];
}

} // namespace

expected<normalize> normalize::make(const normalize_config& config, const image_shape& input) {
  if (auto ok = check("mean", config.mean, input); !ok)
    return ok.error();
  if (auto ok = check("std", config.std, input); !ok)
    return ok.error();
  const auto channels = static_cast<std::size_t>(input.channels);
  const double full_scale = input.bits == 16 ? 65535 : 255;
  normalize_factors factors;
  for (std::size_t i = 0; i < normalize_factors::period; ++i) {
    const double mean = of_channel(config.mean, i % channels);
    const double std = of_channel(config.std, i % channels);
    factors.scale[i] = static_cast<float>(1 / (full_scale * std));
    factors.bias[i] = static_cast<float>(-mean / std);
  }
  return normalize(channels, input.bits, factors);
}

void normalize::write(const cv::Mat& pixels, pixel_type type, void* out, bool channels_last) const {
  assert(static_cast<std::size_t>(pixels.channels()) == channels_ && pixels.depth() == (bits_ == 16 ? CV_16U : CV_8U));
  const auto& kernels = best_normalize_kernels(bits_, type);
  const auto area = pixels.total();
  const std::size_t num_rows = pixels.isContinuous() ? 1 : static_cast<std::size_t>(pixels.rows);
  const auto width = area / num_rows;
  const bool interleaved = channels_last || channels_ == 1;
  auto* to = static_cast<std::byte*>(out);
  for (std::size_t y = 0; y < num_rows; ++y) {
    const auto* row = pixels.ptr(static_cast<int>(y));
    if (interleaved)
      kernels.interleaved(row, width * channels_, factors_, to);
    else
      kernels.planar(row, width, channels_, factors_, to, area);
    to += width * (interleaved ? channels_ : 1) * bytes_per_pixel_value(type);
  }
}

} // namespace troupe
