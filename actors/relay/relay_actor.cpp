#include "actors/relay/relay_actor.hpp"

#include "actors/glue/guard.hpp"

#include <caf/system_messages.hpp>

#include <utility>

namespace troupe {

namespace {

using relay_pointer = traced_pointer<relay_actor, relay_state>;

void send_waiting(relay_pointer self) {
  auto& st = self->state;
  while (!st.waiting.empty() && !st.actors.empty()) {
    self->send(st.actors[st.next_actor++ % st.actors.size()], std::move(st.waiting.front()));
    st.waiting.pop_front();
    ++st.slices_done;
  }
}

slice_filled message_of(slice_order::filled filled) {
  const auto batch = filled.slice.batch().id;
  return {lease<batch_slice>(std::move(filled.slice)), std::move(filled.bad), batch};
}

/// To the stage, but for a slice without a good sample: there is nothing to be done to it.
void hand_on(relay_pointer self, slice_order::filled filled) {
  if (filled.bad.size() >= filled.slice.count())
    self->send(self->state.setup.next, message_of(std::move(filled)));
  else
    self->state.waiting.push_back(message_of(std::move(filled)));
}

void add(relay_pointer self, slice_filled& filled) {
  auto& st = self->state;
  auto slice = filled.slice.take();
  if (!slice)
    return;
  slice_order::filled whole{std::move(*slice), std::move(filled.bad)};
  if (!st.order)
    hand_on(self, std::move(whole));
  else if (st.order->is_out_of_turn(whole.slice)) // An ordered stage gets nothing out of turn.
    self->send(st.setup.next, message_of(std::move(whole)));
  else
    for (auto& each : st.order->add(std::move(whole)))
      hand_on(self, std::move(each));
  send_waiting(self);
}

void follow(relay_pointer self, const stages_now& now) {
  self->state.actors = now.actors;
  for (auto& each : now.actors)
    self->monitor(each);
  send_waiting(self);
}

void actor_down(relay_pointer self, const caf::down_msg& down) {
  std::erase_if(self->state.actors, [&](auto& each) { return each.address() == down.source; });
}

actor_status status(relay_pointer self) {
  auto& st = self->state;
  if (!st.waiting.empty())
    return {"waits for its stage to be restarted", st.slices_done, false};
  if (st.order && st.order->num_held() > 0)
    return {"waits for a slice of batch " + std::to_string(st.order->next_batch()), st.slices_done, false};
  return {"waits for a slice", st.slices_done, true};
}

} // namespace

relay_actor::behavior_type relay(relay_pointer self, relay_setup setup) {
  trace_name(self, setup.name);
  report_exceptions(self, setup.name);
  if (setup.in_order)
    self->state.order.emplace(setup.first_batch);
  self->state.setup = std::move(setup);
  self->set_down_handler([self](const caf::down_msg& down) { actor_down(self, down); });
  return {
    [self](slice_filled& filled) { add(self, filled); },
    [self](const stages_now& now) { follow(self, now); },
    [self](status_atom) { return status(self); },
  };
}

} // namespace troupe
