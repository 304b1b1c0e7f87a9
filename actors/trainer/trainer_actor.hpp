/// The trainer's actor: the glue between messages and the training session.
#pragma once

#include "actors/glue/traced.hpp"
#include "actors/trainer/trainer_config.hpp"
#include "messages/supervisor_protocol.hpp"
#include "messages/trainer_protocol.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace troupe {

/// What one trainer needs to know.
struct trainer_setup {
  trainer_config config;
  model_io io;
  std::string run;
  std::uint64_t batches_per_epoch = 1;
  batch_layout layout;                ///< Of the buffers that it mints.
  std::uint32_t prefetch_batches = 3; ///< How many it mints.
  snapshot_ptr resume_from;
  std::uint64_t first_version = 1;
  bool wait_for_validator = true; ///< Policy `all`: at most two snapshots wait besides the one being judged.
  std::chrono::milliseconds listener_timeout{30'000}; ///< For the answers of listeners.
  std::uint64_t num_samples = 0;                      ///< Of the training set.
  std::vector<sample_weights> sampling;               ///< Of the checkpoint that it resumes from.
  std::vector<int> cpus;                              ///< Where its thread may run; empty: anywhere.
  logger_actor logger;
  saver_actor saver;
  supervisor_actor supervisor;
};

class trainer_state;

/// The trainer's state is made by its behaviour function, on its own thread, and dies there.
struct trainer_holder {
  static inline const char* name = "trainer";
  std::shared_ptr<trainer_state> impl;
};

/// Runs detached. Builds the model, says `trainer_ready`, and trains once it is told to begin.
trainer_actor::behavior_type trainer(traced_pointer<trainer_actor, trainer_holder> self, trainer_setup setup);

} // namespace troupe
