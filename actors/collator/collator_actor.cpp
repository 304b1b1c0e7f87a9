#include "actors/collator/collator_actor.hpp"

#include "actors/glue/guard.hpp"

#include <stdexcept>

namespace troupe {

namespace {

using collator_pointer = traced_pointer<collator_actor, collator_state>;

/// The samples of the batch are left out, all of them.
void leave_out(batch_ready& ready, const batch_buffer& buffer, const failure& why) {
  for (std::uint32_t slot = 0; slot < ready.batch.num_samples; ++slot)
    ready.bad.push_back({buffer.sample_ids()[slot], slot, {}, to_string(why), "collator", ready.batch.epoch});
  ready.batch.num_samples = 0;
  ready.batch.own_share = 1;
}

void change(collator_pointer self, batch_ready& ready) {
  auto& setup = self->state.setup;
  auto& steps = self->state.steps;
  if (!mixes(setup.mix) && steps.empty())
    return;
  if (auto buffer = ready.buffer.take()) {
    if (mixes(setup.mix))
      ready.batch.own_share = mix_batch(setup.mix, setup.seed, ready.batch, *buffer);
    if (auto ok = steps.apply(setup.seed, ready.batch, *buffer); !ok)
      leave_out(ready, *buffer, ok.error());
    ready.buffer = lease<batch_buffer>(std::move(*buffer));
  }
}

batch_steps made_of(const std::vector<component_use>& list) {
  auto made = batch_steps::make(list);
  if (!made)
    throw std::runtime_error(to_string(made.error()));
  return std::move(*made);
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
    change(self, ready);
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
  self->state.steps = made_of(setup.batch_steps);
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
