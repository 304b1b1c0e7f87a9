/// What whole actors of plugins are told when they are spawned, and the table of those that there are.
#pragma once

#include "actors/support/components/component_registry.hpp"
#include "actors/support/components/sample_maker.hpp"
#include "messages/listener_protocol.hpp"
#include "messages/loader_protocol.hpp"
#include "messages/logger_protocol.hpp"
#include "messages/stage_protocol.hpp"
#include "messages/supervisor_protocol.hpp"

#include <caf/fwd.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace troupe {

/// Who an actor is in the run.
struct role_base {
  std::string name;   ///< In the trace: "augmenter mosaic#1", "stage smear#1", "listener hard_examples".
  std::string plugin; ///< Name of the plugin.
  parameters values;  ///< Its parameters.
  std::uint64_t seed = 1;
  std::uint32_t first_stream = 0;            ///< This one and the 255 after it are its own, see `rng`.
  std::chrono::milliseconds timeout{60'000}; ///< For requests: that of a stall.
  supervisor_actor supervisor;
  bool in_validation = false;  ///< It works on samples to judge by: every epoch is the same for them.
  bool shares_threads = false; ///< Tests: one that asks for a thread of its own gets none.

  /// The random numbers of one sample in one epoch (0-based): draw from nothing else. `stream` is below 256.
  [[nodiscard]] sample_rng rng(std::uint64_t epoch, std::uint64_t sample, std::uint32_t stream = 0) const noexcept {
    return {seed, in_validation ? 0 : epoch, sample, first_stream + stream};
  }
};

struct augmenter_role : role_base {
  loader_actor loader;
  stage_actor next; ///< Whom filled slices go to.
  std::shared_ptr<const sample_maker> samples;
  std::uint64_t num_samples = 0; ///< Of the data set.
};

struct stage_role : role_base {
  loader_actor loader;
  stage_actor next;
};

struct listener_role : role_base {
  logger_actor logger;
  std::string folder;                   ///< The run folder: files may be written there.
  std::vector<std::string> class_names; ///< By id.
  std::uint64_t num_samples = 0;        ///< Of the training set.
  std::string kept;                     ///< What it kept, where a run is resumed; else empty.
  std::uint64_t resumed_step = 0;       ///< 0: a fresh run.
};

/// How an actor may be used.
enum class instances : std::uint8_t {
  stateless, ///< Any number of them, in any order: what it does depends on the message and the ids alone.
  ordered,   ///< One, which gets its messages in step order.
};

/// An actor that plugins have brought. `own_thread`: it blocks; it gets a thread of its own.
template <class Spawn>
struct actor_kind : component_info {
  instances how_many = instances::stateless;
  bool own_thread = false;
  bool weighs = false; ///< Listeners: says how samples are to be drawn.
  Spawn spawn;
};

using augmenter_kind = actor_kind<std::function<augmenter_actor(caf::actor_system&, augmenter_role)>>;
using stage_kind = actor_kind<std::function<stage_actor(caf::actor_system&, stage_role)>>;
using listener_kind = actor_kind<std::function<listener_actor(caf::actor_system&, listener_role)>>;

/// As `component_registry`, for whole actors.
struct actor_registry {
  [[nodiscard]] static actor_registry& instance();

  std::vector<augmenter_kind> augmenters;
  std::vector<stage_kind> stages;
  std::vector<listener_kind> listeners;
};

} // namespace troupe
