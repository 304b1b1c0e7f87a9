/// Timelines as Chrome trace events: a JSON array with one event per line, for Perfetto and for browsers.
/// A process of the run is a process, an actor is a thread. Messages that wait are asynchronous events.
#pragma once

#include "app/trace_tools/export/byte_sink.hpp"
#include "app/trace_tools/export/timeline.hpp"

namespace troupe {

/// Returns the share of the events that it got to: 1 unless `sink` had enough.
double write_chrome(const timeline& line, byte_sink& sink);

} // namespace troupe
