/// The logger's actor.
#pragma once

#include "actors/glue/traced.hpp"
#include "actors/logger/logger_config.hpp"
#include "messages/logger_protocol.hpp"
#include "messages/supervisor_protocol.hpp"

#include <functional>
#include <memory>
#include <string_view>

namespace troupe {

class log_sinks;

/// What one logger needs to know.
struct logger_setup {
  logger_config config;
  std::function<void(std::string_view)> write; ///< News, to the terminal; called on the logger's thread alone.
  std::function<void(std::string_view)> warn;  ///< Warnings and errors, likewise.
  supervisor_actor supervisor;
};

struct logger_state {
  static inline const char* name = "logger";
  std::unique_ptr<log_sinks> sinks;
  supervisor_actor supervisor;
  std::uint64_t facts_done = 0;

  logger_state();
  ~logger_state();
};

/// Runs detached: it waits for disks and terminals.
logger_actor::behavior_type logger(traced_pointer<logger_actor, logger_state> self, logger_setup setup);

} // namespace troupe
