/// The entries of one folder.
#pragma once

#include "actors/support/expected.hpp"

#include <memory>
#include <optional>
#include <string>

#include <dirent.h>
#include <sys/stat.h>

namespace troupe {

/// A folder, read entry by entry in the order of the file system.
class folder_reader {
public:
  /// Errors: not_found, io_error; also for what is not a folder.
  static expected<folder_reader> open(const std::string& path);

  /// Returns the next entry, but for "." and ".."; null behind the last. Valid until the next call. Errors: io_error.
  expected<const dirent*> next();

  /// Returns what an entry is, links followed; nothing if it leads nowhere.
  [[nodiscard]] std::optional<struct stat> about(const char* name) const noexcept;

  /// What the folder was when it was opened.
  [[nodiscard]] const struct stat& about() const noexcept { return about_; }

private:
  struct closer {
    void operator()(DIR* folder) const noexcept { ::closedir(folder); }
  };
  folder_reader(std::string path, DIR* folder) : path_(std::move(path)), folder_(folder) {}

  std::string path_;
  std::unique_ptr<DIR, closer> folder_;
  struct stat about_ = {};
};

} // namespace troupe
