#include "app/trace_tools/story/crash_report.hpp"

#include "actors/glue/trace_map.hpp"
#include "app/trace_tools/analysis/trace_top.hpp"
#include "app/trace_tools/story/record_text.hpp"
#include "app/trace_tools/text/trace_text.hpp"

#include <algorithm>
#include <map>

namespace troupe {

namespace {

constexpr std::size_t most_threw = 20;

bool is_stopped(const recorded_process& process) {
  const auto map = trace_map::open(process.rings);
  return map && condition_of(**map) == run_condition::stopped;
}

std::string cause_of(const recorded_process& process, bool flight_recorder) {
  if (flight_recorder)
    return "flight recorder: " + (process.reason.empty() ? "no reason given" : process.reason);
  if (process.state == process_state::running)
    return is_stopped(process) ? "it is stopped (SIGSTOP, or by a debugger), and goes on with SIGCONT"
                               : "it still runs";
  std::string text;
  if (process.fatal_signal != 0)
    text = killed_text(process.fatal_signal);
  if (!process.last_words.empty())
    text += (text.empty() ? "ended by an exception that nobody caught: " : "; last words: ") + process.last_words;
  return text.empty() ? "killed without a word (SIGKILL, out of memory, power)" : text;
}

std::vector<message_in_hand> in_hand_of(const recorded_process& process) {
  std::vector<message_in_hand> found;
  for (const auto& state : process.actors)
    if (state.now)
      found.push_back({process.name(state.name), process.name(state.now->type), state.now->message, state.now->ids,
                       static_cast<double>(std::max<std::int64_t>(process.seen_ns - state.now->since_ns, 0)) * 1e-9});
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
  return found;
}

/// The newest few records by some time, oldest first.
class newest_records {
public:
  void offer(std::size_t limit, std::int64_t ns, const trace_record& record) {
    if (limit == 0 || (records_.size() >= limit && ns < records_.begin()->first))
      return;
    records_.emplace(ns, record);
    if (records_.size() > limit)
      records_.erase(records_.begin());
  }

  [[nodiscard]] std::vector<trace_record> all() const {
    std::vector<trace_record> out;
    for (const auto& each : records_)
      out.push_back(each.second);
    return out;
  }

private:
  std::multimap<std::int64_t, trace_record> records_;
};

/// Asks an actor how it is, or answers that: the supervisor goes on with it when nothing else moves any more.
bool is_status(const recorded_process& process, const trace_record& record) {
  const auto& type = process.name(record.name);
  return type == "status" || type == "actor_status";
}

void read_records(const crash_options& options, crash_scene& scene) {
  std::map<std::string, actor_tail> actors;
  for (const auto& state : scene.process.actors)
    actors[scene.process.name(state.name)].mailbox_depth += state.mailbox_depth;
  std::map<std::uint32_t, newest_records> newest;
  newest_records threw;
  newest_records exits;
  visit_records(scene.process, [&](const trace_record& record) {
    if (record.kind == trace_kind::exit)
      exits.offer(max_traced_actors, record.enqueued_ns, record);
    if (record.kind != trace_kind::message)
      return;
    auto& of_receiver = newest[record.receiver];
    if (!is_status(scene.process, record))
      of_receiver.offer(options.num_last, last_ns_of(record), record);
    if (record.outcome == trace_outcome::threw)
      threw.offer(most_threw, last_ns_of(record), record);
  });
  for (const auto& [receiver, records] : newest) {
    auto& tail = actors[scene.process.name(receiver)];
    tail.has_records = true;
    tail.newest = records.all();
  }
  for (auto& [name, tail] : actors) {
    tail.actor = name;
    scene.actors.push_back(std::move(tail));
  }
  scene.threw = threw.all();
  scene.exits = exits.all();
}

/// Messages of that type at that actor, whatever became of them.
std::uint64_t count_at(const recorded_process& process, std::string_view actor, std::string_view type) {
  std::uint64_t total = 0;
  for (const auto& [key, stats] : process.stats)
    if (key.kind == trace_kind::message && process.name(key.receiver) == actor && process.name(key.type) == type)
      total += stats.count();
  return total;
}

/// A buffer is out from the moment the loader has it until the trainer has handled its batch. What the trainer gives back
/// early, in the midst of a batch, is out again while the batch is not counted yet.
std::optional<buffer_credits> credits_of(const crash_scene& scene, const crash_options& options) {
  const auto& process = scene.process;
  const auto taken = count_at(process, "loader", "buffer_returned");
  if (!options.prefetch_batches || taken == 0)
    return std::nullopt;
  const auto handled = count_at(process, "trainer", "batch_ready");
  const auto out = taken - std::min(taken, handled);
  const auto is_training = std::any_of(scene.in_hand.begin(), scene.in_hand.end(), [](const auto& each) {
    return each.actor == "trainer" && each.type == "batch_ready";
  });
  std::uint64_t trainer_depth = 0;
  for (const auto& state : process.actors)
    if (process.name(state.name) == "trainer")
      trainer_depth += state.mailbox_depth;
  buffer_credits credits{.minted = *options.prefetch_batches};
  auto rest = std::min(out, credits.minted);
  credits.with_trainer = is_training && out <= credits.minted && rest > 0 ? 1 : 0;
  rest -= credits.with_trainer;
  credits.waiting = std::min(trainer_depth, rest);
  credits.filling = rest - credits.waiting;
  credits.returning = credits.minted - std::min(out, credits.minted);
  return credits;
}

crash_scene look_at(recorded_process process, std::string flight_recorder, const crash_options& options) {
  crash_scene scene;
  scene.cause = cause_of(process, !flight_recorder.empty());
  scene.when = utc_text(process.realtime_ns + (process.seen_ns - process.started_ns), "%Y-%m-%d %H:%M:%S UTC");
  scene.process = std::move(process);
  scene.flight_recorder = std::move(flight_recorder);
  scene.in_hand = in_hand_of(scene.process);
  read_records(options, scene);
  scene.buffers = credits_of(scene, options);
  return scene;
}

} // namespace

crash_report investigate(const recorded_trace& trace, const std::string& folder, const crash_options& options) {
  crash_report report;
  report.problems = trace.problems;
  for (auto process = trace.processes.rbegin(); process != trace.processes.rend(); ++process) {
    if (process->state == process_state::finished)
      ++report.num_finished;
    else
      report.scenes.push_back(look_at(*process, {}, options));
  }
  auto flights = find_flight_recorders(folder);
  std::reverse(flights.begin(), flights.end());
  for (auto& path : flights) {
    if (auto process = open_flight_recorder(path))
      report.scenes.push_back(look_at(std::move(*process), path, options));
    else
      report.problems.push_back(process.error().context);
  }
  return report;
}

} // namespace troupe
