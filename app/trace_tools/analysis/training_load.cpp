#include "app/trace_tools/analysis/training_load.hpp"

#include "app/trace_tools/analysis/actor_role.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace troupe {

namespace {

training_time training_of(const recorded_process& process) {
  const auto batches = stats_of(process, trace_kind::message, "trainer", "batch_ready");
  const auto losses = stats_of(process, trace_kind::value, "trainer", "loss");
  const auto logged = stats_of(process, trace_kind::message, "logger", "step_completed");
  // Batches that came while the trainer waited for the validator are trained on later than they are "handled".
  return {&process, batches.first_ns, std::max({batches.first_ns, batches.last_ns, losses.last_ns}),
          std::max(losses.count(), logged.count()), batches.count()};
}

} // namespace

message_stats stats_of(const recorded_process& process, trace_kind kind, std::string_view actor,
                       std::string_view name) {
  message_stats total;
  for (const auto& [key, stats] : process.stats)
    if (key.kind == kind && process.name(key.type) == name && (actor.empty() || process.name(key.receiver) == actor))
      total.merge(stats);
  return total;
}

double training_time::seconds() const noexcept {
  return std::max(static_cast<double>(ended_ns) - static_cast<double>(begun_ns), 0.0) * 1e-9;
}

training_time find_training(const recorded_trace& trace) {
  for (auto process = trace.processes.rbegin(); process != trace.processes.rend(); ++process)
    if (auto training = training_of(*process); training.num_steps > 0 && training.begun_ns > 0)
      return training;
  return {};
}

std::string stage_of(std::string_view actor) {
  const auto role = role_of(actor);
  const std::string pipeline = role.in_validation ? "validation " : "";
  if (!role.part.empty() && role.role != "augmenter")
    return pipeline + role.role + ' ' + role.part;
  return pipeline + role.role + (role.index ? "s" : "");
}

double seconds_within(const message_stats& stats, const training_time& training) noexcept {
  if (stats.first_ns == 0 || stats.last_ns < training.begun_ns || stats.first_ns > training.ended_ns)
    return 0;
  const auto sum = static_cast<double>(stats.handling.sum_ns) * 1e-9;
  const auto length = static_cast<double>(stats.last_ns) - static_cast<double>(stats.first_ns);
  const auto overlap = static_cast<double>(std::min(stats.last_ns, training.ended_ns))
                       - static_cast<double>(std::max(stats.first_ns, training.begun_ns));
  return length > 0 ? sum * std::clamp(overlap / length, 0.0, 1.0) : sum;
}

double trainer_span_seconds(const training_time& training, std::string_view name) {
  return seconds_within(stats_of(*training.process, trace_kind::span, "trainer", name), training);
}

std::vector<stage_load> stage_loads(const training_time& training) {
  std::map<std::string, stage_load> stages;
  std::map<std::string, std::set<std::string>> actors;
  const auto& process = *training.process;
  for (const auto& [key, stats] : process.stats) {
    if (key.kind != trace_kind::message || key.receiver == 0)
      continue;
    const auto& actor = process.name(key.receiver);
    const auto stage = stage_of(actor);
    actors[stage].insert(actor);
    stages[stage].part = role_of(actor).part;
    stages[stage].seconds_per_step += seconds_within(stats, training); // For now: in all.
  }
  std::vector<stage_load> loads;
  for (auto& [name, load] : stages) {
    const auto total = load.seconds_per_step;
    load.stage = name;
    load.num_actors = actors[name].size();
    if (training.seconds() > 0)
      load.busy = std::clamp(total / training.seconds() / static_cast<double>(load.num_actors), 0.0, 1.0);
    load.seconds_per_step = training.num_steps > 0 ? total / static_cast<double>(training.num_steps) : 0;
    loads.push_back(std::move(load));
  }
  return loads;
}

} // namespace troupe
