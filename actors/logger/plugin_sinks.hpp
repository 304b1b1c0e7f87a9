/// The log sinks that plugins have brought. Nothing that they throw goes further than the row that they were told.
#pragma once

#include "actors/logger/logger_config.hpp"
#include "actors/support/components/log_sink.hpp"
#include "actors/support/components/plugin_guard.hpp"
#include "actors/support/expected.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace troupe {

/// Owned by one thread. A sink that has been disabled is not called any more, and loses nothing.
class plugin_sinks {
public:
  /// Told of each row that a sink has lost. One that could not be made loses all its rows.
  using loss_function = std::function<void(const failure&)>;

  /// Makes those that `config.sinks` names, by the process's registry.
  plugin_sinks(const logger_config& config, loss_function lose);

  void metrics(const step_completed& step);
  void validation(const validation_report& report);
  /// A sink that fails at a line is told no more of them: its failure is a line, too.
  void told(const notice& line);
  /// Closes and destroys them. Nothing is told to them afterwards.
  void close(bool run_succeeded);

private:
  struct guarded_sink {
    std::unique_ptr<plugin_guard> guard;
    std::unique_ptr<log_sink> sink; ///< Null: it could not be made.
    bool takes_lines = true;
  };

  void make(const component_use& use, const log_sink_context& context);
  template <class Call>
  bool call(guarded_sink& to, const Call& what);
  template <class Call>
  void call_all(const Call& what);

  loss_function lose_;
  std::vector<guarded_sink> entries_;
};

} // namespace troupe
