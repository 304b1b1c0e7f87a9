/// The actor that keeps the trace. Spawn it detached; it writes files.
#pragma once

#include "actors/glue/trace_recorder.hpp"
#include "actors/tracer/trace_drain.hpp"
#include "actors/tracer/tracer_config.hpp"
#include "messages/tracer_protocol.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <memory>

namespace troupe {

struct tracer_state {
  static inline const char* name = "tracer";
  std::unique_ptr<trace_drain> drain;
};

/// Starts the recorder that `config` asks for: none for `off`. It must outlive the actor system.
expected<std::unique_ptr<trace_recorder>> start_recorder(const tracer_config& config);

/// Keeps what `recorder` holds in `config.folder`, which must exist. Is not itself in the trace: writing records would
/// make more records to write.
tracer_actor::behavior_type tracer(tracer_actor::stateful_pointer<tracer_state> self, tracer_config config,
                                   trace_recorder* recorder);

} // namespace troupe
