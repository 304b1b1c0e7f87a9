/// Whole files into memory.
#pragma once

#include "actors/loader/datasets/path_list.hpp"
#include "actors/support/expected.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// The bytes of a file, kept alive by whoever holds `owner`.
struct file_bytes {
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;
};

/// Returns all of the file. Pipes, devices and folders are refused rather than waited for. Errors name the path, so make
/// it absolute: not_found, io_error, bad_data for an empty file, corrupt for one that shrinks meanwhile.
[[nodiscard]] expected<file_bytes> read_sample_file(const std::string& path);

/// Returns `path`, from the folder `root` on unless it is absolute itself, as an absolute path. Links stay links.
[[nodiscard]] std::string absolute_path(const std::string& root, const std::string& path);

/// Returns where a file of a list is: below `root`, unless its path is absolute.
[[nodiscard]] std::string path_in(const std::string& root, std::string_view path);

/// Returns the sizes of the files in bytes; 0 for what is not there or is no file. Looks at many at a time.
[[nodiscard]] std::vector<std::uint64_t> sizes_of(const std::string& root, const path_list& files);

} // namespace troupe
