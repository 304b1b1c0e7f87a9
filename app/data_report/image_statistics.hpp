/// The images of a data set in figures.
#pragma once

#include "app/data_report/sample_survey.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace troupe {

struct image_size {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  friend bool operator==(const image_size&, const image_size&) = default;
};

struct size_count {
  image_size size;
  std::uint64_t num_samples = 0;
};

struct format_count {
  std::string name; ///< "JPEG"; "raw pixels".
  std::uint64_t num_samples = 0;
};

/// Of the good samples.
struct image_statistics {
  std::uint64_t num_samples = 0; ///< 0: nothing below says anything.

  // By area; of sizes of one area the narrower ones are the smaller ones.
  image_size smallest;
  image_size median;
  image_size largest;
  std::uint64_t num_sizes = 0;
  std::vector<size_count> frequent; ///< At most five, the most frequent first.

  std::vector<format_count> formats; ///< By content, the most frequent first.
  std::uint64_t num_misnamed = 0;    ///< Their extension promises another format.
  std::string misnamed_example;      ///< "photos/cat.jpg (PNG)"

  std::uint64_t num_single_channel = 0; ///< Grey or palette.
  std::uint64_t num_alpha = 0;
  std::uint64_t num_cmyk = 0;
  std::uint64_t num_deep = 0;   ///< More than 8 bits per channel.
  std::uint64_t num_turned = 0; ///< EXIF orientation other than 1.
};

[[nodiscard]] image_statistics sum_up_images(const dataset& data, const sample_survey& survey);

/// Mean and standard deviation by channel, full scale 1.
struct channel_statistics {
  std::vector<double> mean;
  std::vector<double> std;
};

/// Over the images that there are moments of; each weighs the same, however large it is. Empty if there are none.
[[nodiscard]] channel_statistics sum_up_channels(const std::vector<pixel_moments>& moments);

} // namespace troupe
