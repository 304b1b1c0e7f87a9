#include "app/trace_tools/analysis/trace_summary.hpp"

#include <map>
#include <tuple>

namespace troupe {

namespace {

using row_key = std::tuple<trace_kind, std::string, std::string, std::string>; // kind, actor, type, sender

void add_actors(const recorded_process& process, std::map<std::string, actor_load>& to) {
  for (const auto& state : process.actors) {
    auto& load = to[process.name(state.name)];
    load.mailbox_depth += process.state == process_state::finished ? 0 : state.mailbox_depth;
  }
}

} // namespace

trace_summary summarize(const recorded_trace& trace, summary_by by) {
  trace_summary summary;
  summary.trace = &trace;
  summary.by = by;
  std::map<row_key, message_stats> rows;
  std::map<std::string, actor_load> actors;
  for (const auto& process : trace.processes) {
    for (const auto& [key, stats] : process.stats) {
      const auto sender = by == summary_by::edge && key.sender != 0 ? process.name(key.sender) : std::string{};
      rows[{key.kind, process.name(key.receiver), process.name(key.type), sender}].merge(stats);
    }
    add_actors(process, actors);
    summary.seconds += process.seconds();
  }
  for (auto& [key, stats] : rows) {
    const auto& [kind, actor, type, sender] = key;
    summary.rows.push_back({kind, sender, actor, type, stats});
    if (kind == trace_kind::message && summary.seconds > 0)
      actors[actor].busy += static_cast<double>(stats.handling.sum_ns) * 1e-9 / summary.seconds;
  }
  for (auto& [name, load] : actors) {
    load.actor = name;
    summary.actors.push_back(load);
  }
  return summary;
}

} // namespace troupe
