/// Formats of image files that plugins have brought.
#pragma once

#include "actors/support/components/parameters.hpp"
#include "actors/support/components/plugin_guard.hpp"
#include "actors/support/components/sample_decoder.hpp"
#include "actors/support/expected.hpp"
#include "actors/support/imaging/codecs/opencv_decoder.hpp"
#include "actors/support/imaging/image_header.hpp"

#include <cstddef>
#include <memory>
#include <opencv2/core/mat.hpp>
#include <optional>
#include <span>
#include <vector>

namespace troupe {

/// All decoders of the registry, ready to be used. Immutable, but for which of them are disabled; any number of threads
/// share them.
class plugin_decoders {
public:
  /// Makes them, with the parameters in `formats` where those name them, else with their defaults. Null if there are none:
  /// then asking costs nothing. Errors: bad_config for what a plugin throws, and for a name that no plugin has brought.
  static expected<std::shared_ptr<const plugin_decoders>> make(const std::vector<component_use>& formats);

  /// Header of a file that one of them recognises; the first one counts. Nothing if none does. Errors: plugin_failed.
  [[nodiscard]] expected<std::optional<image_header>> read_header(std::span<const std::byte> bytes) const;

  /// Decodes the whole image, in memory of its own: grey repeated or colours made grey, 8-bit values v spread to 257 v and
  /// 16-bit ones shrunk back, as `wanted` says. Errors: plugin_failed; unsupported where there is no memory for it.
  /// @pre `header` is what `read_header` gave
  [[nodiscard]] expected<cv::Mat> decode(std::span<const std::byte> bytes, const image_header& header,
                                         const pixel_layout& wanted) const;

private:
  struct entry {
    image_format format;
    std::unique_ptr<sample_decoder> decoder;
    std::unique_ptr<plugin_guard> guard;
  };

  static expected<entry> make_entry(std::size_t place, const std::vector<component_use>& formats);
  [[nodiscard]] static expected<image_header> header_of(const entry& which, std::span<const std::byte> bytes);

  std::vector<entry> entries_; ///< As the registry's.
};

} // namespace troupe
