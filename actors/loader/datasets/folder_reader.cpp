#include "actors/loader/datasets/folder_reader.hpp"

#include "actors/loader/datasets/file_names.hpp"

#include <cerrno>
#include <string_view>
#include <system_error>

namespace troupe {

namespace {

failure refused(const char* what, const std::string& path, int error) {
  const auto code = error == ENOENT || error == ENOTDIR ? ec::not_found : ec::io_error;
  return {code, "loader: " + printable_path(path) + ": cannot " + what
                  + " folder: " + std::generic_category().message(error)};
}

} // namespace

expected<folder_reader> folder_reader::open(const std::string& path) {
  auto* folder = ::opendir(path.c_str());
  if (folder == nullptr)
    return refused("open", path, errno);
  folder_reader out(path, folder);
  if (::fstat(::dirfd(folder), &out.about_) != 0)
    return refused("stat", path, errno);
  return out;
}

expected<const dirent*> folder_reader::next() {
  for (;;) {
    errno = 0;
    const auto* entry = ::readdir(folder_.get());
    if (entry == nullptr && errno != 0)
      return refused("read", path_, errno);
    if (entry == nullptr)
      return entry;
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..")
      return entry;
  }
}

std::optional<struct stat> folder_reader::about(const char* name) const noexcept {
  struct stat about = {};
  if (::fstatat(::dirfd(folder_.get()), name, &about, 0) != 0)
    return std::nullopt;
  return about;
}

} // namespace troupe
