/// What a sample's image is and what its pixels are like, for reports.
#pragma once

#include "actors/support/expected.hpp"
#include "actors/support/imaging/decode_config.hpp"
#include "actors/support/imaging/image_format.hpp"
#include "messages/sample.hpp"

#include <array>
#include <cstdint>
#include <memory>

namespace troupe {

/// A good sample's image.
struct image_facts {
  image_format format = image_format::unknown; ///< Of the file, by its content; unknown for raw pixels.
  std::uint8_t channels = 0;                   ///< As stored: 1 grey or palette, 2 grey and alpha, 3, 4.
  std::uint8_t bits = 8;                       ///< Per channel, as stored.
  std::uint8_t orientation = 1;                ///< As EXIF says, 1..8.
  std::uint32_t width = 0;                     ///< In pixels, once it is turned as the config says.
  std::uint32_t height = 0;

  [[nodiscard]] bool is_cmyk() const noexcept { return channels == 4 && format == image_format::jpeg; }
  [[nodiscard]] bool has_alpha() const noexcept { return (channels == 2 || channels == 4) && !is_cmyk(); }
};

/// Of one image's decoded pixels, by channel, where full scale is 1. What there are no channels for is 0.
struct pixel_moments {
  std::uint8_t channels = 0;           ///< 1..4
  std::array<double, 4> mean{};        ///< Of the values.
  std::array<double, 4> mean_square{}; ///< Of their squares.
};

struct image_probe {
  image_facts facts;
  pixel_moments moments;
};

/// Looks at samples, one at a time, for one thread; keeps its memory from image to image.
class image_prober {
public:
  explicit image_prober(const decode_config& config);
  image_prober(image_prober&&) noexcept;
  image_prober& operator=(image_prober&&) noexcept;
  ~image_prober();

  /// Does to the sample what has to be done before it can be transformed, to the whole of its image: header, limits,
  /// decoding. Errors as `image_decoder` has them; bad_data for raw pixels whose bytes do not fit
  /// their shape.
  [[nodiscard]] expected<image_probe> probe(const encoded_sample& sample);

private:
  struct state;
  std::unique_ptr<state> state_;
};

} // namespace troupe
