/// What is recorded of the messages.
#pragma once

#include <cstdint>
#include <string>

namespace troupe {

/// off: nothing. flight: rings and exact counts. full: every record also goes to the trace file.
enum class trace_mode : std::uint8_t { off, flight, full };

struct tracer_config {
  trace_mode mode = trace_mode::flight;
  std::string folder; ///< <run>/trace
};

} // namespace troupe
