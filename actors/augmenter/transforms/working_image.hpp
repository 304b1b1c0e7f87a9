/// An image on its way through a list of transforms, without a copy, an allocation or a decoded pixel that could be spared.
#pragma once

#include "actors/support/expected.hpp"
#include "actors/support/image_shape.hpp"
#include "actors/support/imaging/image_decoder.hpp"
#include "actors/support/imaging/resize.hpp"

#include <array>
#include <cstdint>
#include <opencv2/core/mat.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace troupe {

/// The current pixels: 8 or 16 bits, channels interleaved. They start as somebody else's bytes, which are never written
/// to, or as an image file that is decoded when it has to be; what transforms write goes to two buffers in turn. The
/// buffers grow to the largest image and are kept.
class working_image {
public:
  /// Memory that outlives the images; one user at a time.
  struct scratch {
    std::array<std::vector<unsigned char>, 2> buffers;
    resize_scratch resizing;
  };

  /// Raw pixels of 8 bits. @pre `bytes` are `shape.num_elements()` and outlive this object, as do the scratch buffers.
  working_image(std::span<const std::byte> bytes, const image_shape& shape, scratch& memory);

  /// An image file. @pre all arguments outlive this object; `header` is that of `bytes`.
  working_image(std::span<const std::byte> bytes, const image_header& header, image_decoder& decoder, scratch& memory);

  /// Where the transform at work says what it drew or did: one line with units, without its name, such as "not flipped".
  /// nullptr, as long as nobody has begun a note: nothing is to be formatted.
  [[nodiscard]] std::string* note() noexcept { return note_ ? &*note_ : nullptr; }

  /// From now on there is a note, which is empty.
  void begin_note() { note_.emplace(); }

  /// Whose image it is, for those who ask; 0 and 0 until it has been said.
  [[nodiscard]] std::uint64_t sample() const noexcept { return sample_; }
  [[nodiscard]] std::uint64_t epoch() const noexcept { return epoch_; }
  void belongs_to(std::uint64_t sample, std::uint64_t epoch) noexcept {
    sample_ = sample;
    epoch_ = epoch;
  }

  /// Size of the current pixels; known before they are decoded.
  [[nodiscard]] cv::Size size() const noexcept;

  /// Decodes all of the image, if that has not been done.
  [[nodiscard]] expected<void> decode();

  /// The current pixels, perhaps a window into a larger image; read only. @pre decoded
  [[nodiscard]] const cv::Mat& pixels() const noexcept { return pixels_; }

  /// The same pixels in a buffer of ours, to change in place. @pre decoded
  [[nodiscard]] cv::Mat& writable();

  /// Cuts out `window`, which lies inside the image: no copy of pixels, and of a file no other pixels are decoded.
  [[nodiscard]] expected<void> crop(const cv::Rect& window);

  /// Cuts out `box`, which lies inside the image, and resizes it to `size`.
  [[nodiscard]] expected<void> resize(const cv::Rect& box, cv::Size size, interpolation filter, bool antialias);

  /// Calls `write(from, to)`, which makes new pixels of `size` out of the current ones; these are then the current ones.
  /// @pre decoded
  template <class Write>
  void replace(cv::Size size, Write write) {
    replace(size, pixels_.type(), write);
  }

  /// As above; the new pixels may have other channels and bits. @pre `type`: 8 or 16 bits unsigned, 1..4 channels
  template <class Write>
  void replace(cv::Size size, int type, Write write) {
    cv::Mat next = free_buffer(size, type);
    write(pixels_, next);
    take(next);
  }

private:
  [[nodiscard]] cv::Mat free_buffer(cv::Size size, int type);
  void take(const cv::Mat& next);

  std::span<const std::byte> file_; ///< Of an image that is not decoded yet; else empty.
  const image_header* header_ = nullptr;
  image_decoder* decoder_ = nullptr;
  cv::Mat pixels_;
  scratch& scratch_;
  std::optional<std::string> note_;
  std::uint64_t sample_ = 0;
  std::uint64_t epoch_ = 0;
  std::size_t free_ = 0; ///< The buffer that `pixels_` is not in.
  bool owned_ = false;   ///< `pixels_` are in a buffer of ours.
};

} // namespace troupe
