#include "actors/loader/reader_actor.hpp"

#include "actors/glue/guard.hpp"
#include "actors/glue/thread_identity.hpp"

#include <memory>

namespace troupe {

namespace {

using reader_pointer = traced_pointer<reader_actor, reader_state>;

void ask_for_more(reader_pointer self) {
  self->send(self->state.setup.loader, next_atom_v, reader_actor{self});
}

void read(reader_pointer self, const chunk_wanted& wanted) {
  auto chunk = std::make_shared<encoded_chunk>(wanted.read());
  ++self->state.chunks_done;
  self->send(self->state.setup.loader, chunk_read{std::move(chunk)});
  ask_for_more(self);
}

} // namespace

reader_actor::behavior_type reader(reader_pointer self, reader_setup setup) {
  name_thread(setup.name);
  trace_name(self, setup.name);
  report_exceptions(self, setup.name);
  self->state.setup = std::move(setup);
  ask_for_more(self);
  return {
    [self](const chunk_wanted& wanted) { read(self, wanted); },
    [self](const samples_to_read& wanted) {
      auto found = wanted.read();
      ++self->state.chunks_done;
      return found;
    },
    [self](status_atom) {
      return actor_status{"waits for a chunk to read", self->state.chunks_done, true};
    },
  };
}

} // namespace troupe
