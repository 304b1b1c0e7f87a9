#include "actors/logger/append_file.hpp"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace troupe {

namespace {

failure make_failure(const std::string& path, std::string_view action, int error) {
  return {error == ENOENT ? ec::not_found : ec::io_error,
          "logger: " + path + ": cannot " + std::string(action) + ": " + std::generic_category().message(error)};
}

/// Writes everything; leaves errno set where it cannot.
bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0) {
      errno = n < 0 ? errno : EIO;
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

} // namespace

expected<append_file> append_file::open(std::string path, mode how) {
  const int flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | (how == mode::create ? O_EXCL : 0);
  int fd = -1;
  do
    fd = ::open(path.c_str(), flags, 0666);
  while (fd < 0 && errno == EINTR);
  if (fd < 0)
    return make_failure(path, how == mode::create ? "create" : "open for appending", errno);
  file_descriptor descriptor(fd);
  struct stat info {};
  if (::fstat(fd, &info) != 0)
    return make_failure(path, "read the size", errno);
  return append_file(std::move(path), std::move(descriptor), static_cast<std::uint64_t>(info.st_size));
}

expected<void> append_file::append(std::string_view bytes) {
  if (torn_)
    if (auto cut = cut_back(); !cut)
      return cut;
  if (!write_all(descriptor_.number(), bytes)) {
    auto why = system_failure("append");
    torn_ = true;
    (void)cut_back(); // Where it fails now, the next append tries again.
    return why;
  }
  num_bytes_ += bytes.size();
  return {};
}

expected<void> append_file::cut_back() {
  struct stat info {};
  if (::fstat(descriptor_.number(), &info) != 0)
    return system_failure("read the size");
  // Devices have no end to cut.
  if (S_ISREG(info.st_mode) && ::ftruncate(descriptor_.number(), static_cast<off_t>(num_bytes_)) != 0)
    return system_failure("cut off a torn record");
  torn_ = false;
  return {};
}

failure append_file::system_failure(std::string_view action) const {
  return make_failure(path_, action, errno);
}

} // namespace troupe
