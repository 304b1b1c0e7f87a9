/// The image files of a folder that has a sub-folder for each class: found by a scan, or by one of an earlier run.
#pragma once

#include "actors/loader/datasets/path_list.hpp"
#include "actors/support/expected.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// Why a scan passed something by.
enum class passed_by : std::uint8_t {
  not_an_image,  ///< A file whose extension is not that of an image.
  clutter,       ///< A dot-entry or __MACOSX.
  outside_class, ///< A file beside the class folders.
  dead_link,     ///< A symbolic link to nothing.
  known_folder,  ///< A link to a folder that the class has already: following it might never end.
  not_a_file,    ///< A pipe, socket or device with the name of an image.
};
constexpr std::size_t num_passed_by = 6;

struct passed_tally {
  std::uint64_t count = 0;
  std::string example; ///< Path from the root on: the first by its bytes.

  void add(std::string_view path);
  void add(const passed_tally& other);
};

using passed_tallies = std::array<passed_tally, num_passed_by>;

struct class_folder {
  std::string name;
  std::uint64_t num_files = 0;
};

struct scanned_folder {
  std::string path;          ///< From the root on; empty: the root itself.
  std::int64_t mtime_ns = 0; ///< Time of its last change, read before its entries.
};

/// Ordered by the bytes of the names, so that every machine has the same: classes, and the files of each.
struct file_index {
  std::vector<class_folder> classes; ///< Also those without files.
  path_list files;                   ///< "class/.../file", class after class.
  std::vector<std::uint64_t> sizes;  ///< Bytes of each file.
  std::vector<scanned_folder> folders;
  passed_tallies passed;
};

/// Returns what is in `root`: every folder in it is a class, every image file in or below that, symbolic links followed,
/// is one of its samples. Reads names and sizes only, many folders at a time.
/// Errors: not_found, io_error.
[[nodiscard]] expected<file_index> scan_class_folders(const std::string& root);

/// Returns a sentence for each kind of thing that was passed by.
[[nodiscard]] std::vector<std::string> describe(const passed_tallies& passed);

} // namespace troupe
