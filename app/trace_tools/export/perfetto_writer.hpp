/// Timelines as Perfetto's own trace format: packets of Protocol Buffers. A process of the run is a process; an actor is
/// a track, whose queue, spans and counters are tracks below it.
#pragma once

#include "app/trace_tools/export/byte_sink.hpp"
#include "app/trace_tools/export/timeline.hpp"

namespace troupe {

/// Returns the share of the events that it got to: 1 unless `sink` had enough.
double write_perfetto(const timeline& line, byte_sink& sink);

} // namespace troupe
