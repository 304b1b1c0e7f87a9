#include "app/run_folder.hpp"

#include "actors/saver/checkpoint_folder.hpp"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>

namespace troupe {

namespace {

namespace fs = std::filesystem;

constexpr unsigned max_runs_of_a_name = 100'000;

std::string numbered(const std::string& dir, const std::string& name, unsigned number) {
  const auto leaf = number == 1 ? name : name + "-" + std::to_string(number);
  return (fs::path(dir) / leaf).string();
}

expected<file_descriptor> lock_folder(const std::string& path) {
  const auto file = path + "/.lock";
  file_descriptor fd(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (fd.number() < 0)
    return failure{ec::io_error, file + ": cannot be opened: " + std::strerror(errno)};
  if (flock(fd.number(), LOCK_EX | LOCK_NB) != 0)
    return failure{ec::io_error, path + ": another process is working on this run"};
  return fd;
}

expected<run_folder> take(const std::string& path) {
  for (auto sub : {"/checkpoints", "/trace"})
    if (auto made = make_folders(path + sub); !made)
      return made.error();
  if (auto writable = probe_folder(path + "/checkpoints"); !writable)
    return writable.error();
  auto lock = lock_folder(path);
  if (!lock)
    return lock.error();
  return run_folder{path, std::move(*lock)};
}

} // namespace

expected<run_folder> make_run_folder(const std::string& dir, const std::string& name) {
  if (auto made = make_folders(dir); !made)
    return failure{ec::io_error, "run.dir: " + made.error().context};
  for (unsigned number = 1; number <= max_runs_of_a_name; ++number) {
    const auto path = numbered(dir, name, number);
    if (mkdir(path.c_str(), 0777) == 0)
      return take(path);
    if (errno != EEXIST)
      return failure{ec::io_error, path + ": cannot be made: " + std::strerror(errno)};
  }
  return failure{ec::io_error, dir + ": there are too many runs called " + name};
}

std::optional<std::string> find_newest_run(const std::string& dir, const std::string& name) {
  unsigned newest = 0;
  std::error_code ignored;
  for (auto& entry : fs::directory_iterator(dir, ignored)) {
    const auto leaf = entry.path().filename().string();
    unsigned number = leaf == name ? 1 : 0;
    if (leaf.size() > name.size() + 1 && leaf.starts_with(name + "-")) {
      const auto* end = leaf.data() + leaf.size();
      auto [stop, error] = std::from_chars(leaf.data() + name.size() + 1, end, number);
      if (error != std::errc{} || stop != end)
        continue;
    }
    newest = std::max(newest, number);
  }
  return newest == 0 ? std::nullopt : std::optional(numbered(dir, name, newest));
}

expected<run_folder> reopen_run_folder(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_directory(path + "/checkpoints", ignored))
    return failure{ec::not_found, path + ": is not the folder of a run (it has no checkpoints/)"};
  return take(path);
}

} // namespace troupe
