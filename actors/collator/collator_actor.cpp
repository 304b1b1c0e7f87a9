#include "actors/collator/collator_actor.hpp"

#include "actors/glue/guard.hpp"

namespace troupe {

namespace {

using collator_pointer = traced_pointer<collator_actor, collator_state>;

void add(collator_pointer self, slice_filled& filled) {
  auto slice = filled.slice.take();
  if (!slice)
    return;
  auto& st = self->state;
  st.parents[filled.batch].push_back(current_message().message);
  for (auto& ready : st.batches.add(std::move(*slice), std::move(filled.bad))) {
    ++st.batches_done;
    trace_link(st.parents[ready.batch.id]);
    st.parents.erase(ready.batch.id);
    self->send(st.setup.consumer, std::move(ready));
  }
}

} // namespace

collator_actor::behavior_type collator(collator_pointer self, collator_setup setup) {
  trace_name(self, setup.name);
  report_exceptions(self, setup.name);
  self->state.batches.start_at(setup.first_batch);
  self->state.setup = std::move(setup);
  return {
    [self](slice_filled& filled) { add(self, filled); },
    [self](status_atom) {
      auto& batches = self->state.batches;
      return actor_status{"waits for slices of batch " + std::to_string(batches.next_id()), self->state.batches_done,
                          batches.num_open() == 0};
    },
  };
}

} // namespace troupe
