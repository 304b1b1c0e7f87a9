/// Where a run keeps what it makes: runs/<name>, then <name>-2, <name>-3, ...
#pragma once

#include "actors/support/expected.hpp"
#include "actors/support/file_io.hpp"

#include <optional>
#include <string>

namespace troupe {

/// A run folder in the hands of this process: another one that wants it is refused.
struct run_folder {
  std::string path;
  file_descriptor lock; ///< Held as long as the process lives.
};

/// Makes a new folder for a run called `name` under `dir`, with `checkpoints/` and `trace/` in it, and proves that it can
/// be written to. Two processes that ask at the same time get two folders. io_error if that is impossible.
expected<run_folder> make_run_folder(const std::string& dir, const std::string& name);

/// The newest folder of a run called `name`; nothing if there is none.
[[nodiscard]] std::optional<std::string> find_newest_run(const std::string& dir, const std::string& name);

/// Takes the folder of an earlier run. not_found: it is no run folder; io_error: it cannot be written to, or another
/// process has it.
expected<run_folder> reopen_run_folder(const std::string& path);

} // namespace troupe
