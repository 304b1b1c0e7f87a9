#include "app/trace_tools/analysis/trace_diff.hpp"

#include "app/config/load_config.hpp"
#include "app/trace_tools/remake/data_place.hpp"

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

diff_side side_of(const row_source& source, double num_units) {
  const auto num_actors = std::max<std::size_t>(source.actors.size(), 1);
  return {source.actors.size(),
          source.seconds / num_units / static_cast<double>(num_actors),
          static_cast<double>(source.stats.count()) / num_units,
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
  const auto difference = b.seconds - a.seconds;
  if (std::abs(difference) <= diff_noise * a.seconds)
    return diff_change::same;
  return difference > 0 ? diff_change::slower : diff_change::faster;
}

/// Steps, or the samples of the batches that were trained on: an epoch's last batch counts as a whole one.
double units_of(const training_time& training, const std::optional<step_shape>& shape, bool samples) {
  if (!samples)
    return static_cast<double>(training.num_steps);
  const auto num_batches = training.num_batches > 0 ? training.num_batches : training.num_steps * shape->accumulate;
  return static_cast<double>(num_batches) * static_cast<double>(shape->batch_size);
}

std::string shape_text(const step_shape& shape) {
  return std::to_string(shape.batch_size) + " x " + std::to_string(shape.accumulate);
}

void add_remarks(const diff_run& a, const diff_run& b, trace_diff& diff) {
  if (!a.shape || !b.shape)
    diff.remarks.push_back("the config of run " + std::string{a.shape ? "B" : "A"}
                           + " cannot be read: whether their steps are of the same size is not known");
  else if (diff.per_sample)
    diff.remarks.push_back("a step of A has " + shape_text(*a.shape)
                           + " samples (batch size x accumulated batches), of B " + shape_text(*b.shape)
                           + ": everything is told per sample");
  for (const auto& [steps, run] : {std::pair{diff.steps_a, "A"}, std::pair{diff.steps_b, "B"}})
    if (steps < least_diff_steps)
      diff.remarks.push_back("run " + std::string{run} + " has only " + std::to_string(steps) + " steps, expected "
                             + std::to_string(least_diff_steps) + " at least: the differences may be chance");
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

double trace_diff::change() const noexcept {
  return seconds_a > 0 ? seconds_b / seconds_a - 1 : 0;
}

expected<trace_diff> compare(const diff_run& a, const diff_run& b) {
  const auto training_a = find_training(a.trace);
  const auto training_b = find_training(b.trace);
  if (training_a.process == nullptr || training_b.process == nullptr)
    return failure{ec::not_found, std::string{"trace: run "} + (training_a.process == nullptr ? "A" : "B")
                                    + " recorded no step: nothing to compare"};
  trace_diff diff;
  diff.steps_a = training_a.num_steps;
  diff.steps_b = training_b.num_steps;
  diff.per_sample = a.shape && b.shape && *a.shape != *b.shape;
  const auto units_a = units_of(training_a, a.shape, diff.per_sample);
  const auto units_b = units_of(training_b, b.shape, diff.per_sample);
  diff.seconds_a = training_a.seconds() / units_a;
  diff.seconds_b = training_b.seconds() / units_b;
  add_remarks(a, b, diff);
  auto sources_a = sources_of(training_a);
  auto sources_b = sources_of(training_b);
  for (const auto& each : sources_a)
    sources_b.try_emplace(each.first);
  for (const auto& [key, source] : sources_b) {
    diff_row row{key.first, key.second, side_of(sources_a[key], units_a), side_of(source, units_b), 0, {}};
    row.difference = row.b.seconds - row.a.seconds;
    row.change = change_of(row.a, row.b);
    diff.rows.push_back(std::move(row));
  }
  std::stable_sort(diff.rows.begin(), diff.rows.end(),
                   [](const auto& x, const auto& y) { return std::abs(x.difference) > std::abs(y.difference); });
  return diff;
}

std::optional<step_shape> shape_of_run(const std::string& run_folder) {
  const auto config = load_config(config_path_of(run_folder));
  if (!config)
    return std::nullopt;
  return step_shape{config->pipeline.batch_size, config->train.accumulate};
}

} // namespace troupe
