/// The names and ids of the project's messages in the trace.
#pragma once

namespace troupe {

/// Registers all of them. Once, before the first actor is spawned.
void register_messages();

} // namespace troupe
