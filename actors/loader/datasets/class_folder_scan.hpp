/// The files of one class: what `scan_class_folders` does for each, side by side.
#pragma once

#include "actors/loader/datasets/file_index.hpp"

#include <compare>
#include <string>
#include <vector>

#include <sys/types.h>

struct stat;

namespace troupe {

/// What a folder is, whatever it is called.
struct folder_identity {
  dev_t device = 0;
  ino_t inode = 0;
  friend auto operator<=>(const folder_identity&, const folder_identity&) = default;
};

struct class_scan {
  path_list files; ///< In order of their bytes.
  std::vector<std::uint64_t> sizes;
  std::vector<scanned_folder> folders;
  passed_tallies passed;
};

/// Returns the image files in and below `root`/`name`. Each folder is visited once: as a folder rather than through a
/// link, else through the first of its links. `root_identity`: a link back to the root is not followed.
[[nodiscard]] expected<class_scan> scan_class(const std::string& root, const std::string& name,
                                              folder_identity root_identity);

[[nodiscard]] folder_identity identity_of(const struct stat& about) noexcept;
[[nodiscard]] std::int64_t mtime_ns_of(const struct stat& about) noexcept;

} // namespace troupe
