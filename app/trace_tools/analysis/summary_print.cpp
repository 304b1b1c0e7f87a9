#include "app/trace_tools/analysis/trace_summary.hpp"
#include "app/trace_tools/text/trace_text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

namespace troupe {

namespace {

using json = nlohmann::ordered_json;
using table = std::vector<std::vector<std::string>>;

double busy_share(const message_stats& stats, double seconds) {
  return seconds > 0 ? static_cast<double>(stats.handling.sum_ns) * 1e-9 / seconds : 0;
}

std::uint64_t outcome(const message_stats& stats, trace_outcome which) {
  return stats.outcomes[static_cast<std::size_t>(which)];
}

std::uint64_t num_cut(const recorded_trace& trace) {
  std::uint64_t total = 0;
  for (const auto& process : trace.processes)
    total += process.cut;
  return total;
}

void append_times(const time_histogram& times, std::vector<std::string>& to) {
  for (const auto ns : {times.quantile(0.5), times.quantile(0.99), times.max_ns})
    to.push_back(time_text(ns));
}

std::vector<std::string> message_cells(const summary_row& row, const trace_summary& summary) {
  const auto& stats = row.stats;
  const auto handled = outcome(stats, trace_outcome::handled);
  const auto threw = outcome(stats, trace_outcome::threw);
  std::vector<std::string> cells = {row.actor, row.message_type, count_text(stats.count())};
  if (summary.by == summary_by::edge)
    cells.insert(cells.begin(), row.sender.empty() ? "-" : row.sender);
  append_times(stats.wait, cells);
  append_times(stats.handling, cells);
  cells.push_back(share_text(busy_share(stats, summary.seconds)));
  cells.push_back(count_text(threw));
  cells.push_back(count_text(stats.count() - handled - threw));
  return cells;
}

std::vector<std::string> event_cells(const summary_row& row, double seconds) {
  std::vector<std::string> cells = {row.actor, row.message_type, count_text(row.stats.count())};
  if (row.kind == trace_kind::span || row.kind == trace_kind::sample)
    append_times(row.stats.handling, cells);
  if (row.kind == trace_kind::span) {
    cells.push_back(time_text(row.stats.handling.sum_ns));
    cells.push_back(share_text(busy_share(row.stats, seconds)));
  }
  if (row.kind == trace_kind::sample || row.kind == trace_kind::mark)
    cells.push_back(bytes_text(static_cast<double>(row.stats.bytes)));
  if (row.kind == trace_kind::sample)
    cells.push_back(count_text(outcome(row.stats, trace_outcome::threw)));
  return cells;
}

/// A table of the events of one kind, if there are any.
void print_events(const trace_summary& summary, trace_kind kind, std::vector<std::string> heading, std::ostream& out) {
  table rows = {std::move(heading)};
  for (const auto& row : summary.rows)
    if (row.kind == kind)
      rows.push_back(event_cells(row, summary.seconds));
  if (rows.size() == 1)
    return;
  out << '\n';
  print_table(rows, 2, out);
}

void print_messages(const trace_summary& summary, std::ostream& out) {
  table rows = {
    {"actor", "message", "count", "wait p50", "p99", "max", "handle p50", "p99", "max", "busy", "threw", "unhandled"}};
  if (summary.by == summary_by::edge) {
    rows.front().front() = "receiver";
    rows.front().insert(rows.front().begin(), "sender");
  }
  for (const auto& row : summary.rows)
    if (row.kind == trace_kind::message)
      rows.push_back(message_cells(row, summary));
  print_table(rows, summary.by == summary_by::edge ? 3 : 2, out);
}

/// Mailboxes of processes that have ended in order are empty: no column for them.
void print_actors(const trace_summary& summary, std::ostream& out) {
  const auto& processes = summary.trace->processes;
  const bool with_mailbox = std::any_of(processes.begin(), processes.end(),
                                        [](const auto& process) { return process.state != process_state::finished; });
  table rows = {{"actor", "busy"}};
  if (with_mailbox)
    rows.front().push_back("mailbox");
  for (const auto& load : summary.actors) {
    rows.push_back({load.actor, share_text(load.busy)});
    if (with_mailbox)
      rows.back().push_back(count_text(load.mailbox_depth));
  }
  out << '\n';
  print_table(rows, 1, out);
}

json json_times(const time_histogram& times) {
  return {{"count", times.count()},
          {"p50", times.quantile(0.5)},
          {"p99", times.quantile(0.99)},
          {"max", times.max_ns},
          {"sum", times.sum_ns}};
}

json json_row(const summary_row& row, double seconds) {
  json result = {{"actor", row.actor}, {"type", row.message_type}, {"count", row.stats.count()}};
  if (!row.sender.empty())
    result["sender"] = row.sender;
  for (std::size_t i = 0; i < num_trace_outcomes; ++i)
    result[to_string(static_cast<trace_outcome>(i))] = row.stats.outcomes[i];
  result["bytes"] = row.stats.bytes;
  result["wait_ns"] = json_times(row.stats.wait);
  result["handling_ns"] = json_times(row.stats.handling);
  result["busy"] = busy_share(row.stats, seconds);
  return result;
}

json json_process(const recorded_process& process) {
  return {{"id", process.id},
          {"host", process.host},
          {"pid", process.pid},
          {"state", to_string(process.state)},
          {"seconds", process.seconds()},
          {"recorded", process.recorded},
          {"dropped", process.dropped},
          {"cut", process.cut}};
}

const char* section_of(trace_kind kind) {
  switch (kind) {
  case trace_kind::span:
    return "spans";
  case trace_kind::mark:
    return "marks";
  case trace_kind::value:
    return "values";
  case trace_kind::sample:
    return "samples";
  default:
    return "rows";
  }
}

} // namespace

void print_text(const trace_summary& summary, std::ostream& out) {
  print_messages(summary, out);
  print_actors(summary, out);
  print_events(summary, trace_kind::span, {"actor", "span", "count", "p50", "p99", "max", "total", "of run"}, out);
  print_events(summary, trace_kind::mark, {"actor", "mark", "count", "bytes"}, out);
  print_events(summary, trace_kind::value, {"actor", "value", "count"}, out);
  print_events(summary, trace_kind::sample, {"actor", "made", "count", "p50", "p99", "max", "bytes", "bad"}, out);
  out << '\n';
  const auto& trace = *summary.trace;
  for (const auto& process : trace.processes)
    out << "process " << process.id << " (pid " << process.pid << " on " << process.host
        << "): " << to_string(process.state) << ", " << seconds_text(process.seconds()) << '\n';
  for (const auto& problem : trace.problems)
    out << "warning: " << problem << '\n';
  out << "recorded " << trace.recorded() << ", dropped " << trace.dropped();
  if (const auto cut = num_cut(trace); cut > 0)
    out << ", cut " << cut;
  out << '\n';
}

void print_json(const trace_summary& summary, std::ostream& out) {
  const auto& trace = *summary.trace;
  json result;
  for (const auto* section : {"rows", "spans", "marks", "values", "samples", "actors", "processes"})
    result[section] = json::array();
  for (const auto& row : summary.rows)
    result[section_of(row.kind)].push_back(json_row(row, summary.seconds));
  for (const auto& load : summary.actors)
    result["actors"].push_back({{"actor", load.actor}, {"busy", load.busy}, {"mailbox", load.mailbox_depth}});
  for (const auto& process : trace.processes)
    result["processes"].push_back(json_process(process));
  result["problems"] = trace.problems;
  result["seconds"] = summary.seconds;
  result["recorded"] = trace.recorded();
  result["dropped"] = trace.dropped();
  result["cut"] = num_cut(trace);
  print_json(result, out);
}

} // namespace troupe
