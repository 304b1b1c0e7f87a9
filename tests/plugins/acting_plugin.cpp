// Whole actors, with and without faults.
#include "actors/plugin.hpp"

#include <string>
#include <utility>

namespace {

using namespace troupe;

struct own_type {};
struct no_state {};

struct count_state {
  std::uint64_t num_steps = 0;
};

using stage_pointer = plugin_pointer<stage_actor, no_state>;
using listener_pointer = plugin_pointer<listener_actor, count_state>;

/// Makes pixels half as large.
stage_actor::behavior_type dim(stage_pointer self, stage_role role) {
  return {[self, role](slice_filled& filled) {
            if (auto slice = filled.slice.take()) {
              slice->begin(role.name);
              for (std::uint32_t i = 0; i < slice->count(); ++i) {
                slot_floats slot(*slice, i);
                for (auto& x : slot.values())
                  x /= 2;
                slot.commit();
              }
              self->send(role.next, slice_filled{lease<batch_slice>(std::move(*slice)), filled.bad, filled.batch});
            }
          },
          [](status_atom) {
            return actor_status{"dims", 0, true};
          }};
}

stage_actor::behavior_type broken(stage_pointer, stage_role) {
  return {[](slice_filled&) { throw own_type{}; }, [](status_atom) { return actor_status{"breaks", 0, true}; }};
}

listener_actor::behavior_type count_steps(listener_pointer self, listener_role role, bool keeps) {
  auto& state = self->state;
  if (!role.kept.empty())
    state.num_steps = std::stoull(role.kept);
  return {[&state](const step_report_ptr&) { ++state.num_steps; }, [](const validation_report&) {},
          [&state, role](weigh_atom, std::uint64_t) {
            std::vector<float> weights(role.num_samples, static_cast<float>(state.num_steps));
            return sampling_answer{std::make_shared<const std::vector<float>>(std::move(weights))};
          },
          [&state, keeps](keep_atom) { return kept_state{keeps ? std::to_string(state.num_steps) : ""}; },
          [](status_atom) {
            return actor_status{"counts", 0, true};
          }};
}

listener_actor::behavior_type counter(listener_pointer self, listener_role role) {
  return count_steps(self, std::move(role), true);
}

listener_actor::behavior_type forgetful(listener_pointer self, listener_role role) {
  return count_steps(self, std::move(role), false);
}

} // namespace

TROUPE_PLUGIN(acting, "1.0") {
  plugin.stage<no_state>("dim", "Halves pixels.", {}, {}, dim);
  plugin.stage<no_state>("broken", "", {}, {}, broken);
  plugin.listener<count_state>("counter", "", {.how_many = instances::ordered, .weighs = true}, {}, counter);
  plugin.listener<count_state>("forgetful", "", {.how_many = instances::ordered, .weighs = true}, {}, forgetful);
}
