/// What becomes of a photo, as plain calls of the functions that an augmenter calls for it.
#pragma once

#include "actors/augmenter/transforms/normalize.hpp"
#include "actors/augmenter/transforms/transform_config.hpp"
#include "actors/loader/datasets/dataset.hpp"
#include "actors/support/expected.hpp"
#include "actors/support/imaging/image_decoder.hpp"
#include "actors/support/imaging/resize.hpp"

#include <cstddef>
#include <cstdint>
#include <opencv2/core/mat.hpp>
#include <span>
#include <string>
#include <vector>

namespace troupe::bench {

inline constexpr int photo_side = 224;
inline constexpr int photo_channels = 3;
inline constexpr std::size_t photo_values = std::size_t{photo_channels} * photo_side * photo_side;
inline constexpr std::uint64_t run_seed = 1;

/// RandomResizedCrop, flip and normalise with ImageNet's numbers, as a config would list them.
[[nodiscard]] std::vector<transform_config> photo_transforms(bool antialias);

/// The files of a folder of class folders, in the order of a data set's ids.
struct photo_files {
  std::vector<std::string> paths;
  std::vector<std::int64_t> labels;

  [[nodiscard]] static photo_files find(const std::string& root);
};

/// Makes photos, one at a time, for one thread; keeps its memory from photo to photo.
class photo_maker {
public:
  explicit photo_maker(bool antialias);

  /// Fills `out` with `photo_values` numbers, the same as the augmenter makes of the sample `id` in `epoch`. Errors:
  /// those of the file and of its decoder.
  [[nodiscard]] expected<void> make(const std::string& path, std::uint64_t id, std::uint64_t epoch, bool channels_last,
                                    float* out);

private:
  [[nodiscard]] expected<std::span<const std::byte>> read(const std::string& path);

  random_resized_crop_config crop_;
  double flip_p_;
  normalize normalize_;
  image_decoder decoder_;
  std::vector<std::byte> file_;
  resize_scratch scratch_;
  cv::Mat resized_;
  cv::Mat flipped_;
};

} // namespace troupe::bench
