#include "app/trace_tools/analysis/trace_diff.hpp"
#include "app/trace_tools/text/trace_text.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <ostream>
#include <tuple>

namespace troupe {

namespace {

using json = nlohmann::ordered_json;

std::string change_text(const trace_diff& diff) {
  const auto change = diff.step_change();
  const auto text = share_text(std::abs(change)) + (change > 0 ? " slower" : " faster");
  return std::abs(change) <= diff_noise ? "about the same (" + text + ")" : text;
}

std::string number_text(double number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2f", number);
  return text.data();
}

std::string difference_text(double seconds) {
  return std::string{seconds < 0 ? "-" : "+"} + seconds_text(std::abs(seconds));
}

json json_side(const diff_side& side) {
  return {{"actors", side.num_actors},
          {"seconds_per_step", side.seconds_per_step},
          {"messages_per_step", side.messages_per_step},
          {"handling_ns", {{"p50", side.handling_p50_ns}, {"p99", side.handling_p99_ns}}},
          {"wait_ns", {{"p50", side.wait_p50_ns}, {"p99", side.wait_p99_ns}}}};
}

} // namespace

void print_text(const trace_diff& diff, std::ostream& out) {
  out << "step time: " << seconds_text(diff.step_seconds_a) << " -> " << seconds_text(diff.step_seconds_b) << ", "
      << change_text(diff) << "; A: " << count_text(diff.steps_a) << " steps, B: " << count_text(diff.steps_b)
      << " steps\n\n";
  const auto pair = [](const std::string& a, const std::string& b) { return a + " -> " + b; };
  std::vector<std::vector<std::string>> rows = {
    {"stage", "message", "", "difference", "per step", "handle p50", "handle p99", "wait p50", "count per step"}};
  for (const auto& row : diff.rows) {
    const auto& [a, b] = std::tie(row.a, row.b);
    rows.push_back({row.stage, row.what, to_string(row.change), difference_text(row.difference),
                    pair(seconds_text(a.seconds_per_step), seconds_text(b.seconds_per_step)),
                    pair(time_text(a.handling_p50_ns), time_text(b.handling_p50_ns)),
                    pair(time_text(a.handling_p99_ns), time_text(b.handling_p99_ns)),
                    pair(time_text(a.wait_p50_ns), time_text(b.wait_p50_ns)),
                    pair(number_text(a.messages_per_step), number_text(b.messages_per_step))});
  }
  print_table(rows, 3, out);
}

void print_json(const trace_diff& diff, std::ostream& out) {
  json result = {{"step_seconds", {{"a", diff.step_seconds_a}, {"b", diff.step_seconds_b}}},
                 {"steps", {{"a", diff.steps_a}, {"b", diff.steps_b}}},
                 {"step_change", diff.step_change()},
                 {"rows", json::array()}};
  for (const auto& row : diff.rows)
    result["rows"].push_back({{"stage", row.stage},
                              {"type", row.what},
                              {"change", to_string(row.change)},
                              {"difference_seconds_per_step", row.difference},
                              {"a", json_side(row.a)},
                              {"b", json_side(row.b)}});
  print_json(result, out);
}

} // namespace troupe
