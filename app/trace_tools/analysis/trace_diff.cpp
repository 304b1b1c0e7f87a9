#include "app/trace_tools/analysis/trace_diff.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace troupe {

namespace {

using row_key = std::pair<std::string, std::string>; // stage, what

struct row_source {
  message_stats stats;
  double seconds = 0; ///< Within the training.
  std::set<std::string> actors;
};

/// Messages that were handled while the run trained, and the trainer's waits.
std::map<row_key, row_source> sources_of(const training_time& training) {
  std::map<row_key, row_source> sources;
  const auto& process = *training.process;
  for (const auto& [key, stats] : process.stats) {
    const auto& what = process.name(key.type);
    const bool is_wait = key.kind == trace_kind::span && what.starts_with("waits");
    const bool is_outside = stats.first_ns > training.ended_ns || stats.last_ns < training.begun_ns;
    if ((key.kind != trace_kind::message && !is_wait) || key.receiver == 0 || is_outside)
      continue;
    const auto& actor = process.name(key.receiver);
    auto& source = sources[{stage_of(actor), what}];
    source.stats.merge(stats);
    source.seconds += seconds_within(stats, training);
    source.actors.insert(actor);
  }
  return sources;
}

diff_side side_of(const row_source& source, const training_time& training) {
  const auto steps = static_cast<double>(training.num_steps);
  const auto num_actors = std::max<std::size_t>(source.actors.size(), 1);
  return {source.actors.size(),
          source.seconds / steps / static_cast<double>(num_actors),
          static_cast<double>(source.stats.count()) / steps,
          source.stats.handling.quantile(0.5),
          source.stats.handling.quantile(0.99),
          source.stats.wait.quantile(0.5),
          source.stats.wait.quantile(0.99)};
}

diff_change change_of(const diff_side& a, const diff_side& b) {
  if (b.num_actors == 0)
    return diff_change::only_a;
  if (a.num_actors == 0)
    return diff_change::only_b;
  const auto difference = b.seconds_per_step - a.seconds_per_step;
  if (std::abs(difference) <= diff_noise * a.seconds_per_step)
    return diff_change::same;
  return difference > 0 ? diff_change::slower : diff_change::faster;
}

double step_seconds(const training_time& training) {
  return training.seconds() / static_cast<double>(training.num_steps);
}

} // namespace

const char* to_string(diff_change change) noexcept {
  switch (change) {
  case diff_change::same:
    return "same";
  case diff_change::slower:
    return "slower";
  case diff_change::faster:
    return "faster";
  case diff_change::only_a:
    return "only in A";
  case diff_change::only_b:
    return "only in B";
  }
  return "unknown";
}

double trace_diff::step_change() const noexcept {
  return step_seconds_a > 0 ? step_seconds_b / step_seconds_a - 1 : 0;
}

expected<trace_diff> compare(const recorded_trace& a, const recorded_trace& b) {
  const auto training_a = find_training(a);
  const auto training_b = find_training(b);
  if (training_a.process == nullptr || training_b.process == nullptr)
    return failure{ec::not_found, std::string{"trace: run "} + (training_a.process == nullptr ? "A" : "B")
                                    + " recorded no step: nothing to compare"};
  trace_diff diff{training_a.num_steps, training_b.num_steps, step_seconds(training_a), step_seconds(training_b), {}};
  auto sources_a = sources_of(training_a);
  auto sources_b = sources_of(training_b);
  for (const auto& each : sources_a)
    sources_b.try_emplace(each.first);
  for (const auto& [key, source] : sources_b) {
    diff_row row{key.first, key.second, side_of(sources_a[key], training_a), side_of(source, training_b), 0, {}};
    row.difference = row.b.seconds_per_step - row.a.seconds_per_step;
    row.change = change_of(row.a, row.b);
    diff.rows.push_back(std::move(row));
  }
  std::stable_sort(diff.rows.begin(), diff.rows.end(),
                   [](const auto& x, const auto& y) { return std::abs(x.difference) > std::abs(y.difference); });
  return diff;
}

} // namespace troupe
