/// How a plugin's actor begins: named, guarded, and with something to do in its place if it is disabled.
#pragma once

#include "actors/plugin/plugin_actor.hpp"

#include <caf/actor_system.hpp>

#include <algorithm>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace troupe {

/// What an augmenter does with its chunk: takes the slice, and says which samples belong into it. Nothing if somebody
/// else has it already.
[[nodiscard]] inline std::optional<batch_slice> take_slice(chunk_ready& work, const role_base& role) {
  auto slice = work.slice.take();
  if (!slice)
    return slice;
  slice->begin(role.name);
  for (std::uint32_t i = 0; i < slice->count(); ++i) {
    const auto& sample = work.chunk->samples[i];
    slice->set_sample(i, sample.id, sample.label, sample.weight);
  }
  return slice;
}

/// What a stage begins with. Nothing if somebody else has the slice already.
[[nodiscard]] inline std::optional<batch_slice> take_slice(slice_filled& filled, const role_base& role) {
  auto slice = filled.slice.take();
  if (slice)
    slice->begin(role.name);
  return slice;
}

/// What a stage ends with: the slice of `filled` goes on to whoever comes next.
template <class Self>
void hand_on(Self* self, const stage_role& role, slice_filled& filled, batch_slice slice) {
  slice.begin({}); // Whatever becomes of it now is not this actor's doing.
  self->send(role.next, slice_filled{lease<batch_slice>(std::move(slice)), std::move(filled.bad), filled.batch});
}

/// Whether the sample of slot `i` of the chunk's slice could not be read: there is nothing to be made of it.
[[nodiscard]] inline bool is_unreadable(const encoded_chunk& chunk, std::uint32_t i) {
  return std::any_of(chunk.unreadable.begin(), chunk.unreadable.end(),
                     [slot = chunk.first_slot + i](const bad_sample& bad) { return bad.slot == slot; });
}

/// Says that sample `i` of the chunk could not be made.
[[nodiscard]] inline bad_sample bad_sample_of(const encoded_chunk& chunk, std::uint32_t i, const failure& why,
                                              const role_base& role) {
  return {chunk.samples[i].id, chunk.first_slot + i, {}, to_string(why), role.name, chunk.epoch};
}

/// Fills the slice of a chunk as the built-in augmenter does. Returns the samples that could not be made.
[[nodiscard]] inline std::vector<bad_sample> fill_slots(const augmenter_role& role, const encoded_chunk& chunk,
                                                        const batch_slice& slice) {
  std::vector<bad_sample> bad;
  for (std::uint32_t i = 0; i < slice.count(); ++i)
    if (!is_unreadable(chunk, i))
      if (auto made = role.samples->fill(chunk.samples[i], chunk.epoch, slice, i); !made)
        bad.push_back(bad_sample_of(chunk, i, made.error(), role));
  return bad;
}

/// Hands the filled slice on and asks for the next chunk. `bad`: the samples that could not be made, besides those that
/// could not be read.
template <class Self>
void finish_chunk(Self* self, const augmenter_role& role, const encoded_chunk& chunk, batch_slice slice,
                  std::vector<bad_sample> bad = {}) {
  bad.insert(bad.end(), chunk.unreadable.begin(), chunk.unreadable.end());
  std::sort(bad.begin(), bad.end(), [](auto& a, auto& b) { return a.slot < b.slot; });
  slice.begin({}); // Whatever becomes of it now is not this actor's doing.
  chunk_done done{chunk.batch, chunk.position, bad};
  self->send(role.next, slice_filled{lease<batch_slice>(std::move(slice)), std::move(bad), chunk.batch});
  self->send(role.loader, std::move(done));
  self->send(role.loader, next_atom_v, augmenter_actor{self});
}

namespace role_details {

template <class Self>
void fill_as_built_in(Self* self, const augmenter_role& role, chunk_ready& work) {
  auto slice = take_slice(work, role);
  if (!slice) {
    self->send(role.loader, next_atom_v, augmenter_actor{self});
    return;
  }
  auto bad = fill_slots(role, *work.chunk, *slice);
  finish_chunk(self, role, *work.chunk, std::move(*slice), std::move(bad));
}

template <class Self>
caf::behavior substitute_for(Self* self, const augmenter_role& role) {
  return {[self, role](chunk_ready& work) { fill_as_built_in(self, role, work); },
          [](status_atom) {
            return actor_status{"is disabled: samples are made without it", 0, true};
          }};
}

template <class Self>
caf::behavior substitute_for(Self* self, const stage_role& role) {
  return {[self, role](slice_filled& filled) { self->send(role.next, std::move(filled)); },
          [](status_atom) {
            return actor_status{"is disabled: slices pass", 0, true};
          }};
}

template <class Self>
caf::behavior substitute_for(Self*, const listener_role&) {
  return {[](const step_report_ptr&) {}, [](const validation_report&) {},
          [](weigh_atom, std::uint64_t) { return sampling_answer{}; }, [](keep_atom) { return kept_state{}; },
          [](status_atom) {
            return actor_status{"is disabled", 0, true};
          }};
}

template <class Self>
std::function<void()> recovery_of(Self* self, const augmenter_role& role) {
  return [self, loader = role.loader] { self->send(loader, next_atom_v, augmenter_actor{self}); };
}

template <class Self>
std::function<void()> recovery_of(Self*, const role_base&) {
  return {};
}

/// As CAF made it: what it holds is let go of.
template <class Self>
void make_state_anew(Self* self) {
  using state_type = std::remove_reference_t<decltype(self->state)>;
  std::destroy_at(&self->state);
  if constexpr (std::is_constructible_v<state_type, Self*>)
    std::construct_at(&self->state, self);
  else
    std::construct_at(&self->state);
}

template <class Self, class Role>
void begin_role(Self* self, const Role& role) {
  trace_name(self, role.name);
  report_exceptions(self, role.name);
  self->protect(std::make_shared<plugin_guard>(role.plugin, role.name), recovery_of(self, role), [self, role] {
    make_state_anew(self);
    return substitute_for(self, role);
  });
}

} // namespace role_details

/// Returns what spawns an actor with the behaviour function `behave`.
template <class Handle, class State, class Role>
[[nodiscard]] auto spawner_of(typename Handle::behavior_type (*behave)(plugin_pointer<Handle, State>, Role),
                              bool own_thread) {
  return [behave, own_thread](caf::actor_system& system, Role role) -> Handle {
    auto start = [behave](plugin_pointer<Handle, State> self, Role given) -> typename Handle::behavior_type {
      role_details::begin_role(self, given);
      return behave(self, std::move(given));
    };
    if (!own_thread || role.shares_threads)
      return system.spawn(start, std::move(role));
    auto start_detached = [start](plugin_pointer<Handle, State> self, Role given) -> typename Handle::behavior_type {
      name_thread(given.name);
      return start(self, std::move(given));
    };
    return system.spawn<caf::detached>(start_detached, std::move(role));
  };
}

} // namespace troupe
