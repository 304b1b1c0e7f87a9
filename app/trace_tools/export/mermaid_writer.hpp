/// Messages as a Mermaid sequence diagram, to paste into an issue. An arrow is a message, in the order in which they were
/// sent; one that no handler took ends in a cross. Notes tell long waits and marks.
#pragma once

#include "app/trace_tools/export/byte_sink.hpp"
#include "app/trace_tools/export/record_selection.hpp"

#include <cstdint>

namespace troupe {

/// A message that waited so long gets a note.
inline constexpr std::int64_t long_wait_ns = 1'000'000;

/// Returns the share of the records that it got to: 1 unless `sink` had enough.
double write_mermaid(const recorded_trace& trace, const record_selection& selection, byte_sink& sink);

} // namespace troupe
