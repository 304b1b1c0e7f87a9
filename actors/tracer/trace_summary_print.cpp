#include "actors/tracer/trace_summary.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <ostream>
#include <string>
#include <vector>

namespace troupe {

namespace {

/// "3.1 ms": three digits and the unit that fits.
std::string time_text(std::uint64_t ns) {
  constexpr std::array units = {"ns", "us", "ms", "s"};
  auto value = static_cast<double>(ns);
  std::size_t unit = 0;
  for (; value >= 999.5 && unit + 1 < units.size(); ++unit)
    value /= 1000;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), value >= 99.95 || unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
  return text.data();
}

double busy_share(const message_stats& stats, double seconds) {
  return seconds > 0 ? static_cast<double>(stats.handling.sum_ns) * 1e-9 / seconds : 0;
}

std::string percent_text(double share) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f %%", share * 100);
  return text.data();
}

const char* to_string(process_state state) {
  switch (state) {
  case process_state::finished:
    return "finished";
  case process_state::running:
    return "running";
  case process_state::died:
    return "died";
  }
  return "unknown";
}

std::uint64_t outcome(const message_stats& stats, trace_outcome which) {
  return stats.outcomes[static_cast<std::size_t>(which)];
}

std::vector<std::string> cells_of(const summary_row& row, double seconds) {
  const auto& stats = row.stats;
  return {
    row.actor,
    row.message_type,
    std::to_string(stats.count()),
    time_text(stats.wait.quantile(0.5)),
    time_text(stats.wait.quantile(0.99)),
    time_text(stats.wait.max_ns),
    time_text(stats.handling.quantile(0.5)),
    time_text(stats.handling.quantile(0.99)),
    time_text(stats.handling.max_ns),
    percent_text(busy_share(stats, seconds)),
    std::to_string(outcome(stats, trace_outcome::threw)),
    std::to_string(stats.count() - outcome(stats, trace_outcome::handled) - outcome(stats, trace_outcome::threw))};
}

void print_table(const std::vector<std::vector<std::string>>& rows, std::ostream& out) {
  constexpr std::size_t num_text_columns = 2;
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - row[i].size(), ' ');
      line += (i == 0 ? "" : "  ") + (i < num_text_columns ? row[i] + padding : padding + row[i]);
    }
    out << line << '\n';
  }
}

using json = nlohmann::ordered_json;

json json_times(const time_histogram& times) {
  return {{"count", times.count()},
          {"p50", times.quantile(0.5)},
          {"p99", times.quantile(0.99)},
          {"max", times.max_ns},
          {"sum", times.sum_ns}};
}

json json_row(const summary_row& row, double seconds) {
  json result = {{"actor", row.actor}, {"type", row.message_type}, {"count", row.stats.count()}};
  for (std::size_t i = 0; i < num_trace_outcomes; ++i)
    result[to_string(static_cast<trace_outcome>(i))] = row.stats.outcomes[i];
  result["bytes"] = row.stats.bytes;
  result["wait_ns"] = json_times(row.stats.wait);
  result["handling_ns"] = json_times(row.stats.handling);
  result["busy"] = busy_share(row.stats, seconds);
  return result;
}

json json_process(const traced_process& process) {
  return {{"id", process.id},           {"host", process.host},
          {"pid", process.pid},         {"state", to_string(process.state)},
          {"seconds", process.seconds}, {"recorded", process.recorded},
          {"dropped", process.dropped}};
}

} // namespace

void print_text(const trace_summary& summary, std::ostream& out) {
  std::vector<std::vector<std::string>> rows = {
    {"actor", "message", "count", "wait p50", "p99", "max", "handle p50", "p99", "max", "busy", "threw", "unhandled"}};
  for (const auto& row : summary.rows)
    rows.push_back(cells_of(row, summary.seconds));
  print_table(rows, out);
  for (const auto& process : summary.processes)
    out << "process " << process.id << " (pid " << process.pid << " on " << process.host
        << "): " << to_string(process.state) << ", " << time_text(static_cast<std::uint64_t>(process.seconds * 1e9))
        << '\n';
  for (const auto& problem : summary.problems)
    out << "warning: " << problem << '\n';
  out << "recorded " << summary.recorded << ", dropped " << summary.dropped << '\n';
}

void print_json(const trace_summary& summary, std::ostream& out) {
  json result = {{"rows", json::array()}, {"processes", json::array()}, {"problems", summary.problems}};
  for (const auto& row : summary.rows)
    result["rows"].push_back(json_row(row, summary.seconds));
  for (const auto& process : summary.processes)
    result["processes"].push_back(json_process(process));
  result["seconds"] = summary.seconds;
  result["recorded"] = summary.recorded;
  result["dropped"] = summary.dropped;
  // Names and paths are bytes: what is no UTF-8 in them is replaced.
  out << result.dump(2, ' ', false, json::error_handler_t::replace) << '\n';
}

} // namespace troupe
