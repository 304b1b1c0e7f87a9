/// Image files to pixels: one canonical result, whatever the file was.
#pragma once

#include "actors/support/expected.hpp"
#include "actors/support/imaging/decode_config.hpp"
#include "actors/support/imaging/image_header.hpp"

#include <cstddef>
#include <memory>
#include <opencv2/core/mat.hpp>
#include <span>

namespace troupe {

/// Pixels that cover a region of an image, perhaps at a smaller scale.
struct decoded_region {
  /// CV_8UC or CV_16UC, RGB or grey, oriented. Memory of the decoder: valid until its next call, not to be written to.
  cv::Mat pixels;
  /// Where the region lies in `pixels`, in their coordinates; its edges may fall between pixels.
  cv::Rect2d region;
};

class plugin_decoders;

/// Decodes images, one at a time, for one thread; keeps its memory from image to image.
class image_decoder {
public:
  /// With plugins' decoders of its own, if there are any; if they cannot be made, no file has a header.
  explicit image_decoder(const decode_config& config = {});
  /// With decoders that it shares with others, made of `config.formats`; null: none.
  image_decoder(const decode_config& config, std::shared_ptr<const plugin_decoders> plugins);
  image_decoder(image_decoder&&) noexcept;
  image_decoder& operator=(image_decoder&&) noexcept;
  ~image_decoder();

  /// Returns the header of an image file: that of the plugin's decoder that recognises it, else that of
  /// `read_image_header`. Errors: as there; plugin_failed.
  [[nodiscard]] expected<image_header> read_header(std::span<const std::byte> bytes) const;

  /// Checks an image against the limits before anything is decoded. Errors: bad_data.
  [[nodiscard]] expected<void> check_limits(const image_header& header, std::size_t num_bytes) const;

  /// Decodes the whole image. Errors: corrupt for data that are damaged or end early (never a half-grey image),
  /// unsupported, bad_data for an image past the limits, plugin_failed. Exceptions of OpenCV never leave. Memory as in
  /// `decoded_region`. @pre `header` is what `read_header` gave
  [[nodiscard]] expected<cv::Mat> decode(std::span<const std::byte> bytes, const image_header& header);

  /// Decodes `region` (oriented coordinates, not empty, inside the image), which is going to be resized to `target`; no
  /// more than the whole pixels that it touches come back. With `scaled_jpeg` a JPEG comes at the smallest of 1/1, 1/2,
  /// 1/4, 1/8 that leaves the region at least as large as `target` in both directions; else, and for all other formats,
  /// at full scale. What lies outside of the region is not decoded where the format allows it: damage below the region
  /// may go unnoticed.
  [[nodiscard]] expected<decoded_region> decode_region(std::span<const std::byte> bytes, const image_header& header,
                                                       const cv::Rect& region, cv::Size target);

private:
  struct state;
  std::unique_ptr<state> state_;
};

} // namespace troupe
