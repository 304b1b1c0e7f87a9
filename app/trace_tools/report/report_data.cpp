#include "app/trace_tools/report/report_data.hpp"

#include "app/trace_tools/analysis/actor_role.hpp"
#include "app/trace_tools/report/record_pass.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <tuple>

namespace troupe {

namespace {

constexpr std::size_t most_messages = 12;
constexpr std::uint64_t most_lanes_of_stage = 8; ///< A stage of more actors has one lane for all.
constexpr std::size_t most_lanes = 48;
constexpr std::size_t most_spikes = 3;
constexpr std::size_t most_lost = 40;

/// Place of an actor in the flow of data.
auto order_of(std::string_view actor) {
  static constexpr std::array<std::string_view, 11> roles = {"reader",    "loader",   "augmenter", "relay",
                                                             "stage",     "collator", "trainer",   "listener",
                                                             "validator", "saver",    "logger"};
  const auto role = role_of(actor);
  const auto place = std::find(roles.begin(), roles.end(), role.role) - roles.begin();
  return std::tuple{role.in_validation, place, role.part, role.index.value_or(-1), std::string{actor}};
}

bool before(std::string_view a, std::string_view b) {
  return order_of(a) < order_of(b);
}

std::uint64_t count_of(const trace_summary& summary, trace_kind kind, std::string_view name) {
  std::uint64_t count = 0;
  for (const auto& row : summary.rows)
    if (row.kind == kind && row.message_type == name)
      count += row.stats.count();
  return count;
}

double seconds_of_span(const trace_summary& summary, std::string_view name) {
  double seconds = 0;
  for (const auto& row : summary.rows)
    if (row.kind == trace_kind::span && row.message_type == name)
      seconds += static_cast<double>(row.stats.handling.sum_ns) * 1e-9;
  return seconds;
}

void add_trainer_time(report_data& out) {
  if (out.summary.seconds <= 0)
    return;
  const auto share = [&](std::string_view span) { return seconds_of_span(out.summary, span) / out.summary.seconds; };
  out.trainer = {share("trains"), share("waits for batch") + share("waits for first batch"),
                 share("waits for validator")};
}

void add_stages(report_data& out) {
  auto actors = out.summary.actors;
  std::erase_if(actors, [](const auto& each) { return each.actor.empty(); });
  std::sort(actors.begin(), actors.end(), [](const auto& a, const auto& b) { return before(a.actor, b.actor); });
  for (const auto& load : actors) {
    const auto stage = stage_of(load.actor);
    const auto place =
      std::find_if(out.stages.begin(), out.stages.end(), [&](const auto& each) { return each.stage == stage; });
    auto& to = place == out.stages.end() ? out.stages.emplace_back() : *place;
    to.stage = stage;
    to.busy += load.busy;
    ++to.num_actors;
  }
  for (auto& stage : out.stages)
    stage.busy /= static_cast<double>(stage.num_actors);
}

/// Times of which the trace knows nothing about this actor, because its records are gone.
std::vector<std::pair<double, double>> unknown_times(const actor_record_sums& sums, const time_axis& axis) {
  std::vector<std::pair<double, double>> result;
  for (std::size_t i = 0; i < axis.stretches().size(); ++i) {
    const auto& stretch = axis.stretches()[i];
    if (stretch.complete)
      continue;
    const auto first = sums.first_seen.find(i);
    const auto end = stretch.offset + stretch.seconds();
    const auto until = first == sums.first_seen.end() ? end : std::min(first->second, end);
    if (until > stretch.offset)
      result.emplace_back(stretch.offset, until);
  }
  return result;
}

void add_to(actor_lane& sum, const actor_lane& lane) {
  for (std::size_t i = 0; i < num_report_bins; ++i) {
    sum.busy_bins[i] += lane.busy_bins[i];
    sum.queue_bins[i] += lane.queue_bins[i];
  }
  sum.busy += lane.busy;
  ++sum.num_actors;
}

/// One lane for all actors of a stage: the mean of them.
actor_lane merged(const std::string& stage, const std::vector<actor_lane>& lanes) {
  auto out = lanes.front();
  out.actor = stage;
  for (std::size_t i = 1; i < lanes.size(); ++i)
    add_to(out, lanes[i]);
  const auto count = static_cast<double>(out.num_actors);
  out.busy /= count;
  for (std::size_t i = 0; i < num_report_bins; ++i) {
    out.busy_bins[i] /= count;
    out.queue_bins[i] /= count;
  }
  return out;
}

std::map<std::string, double> busy_by_actor(const trace_summary& summary) {
  std::map<std::string, double> result;
  for (const auto& load : summary.actors)
    result[load.actor] = load.busy;
  return result;
}

void add_lanes(const record_pass& pass, report_data& out) {
  const auto busy = busy_by_actor(out.summary);
  std::map<std::string, std::vector<actor_lane>> stages;
  for (const auto& [actor, sums] : pass.actors) {
    const auto load = busy.find(actor);
    stages[stage_of(actor)].push_back({actor, 1, load == busy.end() ? 0 : load->second, sums.busy.per_bin(),
                                       sums.queue.per_bin(), unknown_times(sums, pass.axis)});
  }
  for (auto& [stage, lanes] : stages) {
    if (lanes.size() > most_lanes_of_stage)
      lanes = {merged(stage, lanes)};
    std::move(lanes.begin(), lanes.end(), std::back_inserter(out.lanes));
  }
  if (out.lanes.size() > most_lanes) {
    std::stable_sort(out.lanes.begin(), out.lanes.end(), [](const auto& a, const auto& b) { return a.busy > b.busy; });
    out.lanes.resize(most_lanes);
  }
  std::sort(out.lanes.begin(), out.lanes.end(), [](const auto& a, const auto& b) { return before(a.actor, b.actor); });
}

/// The curve of all steps if their records are there, else that of the log.
void add_loss(const record_pass& pass, report_data& out) {
  out.loss.spikes = pass.loss.spikes(most_spikes);
  out.loss.points = pass.loss.points();
  if (pass.loss.count() >= count_of(out.summary, trace_kind::value, "loss") || out.files.losses.empty())
    return;
  loss_curve logged;
  for (const auto& row : out.files.losses)
    logged.add(row.step, 0, row.loss);
  out.loss.points = logged.points();
  out.loss.logged = true;
}

void add_validations(const record_pass& pass, report_data& out) {
  out.validations = pass.validations;
  if (pass.validations.size() < out.files.validations.size()) {
    out.validations.clear();
    for (const auto& row : out.files.validations)
      out.validations.push_back({row.step, row.top1});
  }
  std::stable_sort(out.validations.begin(), out.validations.end(),
                   [](const auto& a, const auto& b) { return a.step < b.step; });
}

void add_checkpoints(const record_pass& pass, report_data& out) {
  std::map<std::uint64_t, checkpoint_mark> by_version;
  for (const auto& each : out.files.checkpoints)
    by_version[each.version] = {each.step, each.version, 0};
  for (const auto& each : pass.checkpoints)
    by_version[each.version] = each;
  for (const auto& [version, mark] : by_version)
    out.checkpoints.push_back(mark);
  out.num_checkpoints = std::max<std::uint64_t>(count_of(out.summary, trace_kind::mark, "checkpoint durable"),
                                                out.files.outcome ? out.files.outcome->durable : 0);
}

void add_slow_samples(const record_pass& pass, const recorded_trace& trace, report_data& out) {
  for (const auto& [duration, placed] : pass.slow_samples.kept()) {
    const auto& process = trace.processes[placed.process];
    auto& to = out.slow_samples.emplace_back();
    to.sample = to_sample(placed.record);
    to.augmenter = process.name(placed.record.receiver);
    to.in_validation = role_of(to.augmenter).in_validation;
    to.at = process.since_start(placed.record.dequeued_ns);
  }
}

std::uint64_t usual_time(const trace_summary& summary, const std::string& actor, const std::string& type) {
  for (const auto& row : summary.rows)
    if (row.kind == trace_kind::message && row.actor == actor && row.message_type == type)
      return row.stats.handling.quantile(0.5);
  return 0;
}

slow_message describe(const placed_record& placed, const recorded_trace& trace) {
  const auto& record = placed.record;
  const auto& process = trace.processes[placed.process];
  slow_message out;
  out.id = record.message;
  out.type = process.name(record.name);
  out.actor = process.name(record.receiver);
  out.handling_ns = static_cast<std::uint64_t>(record.ended_ns - record.dequeued_ns);
  out.wait_ns = static_cast<std::uint64_t>(std::max<std::int64_t>(record.dequeued_ns - record.enqueued_ns, 0));
  out.at = process.since_start(record.dequeued_ns);
  out.ids = {record.sample, record.batch, record.step, record.version, record.bytes};
  return out;
}

void add_slow_messages(const record_pass& pass, const recorded_trace& trace, report_data& out) {
  leaders<std::int64_t, placed_record> slowest(most_messages);
  for (const auto& [key, candidates] : pass.slow_messages)
    for (const auto& [duration, placed] : candidates.kept())
      slowest.add(duration, placed);
  for (const auto& [duration, placed] : slowest.kept()) {
    auto message = describe(placed, trace);
    message.usual_ns = usual_time(out.summary, message.actor, message.type);
    out.slow_messages.push_back(std::move(message));
  }
}

void add_lost(report_data& out) {
  for (const auto& row : out.summary.rows)
    for (std::size_t i = 1; i < num_trace_outcomes; ++i) // 0: handled.
      if (row.kind == trace_kind::message && row.stats.outcomes[i] > 0)
        out.lost.push_back(
          {row.actor, row.message_type, to_string(static_cast<trace_outcome>(i)), row.stats.outcomes[i]});
  std::stable_sort(out.lost.begin(), out.lost.end(), [](const auto& a, const auto& b) {
    return std::pair{a.outcome == "threw", a.count} > std::pair{b.outcome == "threw", b.count};
  });
  if (out.lost.size() > most_lost)
    out.lost.resize(most_lost);
}

} // namespace

std::string status_of(const report_data& report) {
  const auto& processes = report.summary.trace->processes;
  if (!processes.empty() && processes.back().state != process_state::finished)
    return to_string(processes.back().state);
  if (report.files.outcome && !report.files.outcome->status.empty())
    return report.files.outcome->status;
  return processes.empty() ? "nothing was recorded" : to_string(processes.back().state);
}

std::uint64_t steps_of(const report_data& report) {
  return report.files.outcome ? report.files.outcome->steps : report.found.num_steps;
}

report_data collect_report(const recorded_trace& trace, const std::string& run_folder) {
  report_data out;
  out.files = read_run_files(run_folder);
  out.found = judge(trace, threads_of_run(trace, run_folder));
  out.summary = summarize(trace);
  record_pass pass(trace);
  pass.read();
  out.stretches = pass.axis.stretches();
  out.axis_seconds = pass.axis.seconds();
  out.axis_begin = out.stretches.size() == 1 ? out.stretches.front().skipped : 0;
  out.complete = pass.axis.complete();
  out.phases = pass.phases;
  out.batch_wait_bins = pass.batch_waits.per_bin();
  out.validator_wait_bins = pass.validator_waits.per_bin();
  add_loss(pass, out);
  add_validations(pass, out);
  add_checkpoints(pass, out);
  add_lanes(pass, out);
  add_trainer_time(out);
  add_stages(out);
  add_slow_samples(pass, trace, out);
  add_slow_messages(pass, trace, out);
  add_lost(out);
  return out;
}

} // namespace troupe
