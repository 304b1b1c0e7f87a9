/// Actors of a plugin that throw where and what a test wants.
#pragma once

#include "actors/plugin/testing.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace troupe::test {

struct own_type {};

[[noreturn]] inline void throw_one(const std::string& what) {
  if (what == "int")
    throw 42;
  if (what == "own")
    throw own_type{};
  throw std::runtime_error("no mood");
}

/// Its text, as it is reported.
[[nodiscard]] inline std::string text_of_one(const std::string& what) {
  return what == "runtime_error" ? "no mood" : "it threw what is no std::exception";
}

inline const std::vector<std::string> all_kinds{"runtime_error", "int", "own"};

/// What these actors take: the handler that throws, what it throws, and from which call on.
inline parameter_list moods() {
  return {param::text("where", "nowhere", "The handler."), param::text("what", "runtime_error", "What it throws."),
          param::whole("from", 1, 1, 1000, "The first call that throws.")};
}

struct moody_state {
  static inline const char* name = "moody";
  std::vector<batch_slice> held;
  std::int64_t calls = 0;
};

/// Throws if the call of handler `here` is one that does.
template <class Self>
void maybe_throw(Self* self, const role_base& role, const std::string& here) {
  if (role.values.text("where") == here && ++self->state.calls >= role.values.whole("from"))
    throw_one(role.values.text("what"));
}

/// Fills its slices with sevens, in the handler of the loader's answer; "hold": it keeps them instead.
inline augmenter_actor::behavior_type moody_augmenter(plugin_pointer<augmenter_actor, moody_state> self,
                                                      augmenter_role role) {
  const auto finish = [self, role](const chunk_ptr& chunk, batch_slice slice) {
    for (std::uint32_t i = 0; i < slice.count(); ++i) {
      slot_floats floats(slice, i);
      std::fill(floats.values().begin(), floats.values().end(), 7.f);
      floats.commit();
    }
    finish_chunk(self, role, *chunk, std::move(slice));
  };
  self->send(role.loader, next_atom_v, augmenter_actor{self});
  return {
    [self, role, finish](chunk_ready& work) {
      auto slice = take_slice(work, role);
      if (role.values.text("where") == "hold") {
        self->state.held.push_back(std::move(*slice));
        maybe_throw(self, role, "hold");
        self->send(role.loader, next_atom_v, augmenter_actor{self});
        return;
      }
      maybe_throw(self, role, "chunk");
      auto shared = std::make_shared<batch_slice>(std::move(*slice));
      self->request(role.loader, role.timeout, samples_wanted{work.chunk->epoch, {0}})
        .then([self, role, finish, shared, chunk = work.chunk](const samples_found&) {
          maybe_throw(self, role, "response");
          finish(chunk, std::move(*shared));
        });
    },
    [self, role](status_atom) {
      maybe_throw(self, role, "status");
      return actor_status{"fills", 7, true};
    },
  };
}

/// Adds one to all numbers.
inline stage_actor::behavior_type moody_stage(plugin_pointer<stage_actor, moody_state> self, stage_role role) {
  return {
    [self, role](slice_filled& filled) {
      maybe_throw(self, role, "before");
      auto slice = filled.slice.take();
      for (std::uint32_t i = 0; i < slice->count(); ++i) {
        slot_floats floats(*slice, i);
        for (auto& x : floats.values())
          x += 1;
        floats.commit();
      }
      maybe_throw(self, role, "after");
      self->send(role.next, slice_filled{lease<batch_slice>(std::move(*slice)), std::move(filled.bad), filled.batch});
    },
    [self, role](status_atom) {
      maybe_throw(self, role, "status");
      return actor_status{"adds", 1, true};
    },
  };
}

/// Counts steps and validations; "start": its behaviour function throws.
inline listener_actor::behavior_type moody_listener(plugin_pointer<listener_actor, moody_state> self,
                                                    listener_role role) {
  maybe_throw(self, role, "start");
  return {
    [self, role](const step_report_ptr&) { maybe_throw(self, role, "step"); },
    [self, role](const validation_report&) { maybe_throw(self, role, "validation"); },
    [self, role](weigh_atom, std::uint64_t) {
      maybe_throw(self, role, "weigh");
      return sampling_answer{std::make_shared<const std::vector<float>>(3, 2.f)};
    },
    [self, role](keep_atom) {
      maybe_throw(self, role, "keep");
      return kept_state{"mine"};
    },
    [self, role](status_atom) {
      maybe_throw(self, role, "status");
      return actor_status{"listens", 0, true};
    },
  };
}

/// A plugin "lab" that offers all of them as "moody".
inline plugin moody_plugin() {
  plugin lab("lab");
  lab.augmenter<moody_state>("moody", "", {}, moods(), moody_augmenter);
  lab.stage<moody_state>("moody", "", {.own_thread = true}, moods(), moody_stage);
  lab.listener<moody_state>("moody", "", {.how_many = instances::ordered, .weighs = true}, moods(), moody_listener);
  return lab;
}

} // namespace troupe::test
