/// A file that grows by whole records.
#pragma once

#include "actors/support/expected.hpp"
#include "actors/support/file_io.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace troupe {

/// A file open for appending. Owned by one thread. After a failed `append` the file ends where it ended before, or is
/// cut back to there by the next `append`: a half-written record is never followed by another one.
class append_file {
public:
  enum class mode : std::uint8_t {
    create, ///< The file must not exist yet.
    extend, ///< The file is created where it does not exist.
  };

  /// Fails with `io_error`, or `not_found` where the folder does not exist; names the path and what the system said.
  [[nodiscard]] static expected<append_file> open(std::string path, mode how);

  /// Adds `bytes` with one write(2), so that they are in the kernel when this returns; does not fsync. A short write is
  /// continued. Fails with `io_error`: disk full, file-size limit, I/O error.
  [[nodiscard]] expected<void> append(std::string_view bytes);

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  /// Bytes of whole records.
  [[nodiscard]] std::uint64_t num_bytes() const noexcept { return num_bytes_; }

private:
  append_file(std::string path, file_descriptor descriptor, std::uint64_t num_bytes)
    : path_(std::move(path)), descriptor_(std::move(descriptor)), num_bytes_(num_bytes) {}
  [[nodiscard]] expected<void> cut_back();
  [[nodiscard]] failure system_failure(std::string_view action) const;

  std::string path_;
  file_descriptor descriptor_;
  std::uint64_t num_bytes_ = 0;
  bool torn_ = false; ///< Bytes past `num_bytes_` may be in the file.
};

} // namespace troupe
