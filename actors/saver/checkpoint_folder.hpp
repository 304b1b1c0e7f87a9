/// The folder of a run's checkpoints: what is in it, its links, and its tidying.
/// One process writes to it; within that process one thread calls these functions.
///
///     step-000000400-v0001-20261130T190301Z/   a checkpoint: see `checkpoint_manifest.hpp` for its files
///     step-000000800-v0002-20261130T190401Z/
///     latest -> step-000000800-v0002-...       links, relative, replaced at one stroke
///     best -> step-000000400-v0001-...
///     .tmp-...  .del-...                       half written, half deleted: never looked at, removed at the next start
#pragma once

#include "actors/support/expected.hpp"
#include "messages/snapshot.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace troupe {

inline constexpr const char* latest_link = "latest";
inline constexpr const char* best_link = "best";

/// A checkpoint as its name and manifest describe it; its other files have not been looked at.
struct checkpoint_entry {
  std::string name;
  std::string path;
  snapshot_tag tag; ///< From the manifest; of a damaged checkpoint just step and version, from the name.
  bool has_training_state = false;
  std::uint64_t num_bytes = 0; ///< Of all files but the manifest.
  std::string damage;          ///< Why the manifest cannot be trusted; empty if it can.
};

/// All checkpoints in `folder`, damaged ones too, the newest last: by version, which ascends for as long as the run
/// lives, then by step. (After a resume from an older checkpoint the steps start over from there, the versions do not.)
/// A folder that does not exist has none.
expected<std::vector<checkpoint_entry>> list_checkpoints(const std::string& folder);

/// Reads the entry of the checkpoint at `path`; a manifest that does not verify is its `damage`.
checkpoint_entry read_checkpoint_entry(const std::string& path);

/// The first version that nothing in `folder` has used, unfinished and half deleted checkpoints included.
expected<std::uint64_t> next_version(const std::string& folder);

/// Points the link `link` (`latest_link`, `best_link`) at the checkpoint called `name`, durably.
expected<void> publish_link(const std::string& folder, const std::string& link, const std::string& name);

/// Name of the checkpoint that the link points at; `not_found` without a link.
expected<std::string> linked_checkpoint(const std::string& folder, const std::string& link);

/// Those of `entries` (the newest last) that need not be kept. The newest `keep_last` with training state stay, so does
/// the same number of those with weights alone, and any whose name is in `protected_names`. Damaged ones count for
/// nothing; they go when all that is kept with training state is newer. Pure.
/// @pre `keep_last >= 1`
[[nodiscard]] std::vector<checkpoint_entry> to_delete(const std::vector<checkpoint_entry>& entries,
                                                      std::uint64_t keep_last,
                                                      const std::set<std::string>& protected_names);

/// Deletes the checkpoint. It loses its name first, durably, so that no crash leaves half of it looking like a whole.
expected<void> delete_checkpoint(const checkpoint_entry& entry);

/// Removes what killed processes left unfinished and returns how many such things there were. Call before any writer
/// is at work.
expected<std::uint64_t> clean_temp_folders(const std::string& folder);

/// Makes `folder` if need be and proves that it can be written to: a file is written, synced and removed. `io_error` if
/// not, or if fewer than `needed_bytes` are free.
expected<void> probe_folder(const std::string& folder, std::uint64_t needed_bytes = 0);

} // namespace troupe
