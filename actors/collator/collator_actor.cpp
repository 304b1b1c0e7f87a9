#include "actors/collator/collator_actor.hpp"

#include "actors/glue/guard.hpp"

namespace troupe {

namespace {

using collator_pointer = traced_pointer<collator_actor, collator_state>;

void mix(collator_pointer self, batch_ready& ready) {
  auto& setup = self->state.setup;
  if (!mixes(setup.mix))
    return;
  if (auto buffer = ready.buffer.take()) {
    ready.batch.own_share = mix_batch(setup.mix, setup.seed, ready.batch, *buffer);
    ready.buffer = lease<batch_buffer>(std::move(*buffer));
  }
}

void add(collator_pointer self, slice_filled& filled) {
  auto slice = filled.slice.take();
  if (!slice)
    return;
  auto& st = self->state;
  st.parents[filled.batch].push_back(current_message().message);
  auto outcome = st.batches.add(std::move(*slice), std::move(filled.bad));
  for (auto& wanted : outcome.wanted) {
    const auto batch = wanted.batch().id;
    self->send(st.setup.loader, replacement_wanted{batch, lease<batch_slice>(std::move(wanted))});
  }
  for (auto& ready : outcome.ready) {
    ++st.batches_done;
    mix(self, ready);
    trace_link(st.parents[ready.batch.id]);
    st.parents.erase(ready.batch.id);
    self->send(st.setup.consumer, std::move(ready));
  }
}

} // namespace

collator_actor::behavior_type collator(collator_pointer self, collator_setup setup) {
  trace_name(self, setup.name);
  report_exceptions(self, setup.name);
  self->state.batches = assembly(setup.replace_bad, setup.first_batch, setup.first);
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
