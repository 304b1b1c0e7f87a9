/// The time in which a process trained, and what its stages did in it.
#pragma once

#include "actors/tracer/recorded_trace.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// From the first batch that the trainer took up to the last one that it was done with.
struct training_time {
  const recorded_process* process = nullptr; ///< Null: no process trained.
  std::int64_t begun_ns = 0;                 ///< On the clock of the records.
  std::int64_t ended_ns = 0;
  std::uint64_t num_steps = 0;   ///< Of the optimizer.
  std::uint64_t num_batches = 0; ///< That the trainer took.

  [[nodiscard]] double seconds() const noexcept;
};

/// All actors of one role in one pipeline, over the time in which steps were done.
struct stage_load {
  std::string stage;     ///< "readers", "augmenters", "validation augmenters", "trainer", "stage smear" ...
  std::string part = {}; ///< Of a plugin's actors: what they are, "smear"; empty: they are the program's own.
  std::uint64_t num_actors = 0;
  double busy = 0;             ///< Share of that time that their handlers took, per actor: 0..1.
  double seconds_per_step = 0; ///< Handling time that a step costs, of all of them together.
};

/// Sum of all rows of that kind and name, at that actor, or at all of them if `actor` is empty; whoever sent it.
[[nodiscard]] message_stats stats_of(const recorded_process& process, trace_kind kind, std::string_view actor,
                                     std::string_view name);

/// That of the newest process of `trace`, which must outlive the result, that did a step.
[[nodiscard]] training_time find_training(const recorded_trace& trace);

/// The stage that an actor belongs to: its role, in the plural where there are several: "validation augmenters". A
/// plugin's augmenters are augmenters; its other actors are a stage for each kind: "stage smear".
[[nodiscard]] std::string stage_of(std::string_view actor);

/// Seconds of the handling times of `stats` that fall into the training. What began before or ended after it is taken to
/// be spread evenly. 0 if it has nothing to do with it.
[[nodiscard]] double seconds_within(const message_stats& stats, const training_time& training) noexcept;

/// Seconds that the trainer spent in spans of that name while it trained.
[[nodiscard]] double trainer_span_seconds(const training_time& training, std::string_view name);

/// By name. @pre `training.process`
[[nodiscard]] std::vector<stage_load> stage_loads(const training_time& training);

} // namespace troupe
