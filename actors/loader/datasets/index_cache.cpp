#include "actors/loader/datasets/index_cache.hpp"

#include "actors/loader/datasets/class_folder_scan.hpp"
#include "actors/loader/datasets/parallel_tasks.hpp"
#include "actors/loader/user_cache.hpp"
#include "actors/support/file_io.hpp"
#include "actors/support/imaging/plugin_extensions.hpp"
#include "actors/support/rng.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <sys/stat.h>

namespace troupe {

namespace {

constexpr std::uint64_t max_index_bytes = std::uint64_t{8} << 30;

/// Folders younger than this may still change without showing it: some file systems count time in steps of two seconds.
constexpr std::chrono::nanoseconds min_age = std::chrono::seconds(3);

std::uint64_t hashed(std::uint64_t hash, std::string_view text) {
  for (unsigned char byte : text)
    hash = mix_bits(hash ^ (byte + 0x9E3779B97F4A7C15));
  return hash;
}

/// With plugins that decode files of other extensions, a folder has another index.
std::string index_path(const index_cache& cache, std::string_view root) {
  auto hash = hashed(0, root);
  for (const auto& [extension, format] : plugin_extensions())
    hash = hashed(hash, "/" + extension);
  std::array<char, 32> name{};
  std::snprintf(name.data(), name.size(), "/%016" PRIx64 ".idx", hash);
  return cache.folder + name.data();
}

/// True if every folder was last changed when the index says so. Looks at many at a time.
bool is_current(const std::string& root, const std::vector<scanned_folder>& folders) {
  constexpr std::size_t per_job = 256;
  const auto num_jobs = (folders.size() + per_job - 1) / per_job;
  const auto parts = parallel_tasks(num_jobs, [&](std::size_t job) {
    const auto end = std::min(folders.size(), (job + 1) * per_job);
    for (auto i = job * per_job; i < end; ++i) {
      struct stat about = {};
      if (::stat((root + "/" + folders[i].path).c_str(), &about) != 0 || mtime_ns_of(about) != folders[i].mtime_ns)
        return 0;
    }
    return 1;
  });
  return std::find(parts.begin(), parts.end(), 0) == parts.end();
}

std::optional<file_index> recall(const std::string& path, const std::string& root) {
  const auto bytes = read_file(path, max_index_bytes);
  if (!bytes)
    return std::nullopt;
  auto index = unpack_index(*bytes, root);
  if (!index || !is_current(root, index->folders))
    return std::nullopt;
  return index;
}

void keep(const file_index& index, const index_cache& cache, const std::string& path, const std::string& root) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto newest = std::max_element(index.folders.begin(), index.folders.end(),
                                       [](const auto& a, const auto& b) { return a.mtime_ns < b.mtime_ns; });
  if (std::chrono::nanoseconds(newest->mtime_ns) > now - min_age)
    return;
  if (make_folders(cache.folder))
    (void)replace_file(path, pack_index(index, root)); // It only saves time: without it, the next run scans again.
}

} // namespace

index_cache users_index_cache() {
  return {.folder = user_cache_folder("index")};
}

expected<file_index> find_class_folders(const std::string& root, const index_cache& cache) {
  std::error_code error;
  const auto real = std::filesystem::canonical(root, error).string();
  if (error || cache.folder.empty())
    return scan_class_folders(root);
  const auto path = index_path(cache, real);
  if (auto index = recall(path, real))
    return std::move(*index);
  auto index = scan_class_folders(root);
  if (index && index->files.size() >= cache.min_files)
    keep(*index, cache, path, real);
  return index;
}

} // namespace troupe
