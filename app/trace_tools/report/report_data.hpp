/// All that a report says about a run, as numbers: collected in one pass over its records, in bounded memory.
#pragma once

#include "app/trace_tools/analysis/trace_summary.hpp"
#include "app/trace_tools/analysis/verdict.hpp"
#include "app/trace_tools/report/loss_curve.hpp"
#include "app/trace_tools/report/run_files.hpp"
#include "app/trace_tools/report/time_axis.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace troupe {

struct loss_history {
  std::vector<curve_point> points;
  std::vector<loss_spike> spikes; ///< Of the steps whose records are there.
  bool logged = false;            ///< The points are those of metrics.csv.
};

struct validation_mark {
  std::uint64_t step = 0;
  double top1 = 0; ///< 0..1
};

struct checkpoint_mark {
  std::uint64_t step = 0;
  std::uint64_t version = 0;
  std::uint64_t bytes = 0; ///< 0: unknown.
};

/// One actor, or a stage of many, over the time axis.
struct actor_lane {
  std::string actor;
  std::uint64_t num_actors = 1;
  double busy = 0;                                ///< Share of the whole run, as the summary has it; the mean of many.
  std::vector<double> busy_bins;                  ///< Share per bin.
  std::vector<double> queue_bins;                 ///< Mean number of waiting messages per bin.
  std::vector<std::pair<double, double>> unknown; ///< Times, seconds on the axis, of which nothing is known.
};

/// What lasted from one moment of the axis to another.
struct axis_span {
  std::string name;
  double from = 0;
  double until = 0;
};

/// Shares of the run that the trainer spent; what is left is other.
struct trainer_time {
  double trains = 0;
  double waits_for_batch = 0;
  double waits_for_validator = 0;
};

struct stage_time {
  std::string stage;
  std::uint64_t num_actors = 0;
  double busy = 0; ///< Share of the run, per actor.
};

struct slow_sample {
  recorded_sample sample;
  std::string augmenter;
  bool in_validation = false;
  double at = 0; ///< Seconds since its process started.
  std::string name, label;
  std::string png;     ///< Of the sample as it was trained on; empty: none.
  std::string problem; ///< Why there is no picture.
};

struct slow_message {
  std::uint64_t id = 0;
  std::string type, actor;
  std::uint64_t handling_ns = 0;
  std::uint64_t usual_ns = 0; ///< Median of this type at this actor.
  std::uint64_t wait_ns = 0;
  double at = 0; ///< Seconds since its process started.
  trace_ids ids;
};

/// Messages of one type to one actor that were not handled as they should.
struct lost_row {
  std::string actor, type, outcome;
  std::uint64_t count = 0;
};

struct report_data {
  run_files files;
  verdict found;
  trace_summary summary;
  std::vector<axis_stretch> stretches;
  double axis_begin = 0; ///< What its start is called: seconds of a run of one process that it leaves out.
  double axis_seconds = 0;
  bool complete = true; ///< Every record is there.
  loss_history loss;
  std::vector<validation_mark> validations; ///< By step.
  std::vector<checkpoint_mark> checkpoints; ///< By version.
  std::uint64_t num_checkpoints = 0;        ///< That were made durable, deleted ones too.
  std::vector<actor_lane> lanes;            ///< In the order in which data flow.
  std::vector<axis_span> phases;
  std::vector<double> batch_wait_bins; ///< Share of each bin that the trainer waited for batches, and
  std::vector<double> validator_wait_bins;
  trainer_time trainer;
  std::vector<stage_time> stages;
  std::vector<slow_sample> slow_samples; ///< Slowest first; without pictures: see `add_pictures`.
  std::string no_pictures;               ///< Why none has one; empty: they have, or there are no samples.
  std::vector<slow_message> slow_messages;
  std::vector<lost_row> lost;
};

/// How the run ended, or that it goes on: "done", "interrupted", "running", "died" ...
[[nodiscard]] std::string status_of(const report_data& report);

/// Steps of the optimizer: of the whole run if it has ended, else of its newest process.
[[nodiscard]] std::uint64_t steps_of(const report_data& report);

/// Bins of the time axis.
inline constexpr std::size_t num_report_bins = 240;

/// Reads the records of `trace`, which must outlive the result, and the files of its run folder.
[[nodiscard]] report_data collect_report(const recorded_trace& trace, const std::string& run_folder);

} // namespace troupe
