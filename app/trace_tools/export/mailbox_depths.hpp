/// How many messages waited for each actor, whenever that changed.
#pragma once

#include "app/trace_tools/export/timeline.hpp"

#include <vector>

namespace troupe {

/// Adds an event of kind `depth` for every change. A message that was never handled leaves with the actor's end; one that
/// came after it never waited. What still waited when the trace ended is not known, and not counted.
void add_mailbox_depths(const std::vector<selected_record>& records, const actor_filter& actors,
                        std::vector<timeline_event>& to);

} // namespace troupe
