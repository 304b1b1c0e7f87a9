/// All that the logger writes, behind one face. A sink that fails loses rows, which are counted; the others go on.
#pragma once

#include "actors/logger/bad_sample_table.hpp"
#include "actors/logger/console.hpp"
#include "actors/logger/csv_file.hpp"
#include "actors/logger/event_file.hpp"
#include "actors/logger/logger_config.hpp"
#include "actors/logger/metrics_table.hpp"
#include "actors/logger/plugin_sinks.hpp"
#include "messages/checkpoint.hpp"
#include "messages/metric.hpp"
#include "messages/run_events.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace troupe {

/// Owned by one thread. `now` is in seconds since any fixed moment, `wall` in seconds since 1970.
class log_sinks {
public:
  /// Opens the files. One that cannot be opened is a warning on the terminal and loses all its rows.
  log_sinks(logger_config config, console::sink write, console::sink warn, double wall);
  log_sinks(const log_sinks&) = delete;
  log_sinks& operator=(const log_sinks&) = delete;

  void add(const step_completed& step, double now, double wall);
  void add(const validation_report& report, double wall);
  void add(const checkpoint_saved& fact) { console_.saved(fact); }
  void add(const checkpoint_failed& fact) { console_.failed(fact); }
  void add(const bad_sample_found& fact);
  void add(const notice& line);

  /// Closes the last records and takes the live line away.
  [[nodiscard]] logger_finished finish(bool run_succeeded, double wall);

private:
  void open_files(double wall);
  void open_tables();
  void open_events(double wall);
  void note_loss(const failure& why);
  void append(std::optional<csv_file>& file, const csv_fields& row);
  void append_event(const std::string& event);
  void add_confusion_image(const validation_report& report, double wall);

  logger_config config_;
  console console_;
  metrics_table metrics_;
  std::optional<csv_file> metrics_csv_;
  std::optional<csv_file> validation_csv_;
  std::optional<event_file> events_;
  bad_sample_table bad_samples_;
  logger_finished result_;
  std::optional<plugin_sinks> plugins_; ///< Last: what it loses goes into the others.
};

} // namespace troupe
