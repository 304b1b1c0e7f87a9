/// Files as POSIX has them, with every call checked: what a durable checkpoint is made of.
/// A failure names the call, the path and the system's reason: `not_found` where a path does not exist, `corrupt` where
/// a file is shorter or larger than it must be, else `io_error`. All calls block.
#pragma once

#include "actors/support/expected.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace troupe {

/// Owns a file descriptor; closes it, unchecked, when it goes.
class file_descriptor {
public:
  file_descriptor() = default;
  explicit file_descriptor(int fd) noexcept : fd_(fd) {}
  file_descriptor(file_descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  file_descriptor& operator=(file_descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~file_descriptor();

  [[nodiscard]] int number() const noexcept { return fd_; }
  [[nodiscard]] int release() noexcept { return std::exchange(fd_, -1); }

private:
  int fd_ = -1;
};

/// A new file, written from its first byte to its last, that knows its size and CRC-32C.
/// Durable once `sync`, `close` and `sync_folder` of its folder have all returned without a failure. After any failure
/// the file is worthless and must be deleted: a failed fsync may have dropped what was written, and trying again would
/// report success.
class output_file {
public:
  /// Makes the file. One that is already there is an `io_error`; it is left alone.
  static expected<output_file> create(const std::string& path);

  /// Appends all of `bytes`.
  expected<void> write(std::span<const std::byte> bytes);
  expected<void> write(std::string_view text) { return write(std::as_bytes(std::span{text})); }

  /// Waits until the device has the file's bytes.
  expected<void> sync();

  /// Closes the file and reports what the system kept for the last moment. Nothing may be called afterwards.
  expected<void> close();

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] std::uint64_t num_bytes() const noexcept { return num_bytes_; }
  [[nodiscard]] std::uint32_t checksum() const noexcept { return checksum_; }

private:
  output_file(file_descriptor fd, std::string path) : fd_(std::move(fd)), path_(std::move(path)) {}

  file_descriptor fd_;
  std::string path_;
  std::uint64_t num_bytes_ = 0;
  std::uint32_t checksum_ = 0;
};

/// Whether a file's checksum is computed while it is read.
enum class checksumming : std::uint8_t { on, off };

/// A regular file, read from its first byte on.
class input_file {
public:
  static expected<input_file> open(const std::string& path, checksumming how = checksumming::on);

  /// Fills all of `bytes`; `corrupt` if the file ends before that.
  expected<void> read(std::span<std::byte> bytes);

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  /// Size of the whole file when it was opened.
  [[nodiscard]] std::uint64_t num_bytes() const noexcept { return num_bytes_; }
  /// CRC-32C of what has been read so far; 0 without checksumming.
  [[nodiscard]] std::uint32_t checksum() const noexcept { return checksum_; }

private:
  input_file(file_descriptor fd, std::string path, std::uint64_t num_bytes, checksumming how)
    : fd_(std::move(fd)), path_(std::move(path)), num_bytes_(num_bytes), how_(how) {}

  file_descriptor fd_;
  std::string path_;
  std::uint64_t num_bytes_ = 0;
  std::uint32_t checksum_ = 0;
  checksumming how_;
};

/// The whole file; `corrupt` if it has more than `max_bytes` bytes.
expected<std::string> read_file(const std::string& path, std::uint64_t max_bytes);

/// Makes the file, with these bytes, durable but for its name in the folder (see `sync_folder`).
expected<void> write_new_file(const std::string& path, std::string_view bytes);

/// Puts a file with these bytes in the place of `path`: after a crash the old one or the new one is there, whole.
expected<void> replace_file(const std::string& path, std::string_view bytes);

/// Points the symbolic link `path` at `target`: after a crash it points at the old target or at the new one.
expected<void> replace_link(const std::string& path, const std::string& target);

/// Waits until the device knows the names in the folder.
expected<void> sync_folder(const std::string& path);

/// Makes the folder and those above it that are missing, durably. One that is there already is fine.
expected<void> make_folders(const std::string& path);

/// Makes one folder; it must not be there yet.
expected<void> make_new_folder(const std::string& path);

/// Renames a file or folder; not durable before `sync_folder` of the folder it lies in.
expected<void> rename_path(const std::string& from, const std::string& to);

/// Deletes a file, a link or a folder with all that is in it. One that is not there is fine.
expected<void> remove_path(const std::string& path);

/// Bytes that an unprivileged user can still write on the file system of `path`.
expected<std::uint64_t> free_bytes(const std::string& path);

} // namespace troupe
