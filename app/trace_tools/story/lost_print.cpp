#include "app/trace_tools/story/lost_messages.hpp"
#include "app/trace_tools/text/trace_text.hpp"

#include <nlohmann/json.hpp>
#include <ostream>

namespace troupe {

namespace {

std::string ids_of(const lost_messages& lost) {
  std::string text;
  for (const auto id : lost.newest)
    text += (text.empty() ? " (message:" : " message:") + std::to_string(id);
  return text.empty() ? text : text + ")";
}

/// Which process it is about; nothing where there is only one.
std::string process_of(const recorded_trace& trace, std::size_t index) {
  return trace.processes.size() > 1 ? trace.processes[index].id.substr(0, 8) + "  " : std::string{};
}

void print_lost(const lost_report& report, bool normal, const char* heading, std::ostream& out) {
  bool any = false;
  for (const auto& lost : report.lost) {
    if (lost.normal != normal)
      continue;
    if (!any)
      out << heading << '\n';
    any = true;
    out << "  " << process_of(*report.trace, lost.process) << count_text(lost.count) << " x " << lost.type << " at "
        << lost.actor << ": " << to_string(lost.outcome) << ": " << lost.reason << ids_of(lost) << '\n';
  }
}

void print_with_process(const lost_report& report, std::ostream& out) {
  for (const auto& each : report.with_process) {
    const bool died = report.trace->processes[each.process].state == process_state::died;
    out << (died ? "lost with the process: " : "not done yet: ") << process_of(*report.trace, each.process)
        << each.actor << ": ";
    if (!each.in_hand.empty())
      out << each.in_hand << " in hand, ";
    out << count_text(each.in_mailbox) << " in its mailbox\n";
  }
}

} // namespace

void print_text(const lost_report& report, std::ostream& out) {
  print_lost(report, false, "not handled, and should have been:", out);
  print_lost(report, true, "not handled, as at the end of every run:", out);
  print_with_process(report, out);
  if (report.lost.empty() && report.with_process.empty() && !report.trace->processes.empty())
    out << "every message was handled\n";
  out << (report.checks.empty() ? "no chunks, batches or snapshots were counted\n" : "books:\n");
  for (const auto& check : report.checks)
    out << "  " << (check.adds_up ? "ok     " : "WRONG  ") << process_of(*report.trace, check.process) << check.what
        << ": " << check.figures << (check.note.empty() ? "" : "; " + check.note) << '\n';
  for (const auto& problem : report.trace->problems)
    out << "warning: " << problem << '\n';
  out << (report.adds_up() ? "everything adds up\n" : "NOT everything adds up\n");
}

void print_json(const lost_report& report, std::ostream& out) {
  using json = nlohmann::ordered_json;
  json document = {{"adds_up", report.adds_up()}, {"lost", json::array()}, {"checks", json::array()}};
  for (const auto& lost : report.lost)
    document["lost"].push_back({{"process", report.trace->processes[lost.process].id},
                                {"actor", lost.actor},
                                {"type", lost.type},
                                {"outcome", to_string(lost.outcome)},
                                {"count", lost.count},
                                {"normal", lost.normal},
                                {"reason", lost.reason},
                                {"newest", lost.newest}});
  for (const auto& check : report.checks)
    document["checks"].push_back({{"process", report.trace->processes[check.process].id},
                                  {"what", check.what},
                                  {"figures", check.figures},
                                  {"adds_up", check.adds_up},
                                  {"note", check.note}});
  auto& with_process = document["lost_with_process"] = json::array();
  for (const auto& each : report.with_process)
    with_process.push_back({{"process", report.trace->processes[each.process].id},
                            {"actor", each.actor},
                            {"in_mailbox", each.in_mailbox},
                            {"in_hand", each.in_hand.empty() ? json(nullptr) : json(each.in_hand)}});
  document["problems"] = report.trace->problems;
  print_json(document, out);
}

} // namespace troupe
