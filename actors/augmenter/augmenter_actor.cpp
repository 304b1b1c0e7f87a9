#include "actors/augmenter/augmenter_actor.hpp"

#include "actors/augmenter/fill_slice.hpp"
#include "actors/glue/guard.hpp"

namespace troupe {

namespace {

using augmenter_pointer = traced_pointer<augmenter_actor, augmenter_state>;

void ask_for_more(augmenter_pointer self) {
  self->send(self->state.setup.loader, next_atom_v, augmenter_actor{self});
}

void fill(augmenter_pointer self, chunk_ready& work) {
  auto slice = work.slice.take();
  if (!slice) {
    ask_for_more(self);
    return;
  }
  slice->begin();
  auto& setup = self->state.setup;
  auto outcome = fill_slice(*setup.transforms, setup.seed, *work.chunk, *slice);
  ++self->state.chunks_done;
  chunk_done done{work.chunk->batch, work.chunk->position, outcome.bad, std::move(outcome.decoded)};
  self->send(setup.collator, slice_filled{lease<batch_slice>(std::move(*slice)), std::move(outcome.bad), done.batch});
  self->send(setup.loader, std::move(done));
  ask_for_more(self);
}

} // namespace

augmenter_actor::behavior_type augmenter(augmenter_pointer self, augmenter_setup setup) {
  trace_name(self, setup.name);
  report_exceptions(self, setup.name);
  self->state.setup = std::move(setup);
  ask_for_more(self);
  return {
    [self](chunk_ready& work) { fill(self, work); },
    [self](status_atom) {
      return actor_status{"waits for a chunk", self->state.chunks_done, true};
    },
  };
}

} // namespace troupe
