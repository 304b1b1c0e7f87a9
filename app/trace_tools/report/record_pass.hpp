/// The pass over the records of a run that a report is made of. For report_data.cpp only.
#pragma once

#include "app/trace_tools/report/leaders.hpp"
#include "app/trace_tools/report/loss_curve.hpp"
#include "app/trace_tools/report/occupancy.hpp"
#include "app/trace_tools/report/report_data.hpp"
#include "app/trace_tools/report/time_axis.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

/// A record and the process that it is of.
struct placed_record {
  trace_record record;
  std::size_t process = 0; ///< Index in the trace.
};

/// One actor, by name: the same one in all processes of a run.
struct actor_record_sums {
  occupancy busy;
  occupancy queue;
  std::map<std::size_t, double> first_seen; ///< By process: place of its first record on the axis.
};

/// Takes the records of the processes, one process after another.
class record_pass {
public:
  explicit record_pass(const recorded_trace& trace);

  void read();

  const time_axis axis;
  std::map<std::string, actor_record_sums> actors;
  loss_curve loss;
  std::vector<validation_mark> validations;
  std::vector<checkpoint_mark> checkpoints;
  std::vector<axis_span> phases;
  occupancy batch_waits;
  occupancy validator_waits;
  leaders<std::int64_t, placed_record> slow_samples;
  /// The slowest few of each receiver and type.
  std::map<std::pair<std::string, std::string>, leaders<std::int64_t, placed_record>> slow_messages;

private:
  void begin(std::size_t process);
  void take(const trace_record& record);
  void take_message(const trace_record& record);
  void take_span(const trace_record& record);
  void take_mark(const trace_record& record);
  void take_value(const trace_record& record);
  actor_record_sums& sums_of(std::uint32_t actor);
  [[nodiscard]] const std::string& text(std::uint32_t name) const { return trace_.processes[process_].name(name); }
  [[nodiscard]] double at(std::int64_t ns) const { return axis.at(process_, ns); }

  const recorded_trace& trace_;
  std::size_t process_ = 0;
  std::vector<actor_record_sums*> sums_; ///< By number of the name, in the current process.
  bool goes_on_ = false;                 ///< No loss of the current process was seen yet.
};

} // namespace troupe
