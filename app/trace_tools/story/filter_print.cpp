#include "app/trace_tools/story/filter.hpp"
#include "app/trace_tools/story/record_text.hpp"
#include "app/trace_tools/text/trace_text.hpp"

#include <nlohmann/json.hpp>
#include <ostream>

namespace troupe {

namespace {

/// Why there may be more than what was found.
void print_gaps(const filter_result& result, std::ostream& out) {
  for (const auto& process : result.trace->processes)
    if (!process.full || process.dropped > 0 || process.cut > 0)
      out << "process " << process.id << " may have had more: " << why_missing(process) << '\n';
  for (const auto& problem : result.trace->problems)
    out << "warning: " << problem << '\n';
}

/// Where to look next, after the largest values.
void print_hint(const filter_result& result, std::ostream& out) {
  if (result.order != filter_order::value || result.records.empty())
    return;
  const auto& top = result.records.front().record;
  if (top.batch != no_id)
    out << "see its batch: troupe trace show RUN batch:" << top.batch << '\n';
}

} // namespace

void print_text(const filter_result& result, std::ostream& out) {
  const auto& processes = result.trace->processes;
  for (const auto& [index, record] : result.records) {
    const auto& process = processes[index];
    if (processes.size() > 1)
      out << process.id.substr(0, 8) << "  ";
    out << moment_text(process, record.enqueued_ns) << "  " << record_text(process, record);
    if (record.message != 0)
      out << "  [message:" << record.message << ']';
    out << '\n';
  }
  if (result.num_matches == 0)
    out << "no record matches\n";
  if (result.num_matches > result.records.size())
    out << "and " << count_text(result.num_matches - result.records.size()) << " more (--limit)\n";
  print_hint(result, out);
  print_gaps(result, out);
}

void print_json(const filter_result& result, std::ostream& out) {
  using json = nlohmann::ordered_json;
  json document = {{"matches", result.num_matches}, {"records", json::array()}, {"problems", result.trace->problems}};
  for (const auto& [index, record] : result.records)
    document["records"].push_back(record_json(result.trace->processes[index], record));
  auto& gaps = document["gaps"] = json::array();
  for (const auto& process : result.trace->processes)
    if (!process.full || process.dropped > 0 || process.cut > 0)
      gaps.push_back({{"process", process.id}, {"why", why_missing(process)}});
  print_json(document, out);
}

} // namespace troupe
