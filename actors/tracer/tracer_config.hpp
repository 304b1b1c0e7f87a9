/// What is recorded of the messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace troupe {

/// off: nothing. flight: rings and exact counts. full: every record also goes to the trace file.
enum class trace_mode : std::uint8_t { off, flight, full };

struct tracer_config {
  trace_mode mode = trace_mode::flight;
  std::string folder; ///< <run>/trace
  /// Bytes that the files of one process may take, rings apart; the oldest records go first.
  std::uint64_t max_bytes = std::uint64_t{2} << 30;
  std::size_t num_threads = 64; ///< That may record at a time; at most 1024.
};

} // namespace troupe
