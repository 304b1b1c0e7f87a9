#include "app/trace_tools/analysis/trace_top.hpp"

#include "actors/glue/trace_map.hpp"

#include "app/trace_tools/text/trace_text.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <span>
#include <unistd.h>

namespace troupe {

namespace {

using name_function = std::function<std::string(std::uint32_t)>;

void add_counts(const stats_map& stats, const name_function& name, top_look& to) {
  for (const auto& [key, each] : stats) {
    if (key.kind != trace_kind::message || key.receiver == 0)
      continue;
    auto& actor = to.actors[name(key.receiver)];
    actor.num_messages += each.count();
    actor.busy_ns += each.handling.sum_ns;
  }
}

/// A message in hand is not among the counts yet: its time so far is added.
void add_states(std::span<const actor_state> states, const name_function& name, top_look& to) {
  for (const auto& state : states) {
    auto& actor = to.actors[name(state.name)];
    actor.mailbox_depth += state.mailbox_depth;
    if (!state.now)
      continue;
    const auto age_ns = std::max<std::int64_t>(to.at_ns - state.now->since_ns, 0);
    actor.busy_ns += static_cast<std::uint64_t>(age_ns);
    actor.now = top_message{name(state.now->type), static_cast<double>(age_ns) * 1e-9, state.now->ids};
  }
}

std::string id_of(std::uint64_t nonce) {
  std::array<char, 20> text{};
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(nonce));
  return text.data();
}

/// The letter of the process's state, see proc(5); 0: there is none of that number.
char state_letter(std::uint64_t pid) {
  std::ifstream file{"/proc/" + std::to_string(pid) + "/stat"};
  const std::string line{std::istreambuf_iterator<char>{file}, {}};
  const auto name_end = line.rfind(')'); // The name in parentheses may hold anything.
  return name_end != std::string::npos && name_end + 2 < line.size() ? line[name_end + 2] : '\0';
}

bool is_of_this_host(const trace_map& map) {
  std::array<char, 64> host{};
  gethostname(host.data(), host.size() - 1);
  return std::strncmp(host.data(), map.header().host.data(), host.size()) == 0;
}

std::string last_words_of(const recorded_process& process) {
  std::string text = process.fatal_signal == 0 ? "" : killed_text(process.fatal_signal);
  if (!process.last_words.empty())
    text += (text.empty() ? "" : ": ") + process.last_words;
  return text;
}

} // namespace

const char* to_string(run_condition condition) noexcept {
  switch (condition) {
  case run_condition::running:
    return "running";
  case run_condition::stopped:
    return "stopped";
  case run_condition::finished:
    return "finished";
  case run_condition::died:
    return "died";
  }
  return "unknown";
}

top_look look_at(const trace_map& map, std::int64_t now_ns) {
  top_look look{now_ns, {}};
  const auto strings = map.strings();
  const name_function name = [&](std::uint32_t number) {
    auto text = strings.text(number);
    return text.empty() ? std::string{"(other)"} : text;
  };
  add_counts(map.merged_stats(), name, look);
  add_states(map.actor_states(), name, look);
  return look;
}

top_view view_between(const top_look& before, const top_look& after) {
  top_view view;
  view.interval_seconds = std::max(static_cast<double>(after.at_ns) - static_cast<double>(before.at_ns), 0.0) * 1e-9;
  for (const auto& [name, now] : after.actors) {
    const auto found = before.actors.find(name);
    const auto then = found == before.actors.end() ? top_look::actor{} : found->second;
    top_actor actor{name, now.mailbox_depth, 0, 0, now.now};
    if (view.interval_seconds > 0) {
      // The two looks at an actor are not of the very same moment: a little less than nothing is nothing.
      const auto busy_ns = std::max(now.busy_ns, then.busy_ns) - then.busy_ns;
      actor.busy = std::min(static_cast<double>(busy_ns) * 1e-9 / view.interval_seconds, 1.0);
      const auto num_messages = std::max(now.num_messages, then.num_messages) - then.num_messages;
      actor.messages_per_second = static_cast<double>(num_messages) / view.interval_seconds;
    }
    view.actors.push_back(std::move(actor));
  }
  return view;
}

top_view view_of_end(const recorded_process& process) {
  top_look end{process.seen_ns, {}};
  const name_function name = [&](std::uint32_t number) { return process.name(number); };
  add_counts(process.stats, name, end);
  if (process.state != process_state::finished)
    add_states(process.actors, name, end);
  auto view = view_between({process.started_ns, {}}, end);
  view.process = process.id;
  view.pid = process.pid;
  view.condition = process.state == process_state::finished ? run_condition::finished
                   : process.state == process_state::died   ? run_condition::died
                                                            : run_condition::running;
  view.up_seconds = process.seconds();
  view.last_words = last_words_of(process);
  return view;
}

expected<std::shared_ptr<trace_map>> find_live_map(const std::string& folder) {
  std::shared_ptr<trace_map> newest;
  std::error_code error;
  for (std::filesystem::directory_iterator entry{folder, error};
       !error && entry != std::filesystem::directory_iterator{}; entry.increment(error)) {
    const auto name = entry->path().filename().string();
    if (!name.starts_with("rings-") || !name.ends_with(".bin"))
      continue;
    auto map = trace_map::open(entry->path().string());
    if (map && condition_of(**map) != run_condition::died
        && (!newest || newest->header().realtime_ns < (*map)->header().realtime_ns))
      newest = std::move(*map);
  }
  if (!newest)
    return failure{ec::not_found, "trace: no running process in " + folder + ": expected a rings-*.bin of one"};
  return newest;
}

run_condition condition_of(const trace_map& map) {
  if (!is_of_this_host(map))
    return run_condition::died;
  switch (state_letter(map.header().process)) {
  case '\0':
  case 'X':
  case 'Z':
    return run_condition::died;
  case 'T':
  case 't':
    return run_condition::stopped;
  default:
    return run_condition::running;
  }
}

void describe_process(const trace_map& map, std::int64_t now_ns, top_view& view) {
  const auto& header = map.header();
  view.process = id_of(header.nonce);
  view.pid = header.process;
  view.condition = condition_of(map);
  view.up_seconds = std::max(static_cast<double>(now_ns) - static_cast<double>(header.monotonic_ns), 0.0) * 1e-9;
}

} // namespace troupe
