#include "app/trace_tools/story/crash_report.hpp"
#include "app/trace_tools/story/record_text.hpp"
#include "app/trace_tools/text/trace_text.hpp"

#include <nlohmann/json.hpp>
#include <ostream>

namespace troupe {

namespace {

using json = nlohmann::ordered_json;

trace_record with_ids(const trace_ids& ids) {
  trace_record record;
  put_ids(record, ids);
  return record;
}

void print_heading(const crash_scene& scene, std::ostream& out) {
  const auto& process = scene.process;
  out << "process " << process.id << " (pid " << process.pid << " on " << process.host << ")";
  if (scene.flight_recorder.empty())
    out << ": " << to_string(process.state);
  else
    out << ", " << scene.flight_recorder;
  out << "\n  " << scene.cause << "\n  last sign of life: " << scene.when << ", " << seconds_text(process.seconds())
      << " after its start\n";
}

void print_in_hand(const crash_scene& scene, std::ostream& out) {
  out << "in hand:\n";
  if (scene.in_hand.empty())
    out << (scene.process.actors.empty() ? "  not known: the rings of the process (rings-*.bin) are not there\n"
                                         : "  nothing: every actor was idle\n");
  for (const auto& each : scene.in_hand) {
    const auto ids = ids_text(with_ids(each.ids));
    out << "  " << each.actor << ": " << each.type << (ids.empty() ? "" : " (" + ids + ")") << ", for "
        << seconds_text(each.seconds) << "  [message:" << each.message << "]\n";
  }
}

void print_records(const crash_scene& scene, const std::vector<trace_record>& records, const char* heading,
                   std::ostream& out) {
  if (records.empty())
    return;
  out << heading << '\n';
  for (const auto& record : records)
    out << "  " << moment_text(scene.process, record.enqueued_ns) << "  " << record_text(scene.process, record) << '\n';
}

void print_buffers(const crash_scene& scene, std::ostream& out) {
  if (!scene.buffers)
    return;
  const auto& b = *scene.buffers;
  out << "batch buffers: of " << b.minted << ", " << b.filling << " free or being filled, " << b.waiting
      << " wait for the trainer, " << b.with_trainer << " with the trainer, " << b.returning
      << " on the way back to the loader\n";
}

void print_actors(const crash_scene& scene, std::ostream& out) {
  out << "actors (the supervisor's status questions are left out):\n";
  for (const auto& each : scene.actors) {
    out << each.actor << ": " << each.mailbox_depth << " in its mailbox";
    out << (!each.has_records     ? "; no messages of it are in the trace\n"
            : each.newest.empty() ? "\n"
                                  : "; last messages:\n");
    for (const auto& record : each.newest)
      out << "  " << moment_text(scene.process, record.enqueued_ns) << "  " << record_text(scene.process, record)
          << "  [message:" << record.message << "]\n";
  }
}

json json_of(const recorded_process& process, const std::vector<trace_record>& records) {
  auto out = json::array();
  for (const auto& record : records)
    out.push_back(record_json(process, record));
  return out;
}

json json_in_hand(const message_in_hand& each) {
  json out = {{"actor", each.actor}, {"type", each.type}, {"message", each.message}, {"seconds", each.seconds}};
  out.update(ids_json(each.ids));
  return out;
}

json json_of(const crash_scene& scene) {
  const auto& process = scene.process;
  json out = {{"process", process.id},
              {"pid", process.pid},
              {"host", process.host},
              {"state", to_string(process.state)},
              {"flight_recorder", scene.flight_recorder.empty() ? json(nullptr) : json(scene.flight_recorder)},
              {"cause", scene.cause},
              {"fatal_signal", process.fatal_signal},
              {"last_words", process.last_words},
              {"when", scene.when},
              {"seconds", process.seconds()},
              {"in_hand", json::array()},
              {"threw", json_of(process, scene.threw)},
              {"exits", json_of(process, scene.exits)},
              {"actors", json::array()}};
  for (const auto& each : scene.in_hand)
    out["in_hand"].push_back(json_in_hand(each));
  for (const auto& each : scene.actors)
    out["actors"].push_back(
      {{"actor", each.actor}, {"mailbox_depth", each.mailbox_depth}, {"newest", json_of(process, each.newest)}});
  if (const auto& b = scene.buffers)
    out["buffers"] = {{"minted", b->minted},
                      {"filling", b->filling},
                      {"waiting", b->waiting},
                      {"with_trainer", b->with_trainer},
                      {"returning", b->returning}};
  return out;
}

} // namespace

void print_text(const crash_report& report, std::ostream& out) {
  if (report.scenes.empty())
    out << "every process of this run ended in order, and none left a flight recorder\n";
  bool first = true;
  for (const auto& scene : report.scenes) {
    out << (std::exchange(first, false) ? "" : "\n");
    print_heading(scene, out);
    print_in_hand(scene, out);
    print_records(scene, scene.threw, "handlers that threw:", out);
    print_records(scene, scene.exits, "actors that ended:", out);
    print_buffers(scene, out);
    print_actors(scene, out);
  }
  for (const auto& problem : report.problems)
    out << "warning: " << problem << '\n';
}

void print_json(const crash_report& report, std::ostream& out) {
  json document = {{"scenes", json::array()}, {"finished", report.num_finished}, {"problems", report.problems}};
  for (const auto& scene : report.scenes)
    document["scenes"].push_back(json_of(scene));
  print_json(document, out);
}

} // namespace troupe
