#include "app/trace_tools/story/lost_messages.hpp"

#include "app/trace_tools/analysis/actor_role.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <tuple>

namespace troupe {

namespace {

constexpr std::size_t num_newest = 3;

struct judgement {
  bool normal = false;
  std::string reason;
};

using type_reason = std::pair<std::string_view, std::string_view>;

/// What may be left over when a run ends, and why.
constexpr std::array<type_reason, 22> leftovers = {{
  {"batch_ready", "prefetched for steps that the run did not make any more"},
  {"slice_filled", "prefetched for steps that the run did not make any more"},
  {"chunk_ready", "prefetched for steps that the run did not make any more"},
  {"chunk_wanted", "read ahead for steps that the run did not make any more"},
  {"chunk_read", "read ahead for steps that the run did not make any more"},
  {"samples_wanted", "wanted for steps that the run did not make any more"},
  {"samples_to_read", "wanted for steps that the run did not make any more"},
  {"samples_found", "wanted for steps that the run did not make any more"},
  {"chunk_done", "the loader had left: nothing was to be handed out any more"},
  {"next augmenter", "the loader had left: nothing was to be handed out any more"},
  {"next reader", "the loader had left: nothing was to be handed out any more"},
  {"buffer_returned", "the loader had left: the buffer's memory was given back"},
  {"slice_dropped", "the loader had left: the buffer's memory was given back"},
  {"replacement_wanted", "the loader had left: the buffer's memory was given back"},
  {"snapshot_judged", "the trainer had left: its steps were done"},
  {"stop_training", "the trainer had left already"},
  {"status", "asked of an actor that had left"},
  {"actor_status", "an answer that nobody waited for any more"},
  {"down", "news of an end, to an actor that had ended too"},
  {"exit", "told to end, and had ended already"},
  {"internal", "a reminder to itself that was not needed any more"},
  {"sys", "a matter of the actor system, to an actor that had left"},
}};

std::string_view leftover_reason(std::string_view type) {
  const auto first_word = type.substr(0, type.find(' '));
  for (const auto& [name, reason] : leftovers)
    if (type == name || (first_word == name && name != "next"))
      return reason;
  if (type.starts_with("down_msg") || type.starts_with("exit_msg"))
    return "news of an end, to an actor that had ended too";
  return {};
}

judgement judge(const recorded_process& process, const lost_messages& lost, bool actor_threw) {
  if (lost.outcome == trace_outcome::threw)
    return {false, "an exception left the handler"};
  const auto reason = leftover_reason(lost.type);
  if (lost.outcome == trace_outcome::dropped)
    return {!reason.empty(), "dropped without a handler: as a rule an answer that came after its time-out"};
  if (actor_threw)
    return {false, "the actor ended by an exception, and its mailbox with it"};
  if (reason.empty())
    return {false, "it should have been handled: what it told is lost"};
  if (process.state != process_state::finished)
    return {false, "the run had not ended, but the actor had"};
  return {true, std::string{reason}};
}

using lost_key = std::tuple<std::uint32_t, std::uint32_t, trace_outcome>; // receiver, type

/// The newest ids of the messages that were not handled, oldest first.
std::map<lost_key, std::deque<std::uint64_t>> newest_lost(const recorded_process& process) {
  std::map<lost_key, std::multimap<std::int64_t, std::uint64_t>> newest;
  visit_records(process, [&](const trace_record& record) {
    if (record.kind != trace_kind::message || record.outcome == trace_outcome::handled)
      return;
    auto& ids = newest[{record.receiver, record.name, record.outcome}];
    ids.emplace(record.enqueued_ns, record.message);
    if (ids.size() > num_newest)
      ids.erase(ids.begin());
  });
  std::map<lost_key, std::deque<std::uint64_t>> out;
  for (const auto& [key, ids] : newest)
    for (const auto& [when, id] : ids)
      out[key].push_back(id);
  return out;
}

void find_in_process(const recorded_trace& trace, std::size_t index, std::vector<lost_messages>& out) {
  const auto& process = trace.processes[index];
  std::map<lost_key, std::uint64_t> counts;
  std::map<std::uint32_t, bool> threw;
  for (const auto& [key, stats] : process.stats) {
    if (key.kind != trace_kind::message)
      continue;
    for (std::size_t i = 1; i < num_trace_outcomes; ++i)
      if (stats.outcomes[i] > 0)
        counts[{key.receiver, key.type, static_cast<trace_outcome>(i)}] += stats.outcomes[i];
    threw[key.receiver] |= stats.outcomes[static_cast<std::size_t>(trace_outcome::threw)] > 0;
  }
  if (counts.empty())
    return;
  const auto newest = newest_lost(process);
  for (const auto& [key, count] : counts) {
    const auto& [receiver, type, outcome] = key;
    lost_messages lost{index, process.name(receiver), process.name(type), outcome, count, false, {}, {}};
    auto [normal, reason] = judge(process, lost, threw[receiver]);
    lost.normal = normal;
    lost.reason = std::move(reason);
    if (const auto ids = newest.find(key); ids != newest.end())
      lost.newest.assign(ids->second.begin(), ids->second.end());
    out.push_back(std::move(lost));
  }
}

/// What a process that died took with it: messages in hand and in mailboxes, which no count tells of.
void find_lost_with(const recorded_trace& trace, std::size_t index, std::vector<lost_with_process>& out) {
  const auto& process = trace.processes[index];
  if (process.state == process_state::finished)
    return;
  for (const auto& state : process.actors)
    if (state.mailbox_depth > 0 || state.now)
      out.push_back({index, process.name(state.name), state.mailbox_depth,
                     state.now ? process.name(state.now->type) : std::string{}});
}

} // namespace

bool lost_report::adds_up() const noexcept {
  return std::all_of(lost.begin(), lost.end(), [](const auto& each) { return each.normal; })
         && std::all_of(checks.begin(), checks.end(), [](const auto& each) { return each.adds_up; });
}

lost_report find_lost(const recorded_trace& trace, const std::optional<run_books>& books) {
  lost_report report{&trace, {}, {}, check_books(trace, books)};
  for (std::size_t i = 0; i < trace.processes.size(); ++i) {
    find_in_process(trace, i, report.lost);
    find_lost_with(trace, i, report.with_process);
  }
  std::stable_sort(report.lost.begin(), report.lost.end(),
                   [](const auto& a, const auto& b) { return !a.normal && b.normal; });
  return report;
}

} // namespace troupe
