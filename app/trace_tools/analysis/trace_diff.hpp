/// What became slower from one run to another, by stage and message type.
#pragma once

#include "app/trace_tools/analysis/training_load.hpp"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace troupe {

/// Relative differences below this are noise: the buckets of the histograms are 12.5 % wide.
inline constexpr double diff_noise = 0.15;

/// One run's numbers of a row, while it trained.
struct diff_side {
  std::uint64_t num_actors = 0; ///< That such messages came to; 0: there were none.
  double seconds_per_step = 0;  ///< Handling time, per actor: what the row adds to a step if nothing hides it.
  double messages_per_step = 0;
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
  double difference = 0; ///< Seconds per step, B - A.
  diff_change change = diff_change::same;
};

struct trace_diff {
  std::uint64_t steps_a = 0, steps_b = 0;
  double step_seconds_a = 0, step_seconds_b = 0;
  std::vector<diff_row> rows; ///< The largest differences, up or down, first.

  /// B against A: 0.1 is a step that takes 10 % longer.
  [[nodiscard]] double step_change() const noexcept;
};

/// Compares the newest processes of two runs that did a step. `not_found` if there is none; says in which.
[[nodiscard]] expected<trace_diff> compare(const recorded_trace& a, const recorded_trace& b);

/// The first line says in words what became of a step.
void print_text(const trace_diff& diff, std::ostream& out);
void print_json(const trace_diff& diff, std::ostream& out);

} // namespace troupe
