/// Calls to the components of a plugin as the rooms make them, with what they promise checked.
#pragma once

#include "actors/plugin/testing_values.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <future>
#include <opencv2/core/mat.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace troupe::testing {

/// What a sample's randomness depends on.
struct draw {
  std::uint64_t seed = 1;
  std::uint64_t epoch = 0;
  std::uint64_t id = 0;
  std::uint32_t stream = 0;
};

/// @pre `image` is of 8 or 16 bits unsigned
[[nodiscard]] inline image_shape shape_of(const cv::Mat& image) {
  return {image.channels(), image.rows, image.cols, image.depth() == CV_16U ? 16 : 8};
}

/// Throws std::runtime_error, with both shapes, if `image` is not what was promised; sides of 0 promise nothing.
inline void check_shape(const cv::Mat& image, const image_shape& promised) {
  const auto found = shape_of(image);
  const bool fits = (image.depth() == CV_8U || image.depth() == CV_16U) && found.channels == promised.channels
                    && found.bits == promised.bits
                    && (!promised.fixed() || (found.height == promised.height && found.width == promised.width));
  if (!fits)
    throw std::runtime_error("the image is " + to_string(found) + " of OpenCV depth " + std::to_string(image.depth())
                             + ", but " + to_string(promised) + " of " + std::to_string(promised.bits)
                             + " bits was promised");
}

/// The picture after the transform; `image` stays as it is. `note`: gets what the transform says it has drawn.
[[nodiscard]] inline cv::Mat applied(const sample_transform& transform, const cv::Mat& image, const draw& ids = {},
                                     std::string* note = nullptr) {
  sample_rng rng(ids.seed, ids.epoch, ids.id, ids.stream);
  transform_context context{rng, ids.id, ids.epoch, note};
  cv::Mat result = image.clone();
  transform.apply(result, context);
  check_shape(result, transform.output_shape());
  return result;
}

/// The same for a transform that is made for the picture.
[[nodiscard]] inline cv::Mat applied(const transform_component& what, const settings& given, const cv::Mat& image,
                                     const draw& ids = {}, std::string* note = nullptr) {
  return applied(*made(what, given, shape_of(image)), image, ids, note);
}

/// Whether two pictures have the same shape, type and bytes.
[[nodiscard]] inline bool same_pixels(const cv::Mat& a, const cv::Mat& b) {
  if (a.size() != b.size() || a.type() != b.type())
    return false;
  const auto row_bytes = static_cast<std::size_t>(a.cols) * a.elemSize();
  for (int y = 0; y < a.rows; ++y)
    if (std::memcmp(a.ptr(y), b.ptr(y), row_bytes) != 0)
      return false;
  return true;
}

/// Whether equal ids give equal bytes: again, in another order, and from 2 and 8 threads that share the transform.
[[nodiscard]] inline bool is_deterministic(const sample_transform& transform, const cv::Mat& image,
                                           std::uint64_t num_samples = 16) {
  const auto pictures = [&](bool backwards) {
    std::vector<cv::Mat> all(num_samples);
    for (std::uint64_t i = 0; i < num_samples; ++i) {
      const auto id = backwards ? num_samples - 1 - i : i;
      all[id] = applied(transform, image, {.seed = 7, .epoch = 3, .id = id});
    }
    return all;
  };
  const auto once = pictures(false);
  const auto equal = [&once](const std::vector<cv::Mat>& x) {
    return std::equal(x.begin(), x.end(), once.begin(), once.end(), same_pixels);
  };
  if (!equal(pictures(true)))
    return false;
  for (const int num_threads : {2, 8}) {
    std::vector<std::future<std::vector<cv::Mat>>> threads;
    for (int i = 0; i < num_threads; ++i)
      threads.push_back(std::async(std::launch::async, pictures, i % 2 == 1));
    for (auto& each : threads)
      if (!equal(each.get()))
        return false;
  }
  return true;
}

[[nodiscard]] inline bool is_deterministic(const transform_component& what, const settings& given,
                                           const cv::Mat& image) {
  return is_deterministic(*made(what, given, shape_of(image)), image);
}

/// The picture in a file's bytes. Throws std::runtime_error if the decoder does not recognise them.
[[nodiscard]] inline cv::Mat decoded(const sample_decoder& decoder, std::span<const std::byte> bytes) {
  if (!decoder.recognises(bytes))
    throw std::runtime_error("the decoder does not recognise the bytes");
  const auto shape = decoder.shape(bytes);
  cv::Mat image;
  decoder.decode(bytes, image);
  check_shape(image, shape);
  return image;
}

} // namespace troupe::testing
