/// What became slower from one run to another, by stage and message type.
#pragma once

#include "app/trace_tools/analysis/training_load.hpp"

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

/// Relative differences below this are noise: the buckets of the histograms are 12.5 % wide.
inline constexpr double diff_noise = 0.15;

/// Below this many steps a comparison is chance.
inline constexpr std::uint64_t least_diff_steps = 20;

/// What the steps of a run are made of, as its config has it.
struct step_shape {
  std::uint64_t batch_size = 1; ///< Samples.
  std::uint64_t accumulate = 1; ///< Batches.
  friend bool operator==(const step_shape&, const step_shape&) = default;
};

/// One run's numbers of a row, while it trained, for each unit: a step, or a sample.
struct diff_side {
  std::uint64_t num_actors = 0; ///< That such messages came to; 0: there were none.
  double seconds = 0;           ///< Handling time, per actor: what the row adds to the unit if nothing hides it.
  double messages = 0;
  std::uint64_t handling_p50_ns = 0;
  std::uint64_t handling_p99_ns = 0;
  std::uint64_t wait_p50_ns = 0;
  std::uint64_t wait_p99_ns = 0;
};

enum class diff_change : std::uint8_t { same, slower, faster, only_a, only_b };

[[nodiscard]] const char* to_string(diff_change change) noexcept;

struct diff_row {
  std::string stage; ///< As `stage_of` has it.
  std::string what;  ///< Message type, or what the trainer waited for.
  diff_side a, b;
  double difference = 0; ///< Seconds per unit, B - A.
  diff_change change = diff_change::same;
};

struct trace_diff {
  std::uint64_t steps_a = 0, steps_b = 0;
  bool per_sample = false;             ///< The steps are of different sizes: all is told per sample.
  double seconds_a = 0, seconds_b = 0; ///< That a unit took.
  std::vector<diff_row> rows;          ///< The largest differences, up or down, first.
  std::vector<std::string> remarks;    ///< What the reader should know before believing it.

  /// B against A: 0.1 is a unit that takes 10 % longer.
  [[nodiscard]] double change() const noexcept;
};

/// One of the two runs.
struct diff_run {
  const recorded_trace& trace;
  std::optional<step_shape> shape = {}; ///< None: unknown.
};

/// Compares the newest processes of two runs that did a step. `not_found` if there is none; says in which.
[[nodiscard]] expected<trace_diff> compare(const diff_run& a, const diff_run& b);

/// As the run's newest config has it; nothing if that cannot be read.
[[nodiscard]] std::optional<step_shape> shape_of_run(const std::string& run_folder);

/// The first line says in words what became of a step. Then the rows that make a difference.
void print_text(const trace_diff& diff, std::ostream& out);
void print_json(const trace_diff& diff, std::ostream& out);

} // namespace troupe
