/// Another place for a run's log, brought by a plugin.
#pragma once

#include "messages/metric.hpp"
#include "messages/run_events.hpp"

namespace troupe {

/// Owned by the logger's thread; may block, training does not wait for it. What it throws is a lost row, counted.
class log_sink {
public:
  log_sink() = default;
  log_sink(const log_sink&) = delete;
  log_sink& operator=(const log_sink&) = delete;
  virtual ~log_sink() = default;

  /// A metrics row is due: the sums of the window are those of `step`.
  virtual void metrics(const step_completed&) {}
  virtual void validation(const validation_report&) {}
  virtual void told(const notice&) {}
  /// The run is over. Called once, last.
  virtual void close(bool /*run_succeeded*/) {}
};

/// What a sink is told when it is made.
struct log_sink_context {
  std::string run;                  ///< Name of the run.
  std::string folder;               ///< Its folder.
  std::vector<std::string> classes; ///< Names by id.
  std::uint64_t resumed_step = 0;   ///< 0: a fresh run.
};

} // namespace troupe
