/// Names in a checkpoint folder: "step-000001200-v0003-20261130T190501Z" and what is only on its way there or out.
#pragma once

#include "messages/snapshot.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace troupe {

/// What starts the name of something unfinished: being written, or being deleted. Never taken for a checkpoint.
inline constexpr std::string_view temporary_prefix = ".tmp-";
inline constexpr std::string_view deleted_prefix = ".del-";

/// The folder's name for this snapshot, saved at `now` (written in UTC, to the second). Two snapshots of a run never
/// share one, since no two share a version.
[[nodiscard]] std::string checkpoint_name(const snapshot_tag& tag, std::chrono::system_clock::time_point now);

struct checkpoint_number {
  std::uint64_t step = 0;
  std::uint64_t version = 0;
};

/// Reads step and version from a name that `checkpoint_name` made; nothing for any other name.
[[nodiscard]] std::optional<checkpoint_number> parse_checkpoint_name(std::string_view name);

} // namespace troupe
