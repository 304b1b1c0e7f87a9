#include "app/trace_tools/analysis/trace_diff.hpp"
#include "app/trace_tools/text/trace_text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <tuple>

namespace troupe {

namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t most_rows = 20;
constexpr double least_share = 0.01; ///< Of A's unit, or
constexpr double least_seconds = 50e-6;

std::string change_text(const trace_diff& diff) {
  const auto change = diff.change();
  const auto text = share_text(std::abs(change)) + (change > 0 ? " slower" : " faster");
  return std::abs(change) <= diff_noise ? "about the same (" + text + ")" : text;
}

std::string difference_text(double seconds) {
  return (seconds < 0 ? '-' : '+') + seconds_text(std::abs(seconds));
}

/// "a -> b"; what only one run has is told alone, and what is the same once.
std::string pair_text(const diff_row& row, const std::string& a, const std::string& b) {
  if (row.change == diff_change::only_b || a == b)
    return b;
  return row.change == diff_change::only_a ? a : a + " -> " + b;
}

/// The rows that are worth a look: the largest ones come first.
std::size_t num_shown(const trace_diff& diff) {
  const auto least = std::min(least_share * diff.seconds_a, least_seconds);
  const auto end = std::find_if(diff.rows.begin(), diff.rows.end(),
                                [&](const diff_row& row) { return std::abs(row.difference) < least; });
  return std::min(static_cast<std::size_t>(end - diff.rows.begin()), most_rows);
}

std::vector<std::string> cells_of(const diff_row& row) {
  const auto& [a, b] = std::tie(row.a, row.b);
  const auto wait = [](const diff_side& side) { return side.wait_p50_ns > 0 ? time_text(side.wait_p50_ns) : "-"; };
  return {row.stage,
          row.what,
          to_string(row.change),
          difference_text(row.difference),
          pair_text(row, seconds_text(a.seconds), seconds_text(b.seconds)),
          pair_text(row, time_text(a.handling_p50_ns), time_text(b.handling_p50_ns)),
          pair_text(row, wait(a), wait(b)),
          pair_text(row, short_text(a.messages), short_text(b.messages))};
}

json json_side(const diff_side& side) {
  return {{"actors", side.num_actors},
          {"seconds", side.seconds},
          {"messages", side.messages},
          {"handling_ns", {{"p50", side.handling_p50_ns}, {"p99", side.handling_p99_ns}}},
          {"wait_ns", {{"p50", side.wait_p50_ns}, {"p99", side.wait_p99_ns}}}};
}

} // namespace

void print_text(const trace_diff& diff, std::ostream& out) {
  const std::string unit = diff.per_sample ? "sample" : "step";
  out << (diff.per_sample ? "time per sample: " : "step time: ") << seconds_text(diff.seconds_a) << " -> "
      << seconds_text(diff.seconds_b) << ", " << change_text(diff) << "; A: " << count_text(diff.steps_a)
      << " steps, B: " << count_text(diff.steps_b) << " steps\n";
  for (const auto& remark : diff.remarks)
    out << "note: " << remark << '\n';
  std::vector<std::vector<std::string>> rows = {
    {"stage", "message", "", "difference", "per " + unit, "handled in", "waited", "count"}};
  const auto num_rows = num_shown(diff);
  for (std::size_t i = 0; i < num_rows; ++i)
    rows.push_back(cells_of(diff.rows[i]));
  out << '\n';
  if (num_rows > 0)
    print_table(rows, 3, out);
  if (num_rows < diff.rows.size())
    out << count_text(diff.rows.size() - num_rows) << (num_rows > 0 ? " more" : " rows")
        << " make less of a difference (--json has all)\n";
}

void print_json(const trace_diff& diff, std::ostream& out) {
  json result = {{"per", diff.per_sample ? "sample" : "step"},
                 {"seconds", {{"a", diff.seconds_a}, {"b", diff.seconds_b}}},
                 {"change", diff.change()},
                 {"steps", {{"a", diff.steps_a}, {"b", diff.steps_b}}},
                 {"remarks", diff.remarks},
                 {"rows", json::array()}};
  for (const auto& row : diff.rows)
    result["rows"].push_back({{"stage", row.stage},
                              {"type", row.what},
                              {"change", to_string(row.change)},
                              {"difference_seconds", row.difference},
                              {"a", json_side(row.a)},
                              {"b", json_side(row.b)}});
  print_json(result, out);
}

} // namespace troupe
