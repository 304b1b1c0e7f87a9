/// One entry of a transform list, as the config names it. Names, parameters and defaults follow torchvision.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace troupe {

/// Pads all sides with zeros, then cuts a random square. `size` 0: the size of the input.
struct random_crop_config {
  std::int64_t size = 0;
  std::int64_t padding = 0;
};

/// Mirrors left to right with probability `p`.
struct random_horizontal_flip_config {
  double p = 0.5;
};

/// Overwrites a random rectangle with `value` (0..255) with probability `p` (Zhong et al., 2017).
struct random_erasing_config {
  double p = 0.5;
  std::vector<double> scale = {0.02, 0.33}; ///< Range of the erased share of the area.
  std::vector<double> ratio = {0.3, 3.3};   ///< Range of the aspect ratio.
  double value = 0;
};

/// Maps bytes to (x / 255 - mean) / std, per channel.
struct normalize_config {
  std::vector<double> mean;
  std::vector<double> std;
};

using transform_config =
  std::variant<random_crop_config, random_horizontal_flip_config, random_erasing_config, normalize_config>;

} // namespace troupe
