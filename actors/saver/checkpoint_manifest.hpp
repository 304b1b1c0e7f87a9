/// MANIFEST.json: the list of a checkpoint's files, written last. Without one that verifies there is no checkpoint.
#pragma once

#include "actors/support/expected.hpp"
#include "messages/snapshot.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace troupe {

/// The files of a checkpoint.
inline constexpr const char* weights_file = "model.safetensors";
inline constexpr const char* optimizer_file = "optimizer.safetensors";     ///< Only with training state.
inline constexpr const char* attachments_file = "attachments.safetensors"; ///< Only if there are any.
inline constexpr const char* state_file = "state.json";
inline constexpr const char* config_file = "config.yaml";
inline constexpr const char* classes_file = "classes.txt";
inline constexpr const char* manifest_file = "MANIFEST.json";

inline constexpr std::uint64_t max_manifest_bytes = 1u << 20;

struct file_digest {
  std::uint64_t num_bytes = 0;
  std::uint32_t crc32c = 0;
  friend bool operator==(const file_digest&, const file_digest&) = default;
};

struct checkpoint_manifest {
  snapshot_tag tag;
  bool has_training_state = false;
  std::map<std::string, file_digest> files; ///< By name; all of the above but the manifest itself.

  [[nodiscard]] std::uint64_t num_bytes() const noexcept;
};

/// `mismatch` if the run's name is not UTF-8.
expected<std::string> to_json(const checkpoint_manifest& manifest);

/// Reads a manifest and checks that it lists the files of a checkpoint and no others, so that no path of anybody's
/// choosing is opened. `corrupt` if not; `unsupported` for the format of a later version. The text has no path.
expected<checkpoint_manifest> parse_manifest(std::string_view json);

} // namespace troupe
