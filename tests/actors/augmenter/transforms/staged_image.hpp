/// Images to transform, with the memory that they need beside them.
#pragma once

#include "actors/augmenter/transforms/transform.hpp"
#include "actors/support/imaging/image_decoder.hpp"

#include <memory>
#include <opencv2/imgcodecs.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace troupe::testing {

/// Pixels of 8 bits. @pre `pixels` are continuous and outlive it.
struct staged_image {
  explicit staged_image(const cv::Mat& pixels)
    : shape{pixels.channels(), pixels.rows, pixels.cols},
      image({reinterpret_cast<const std::byte*>(pixels.data), shape.num_elements()}, shape, memory) {}

  image_shape shape;
  working_image::scratch memory;
  working_image image;
};

/// The same pixels as an undecoded PNG file, of 8 or 16 bits, grey or RGB.
struct staged_file {
  explicit staged_file(const cv::Mat& pixels)
    : shape{pixels.channels(), pixels.rows, pixels.cols, pixels.depth() == CV_8U ? 8 : 16}, bytes(png_of(pixels)),
      header(header_of(bytes)), decoder({.channels = shape.channels, .bits = shape.bits}),
      image(bytes, header, decoder, memory) {}

  static std::vector<std::byte> png_of(const cv::Mat& pixels) {
    cv::Mat stored = pixels.clone();
    if (pixels.channels() == 3) {
      const std::array from_to{0, 2, 1, 1, 2, 0};
      cv::mixChannels(&pixels, 1, &stored, 1, from_to.data(), 3);
    }
    std::vector<unsigned char> file;
    cv::imencode(".png", stored, file);
    const auto* first = reinterpret_cast<const std::byte*>(file.data());
    return {first, first + file.size()};
  }

  static image_header header_of(const std::vector<std::byte>& bytes) {
    auto header = read_image_header(bytes);
    if (!header)
      throw std::runtime_error(to_string(header.error()));
    return *header;
  }

  image_shape shape;
  std::vector<std::byte> bytes;
  image_header header;
  image_decoder decoder;
  working_image::scratch memory;
  working_image image;
};

/// Returns what the transform makes of the image; `id` chooses the randomness. `note` gets what it says of it.
template <class Stage = staged_image>
cv::Mat transformed(const transform& step, const cv::Mat& pixels, std::uint64_t id = 0, std::string* note = nullptr) {
  Stage staged(pixels);
  if (note != nullptr)
    staged.image.begin_note();
  sample_rng rng(1, 0, id, 0);
  auto ok = step.takes_undecoded() ? expected<void>() : staged.image.decode();
  if (ok)
    ok = step.apply(staged.image, rng);
  if (ok)
    ok = staged.image.decode();
  if (!ok)
    throw std::runtime_error(to_string(ok.error()));
  if (note != nullptr)
    *note = *staged.image.note();
  return staged.image.pixels().clone();
}

} // namespace troupe::testing
