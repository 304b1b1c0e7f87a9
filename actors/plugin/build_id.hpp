/// What a plugin was built with, so that one that does not fit is refused before anything of it is called.
#pragma once

#include "actors/support/components/component_registry.hpp"
#include "messages/batch_buffer.hpp"
#include "messages/flow.hpp"

#include <caf/config.hpp>
#include <opencv2/core/version.hpp>

#include <cstdint>

namespace troupe {

/// Raised whenever something that plugins see changes.
inline constexpr std::uint32_t plugin_api_version = 1;

/// One word for the sizes of what crosses the border: other headers than the program's give another one.
[[nodiscard]] constexpr std::uint64_t plugin_layout_id() noexcept {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::size_t size :
       {sizeof(encoded_sample),     sizeof(encoded_chunk),  sizeof(chunk_ready),   sizeof(chunk_done),
        sizeof(slice_filled),       sizeof(samples_wanted), sizeof(samples_found), sizeof(batch_slice),
        sizeof(batch_ref),          sizeof(batch_layout),   sizeof(bad_sample),    sizeof(step_report),
        sizeof(validation_report),  sizeof(parameter_spec), sizeof(parameters),    sizeof(component_info),
        sizeof(component_registry), sizeof(image_shape),    sizeof(sample_rng),    sizeof(model_io)})
    hash = (hash ^ size) * 0x100000001b3;
  return hash;
}

/// Compiler and ABI, libraries and their versions: "g++ 12, ABI 1017, C++11 strings; CAF 0.17.6; OpenCV 4.6.0; ...". All
/// in a literal, so that it can be read from a plugin without calling it.
#define TROUPE_TEXT_2(x) #x
#define TROUPE_TEXT(x) TROUPE_TEXT_2(x)
#if defined(__clang__)
#define TROUPE_COMPILER "clang " TROUPE_TEXT(__clang_major__)
#else
#define TROUPE_COMPILER "g++ " TROUPE_TEXT(__GNUC__)
#endif
#if defined(__SANITIZE_ADDRESS__)
#define TROUPE_SANITIZERS ", AddressSanitizer"
#else
#define TROUPE_SANITIZERS ""
#endif
#define TROUPE_BUILD_ID                                                                                                \
  TROUPE_COMPILER ", C++ ABI " TROUPE_TEXT(__GXX_ABI_VERSION) ", C++11 strings " TROUPE_TEXT(_GLIBCXX_USE_CXX11_ABI)   \
    TROUPE_SANITIZERS "; CAF " TROUPE_TEXT(CAF_VERSION) "; OpenCV " CV_VERSION

} // namespace troupe
