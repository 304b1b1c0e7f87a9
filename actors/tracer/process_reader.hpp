/// What the files of one process say, put together: for recorded_trace.cpp.
#pragma once

#include "actors/tracer/recorded_trace.hpp"

#include <optional>
#include <string>
#include <vector>

namespace troupe {

/// The files of one process; either may be missing.
struct process_files {
  std::vector<std::string> segments; ///< Oldest first.
  std::string rings;
};

/// Adds what a trace file of the process says, the files before it being taken already. True if it ended in order there.
bool take_file(const std::string& path, trace_file_contents from, recorded_process& to);

/// Nothing if no file of it can be read; `problems` says why.
[[nodiscard]] std::optional<recorded_process> read_process(const std::string& id, const process_files& files,
                                                           std::vector<std::string>& problems);

} // namespace troupe
