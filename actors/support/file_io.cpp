#include "actors/support/file_io.hpp"

#include "actors/support/crc32c.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace troupe {

namespace {

// Checksum and write go through the file in pieces that stay in the cache between the two.
constexpr std::size_t piece_bytes = 1u << 20;

failure system_failure(const std::string& what, const std::string& path, int error) {
  auto code = error == ENOENT ? ec::not_found : ec::io_error;
  return {code, "cannot " + what + " " + path + ": " + std::generic_category().message(error) + " (errno "
                  + std::to_string(error) + ")"};
}

int open_retrying(const std::string& path, int flags) noexcept {
  constexpr mode_t as_umask_says = 0666;
  int fd;
  do
    fd = ::open(path.c_str(), flags | O_CLOEXEC, as_umask_says);
  while (fd < 0 && errno == EINTR);
  return fd;
}

// On Linux the descriptor is gone whatever close says, so there is nothing to retry; EINTR loses no data that an fsync
// has seen.
expected<void> close_checked(file_descriptor& fd, const std::string& path) {
  if (::close(fd.release()) != 0 && errno != EINTR)
    return system_failure("close", path, errno);
  return {};
}

expected<void> sync_checked(const file_descriptor& fd, const std::string& path) {
  if (::fsync(fd.number()) != 0)
    return system_failure("fsync", path, errno);
  return {};
}

expected<void> write_all(const file_descriptor& fd, std::span<const std::byte> bytes, const std::string& path) {
  while (!bytes.empty()) {
    auto written = ::write(fd.number(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return system_failure("write", path, written < 0 ? errno : EIO);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return {};
}

bool is_folder(const std::string& path) noexcept {
  struct stat about = {};
  return ::stat(path.c_str(), &about) == 0 && S_ISDIR(about.st_mode);
}

std::string parent_of(const std::string& path) {
  auto parent = std::filesystem::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

std::string temporary_beside(const std::string& path) {
  return parent_of(path) + "/.tmp-" + std::filesystem::path(path).filename().string() + "-"
         + std::to_string(::getpid());
}

// Renames `temporary` to `path` and makes that durable, or leaves `path` as it was and `temporary` gone.
expected<void> move_into_place(const std::string& temporary, const std::string& path) {
  if (auto moved = rename_path(temporary, path); !moved) {
    ::unlink(temporary.c_str());
    return moved;
  }
  return sync_folder(parent_of(path));
}

} // namespace

file_descriptor::~file_descriptor() {
  if (fd_ >= 0)
    ::close(fd_);
}

expected<output_file> output_file::create(const std::string& path) {
  file_descriptor fd{open_retrying(path, O_WRONLY | O_CREAT | O_EXCL)};
  if (fd.number() < 0)
    return system_failure("create", path, errno);
  return output_file{std::move(fd), path};
}

expected<void> output_file::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    auto piece = bytes.first(std::min(bytes.size(), piece_bytes));
    checksum_ = crc32c(piece, checksum_);
    if (auto written = write_all(fd_, piece, path_); !written)
      return written;
    num_bytes_ += piece.size();
    bytes = bytes.subspan(piece.size());
  }
  return {};
}

expected<void> output_file::sync() {
  return sync_checked(fd_, path_);
}

expected<void> output_file::close() {
  return close_checked(fd_, path_);
}

expected<input_file> input_file::open(const std::string& path, checksumming how) {
  // Without O_NONBLOCK a pipe of that name would wait for a writer for ever; regular files do not know the flag.
  file_descriptor fd{open_retrying(path, O_RDONLY | O_NONBLOCK)};
  if (fd.number() < 0)
    return system_failure("open", path, errno);
  struct stat about = {};
  if (::fstat(fd.number(), &about) != 0)
    return system_failure("stat", path, errno);
  if (!S_ISREG(about.st_mode))
    return failure{ec::io_error, "cannot read " + path + ": not a regular file"};
  return input_file{std::move(fd), path, static_cast<std::uint64_t>(about.st_size), how};
}

expected<void> input_file::read(std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    auto count = ::read(fd_.number(), bytes.data(), std::min(bytes.size(), piece_bytes));
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return system_failure("read", path_, errno);
    if (count == 0)
      return failure{ec::corrupt, path_ + ": ends " + std::to_string(bytes.size()) + " bytes too early"};
    auto piece = bytes.first(static_cast<std::size_t>(count));
    if (how_ == checksumming::on)
      checksum_ = crc32c(piece, checksum_);
    bytes = bytes.subspan(piece.size());
  }
  return {};
}

expected<std::string> read_file(const std::string& path, std::uint64_t max_bytes) {
  auto file = input_file::open(path);
  if (!file)
    return file.error();
  if (file->num_bytes() > max_bytes)
    return failure{ec::corrupt, path + ": has " + std::to_string(file->num_bytes()) + " bytes, expected at most "
                                  + std::to_string(max_bytes)};
  std::string bytes(static_cast<std::size_t>(file->num_bytes()), '\0');
  if (auto done = file->read(std::as_writable_bytes(std::span{bytes})); !done)
    return done.error();
  return bytes;
}

expected<void> write_new_file(const std::string& path, std::string_view bytes) {
  auto file = output_file::create(path);
  if (!file)
    return file.error();
  if (auto written = file->write(bytes); !written)
    return written;
  if (auto synced = file->sync(); !synced)
    return synced;
  return file->close();
}

expected<void> replace_file(const std::string& path, std::string_view bytes) {
  auto temporary = temporary_beside(path);
  ::unlink(temporary.c_str()); // Left by a process of the same number that was killed.
  if (auto written = write_new_file(temporary, bytes); !written) {
    ::unlink(temporary.c_str());
    return written;
  }
  return move_into_place(temporary, path);
}

expected<void> replace_link(const std::string& path, const std::string& target) {
  auto temporary = temporary_beside(path);
  ::unlink(temporary.c_str());
  if (::symlink(target.c_str(), temporary.c_str()) != 0)
    return system_failure("make the link", temporary, errno);
  return move_into_place(temporary, path);
}

expected<void> sync_folder(const std::string& path) {
  file_descriptor fd{open_retrying(path, O_RDONLY | O_DIRECTORY)};
  if (fd.number() < 0)
    return system_failure("open the folder", path, errno);
  if (auto synced = sync_checked(fd, path); !synced)
    return synced;
  return close_checked(fd, path);
}

expected<void> make_folders(const std::string& path) {
  if (is_folder(path))
    return {};
  auto parent = parent_of(path);
  if (parent != path && parent != ".")
    if (auto made = make_folders(parent); !made)
      return made;
  constexpr mode_t as_umask_says = 0777;
  if (::mkdir(path.c_str(), as_umask_says) != 0) {
    // "a/b/" has just been made as "a/b", or another process was quicker.
    if (auto error = errno; error != EEXIST || !is_folder(path))
      return system_failure("make the folder", path, error);
  }
  return sync_folder(parent);
}

expected<void> make_new_folder(const std::string& path) {
  constexpr mode_t as_umask_says = 0777;
  if (::mkdir(path.c_str(), as_umask_says) != 0)
    return system_failure("make the folder", path, errno);
  return {};
}

expected<void> rename_path(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) != 0)
    return system_failure("rename " + from + " to", to, errno);
  return {};
}

expected<void> remove_path(const std::string& path) {
  std::error_code error;
  std::filesystem::remove_all(path, error);
  if (error)
    return system_failure("delete", path, error.value());
  return {};
}

expected<std::uint64_t> free_bytes(const std::string& path) {
  struct statvfs about = {};
  if (::statvfs(path.c_str(), &about) != 0)
    return system_failure("ask for the free space of", path, errno);
  return static_cast<std::uint64_t>(about.f_bavail) * about.f_frsize;
}

} // namespace troupe
