#include "actors/loader/datasets/sample_file.hpp"

#include "actors/loader/datasets/file_names.hpp"
#include "actors/loader/datasets/parallel_tasks.hpp"
#include "actors/support/file_io.hpp"

#include <algorithm>
#include <filesystem>
#include <sys/stat.h>

namespace troupe {

namespace {

/// No decoder takes more.
constexpr std::size_t max_sample_bytes = (std::size_t{1} << 31) - 1;

failure of_loader(const failure& x) {
  return {x.code, "loader: " + printable_path(x.context)};
}

} // namespace

expected<file_bytes> read_sample_file(const std::string& path) {
  auto file = input_file::open(path, checksumming::off);
  if (!file)
    return of_loader(file.error());
  const auto size = static_cast<std::size_t>(file->num_bytes());
  if (size == 0)
    return failure{ec::bad_data, "loader: " + printable_path(path) + ": empty file, expected an image or data"};
  if (size > max_sample_bytes)
    return failure{ec::bad_data, "loader: " + printable_path(path) + ": has " + std::to_string(size)
                                   + " bytes, expected at most " + std::to_string(max_sample_bytes)};
  const auto buffer = std::make_shared_for_overwrite<std::byte[]>(size);
  if (auto ok = file->read({buffer.get(), size}); !ok)
    return of_loader(ok.error());
  return file_bytes{{buffer.get(), size}, buffer};
}

std::string absolute_path(const std::string& root, const std::string& path) {
  const auto joined = std::filesystem::path(root) / path;
  auto full = std::filesystem::absolute(joined.empty() ? "." : joined);
  if (std::find(full.begin(), full.end(), "..")
      == full.end()) // Behind a link, ".." is not the folder written before it.
    full = full.lexically_normal();
  auto out = full.string();
  if (out.size() > 1 && out.back() == '/')
    out.pop_back();
  return out;
}

std::string path_in(const std::string& root, std::string_view path) {
  if (path.substr(0, 1) == "/")
    return std::string(path);
  std::string out;
  out.reserve(root.size() + 1 + path.size());
  return out.append(root).append("/").append(path);
}

std::vector<std::uint64_t> sizes_of(const std::string& root, const path_list& files) {
  constexpr std::size_t per_job = 1024;
  const auto parts = parallel_tasks((files.size() + per_job - 1) / per_job, [&](std::size_t job) {
    std::vector<std::uint64_t> sizes;
    for (auto i = job * per_job; i < std::min(files.size(), (job + 1) * per_job); ++i) {
      struct stat about = {};
      const bool found = ::stat(path_in(root, files[i]).c_str(), &about) == 0 && S_ISREG(about.st_mode);
      sizes.push_back(found ? static_cast<std::uint64_t>(about.st_size) : 0);
    }
    return sizes;
  });
  std::vector<std::uint64_t> out;
  out.reserve(files.size());
  for (const auto& part : parts)
    out.insert(out.end(), part.begin(), part.end());
  return out;
}

} // namespace troupe
