/// The validator's actor: the queue of snapshots and the flow of its own batches.
#pragma once

#include "actors/glue/traced.hpp"
#include "actors/validator/validator_config.hpp"
#include "messages/logger_protocol.hpp"
#include "messages/saver_protocol.hpp"
#include "messages/supervisor_protocol.hpp"
#include "messages/validator_protocol.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace troupe {

/// What one validator needs to know.
struct validator_setup {
  validator_config config;
  model_io io;
  batch_layout layout;                ///< Of the buffers that it mints.
  std::uint32_t prefetch_batches = 2; ///< How many it mints.
  std::vector<int> cpus;              ///< Where its thread may run; empty: anywhere.
  int niceness = 0;                   ///< Of its thread, 0..19: training goes first.
  logger_actor logger;
  saver_actor saver;
  judgement_sink trainer;
  supervisor_actor supervisor;
};

class validator_state;

/// The validator's state is made by its behaviour function, on its own thread, and dies there.
struct validator_holder {
  static inline const char* name = "validator";
  std::shared_ptr<validator_state> impl;
};

/// Runs detached. Builds its replica and says `validator_ready`.
validator_actor::behavior_type validator(traced_pointer<validator_actor, validator_holder> self, validator_setup setup);

} // namespace troupe
