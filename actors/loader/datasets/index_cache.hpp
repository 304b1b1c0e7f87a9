/// Keeps the index of a large folder from one run to the next, so that opening it does not list a million files again.
#pragma once

#include "actors/loader/datasets/file_index.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace troupe {

/// Where indices are kept.
struct index_cache {
  std::string folder;               ///< Made when needed; empty: nothing is kept.
  std::uint64_t min_files = 10'000; ///< Listing fewer is fast enough.
};

/// Returns $XDG_CACHE_HOME/troupe/index, or the same in ~/.cache; no folder if there is neither.
[[nodiscard]] index_cache users_index_cache();

/// Returns what `scan_class_folders` does: from the cache if that has the folder and none of its sub-folders has changed
/// since, else by a scan, which the cache then learns. A cache that is damaged or cannot be written is as good as none.
/// Files that grew or shrank in place are not noticed, since that changes no folder. Errors: those of the scan.
[[nodiscard]] expected<file_index> find_class_folders(const std::string& root, const index_cache& cache);

/// The bytes of an index file, and back; nothing if they are damaged, of another version or for another root.
[[nodiscard]] std::string pack_index(const file_index& index, const std::string& root);
[[nodiscard]] std::optional<file_index> unpack_index(const std::string& bytes, const std::string& root);

} // namespace troupe
