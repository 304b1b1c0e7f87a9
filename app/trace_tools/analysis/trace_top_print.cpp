#include "app/trace_tools/analysis/trace_top.hpp"
#include "app/trace_tools/text/trace_text.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>
#include <ostream>
#include <utility>

namespace troupe {

namespace {

using json = nlohmann::ordered_json;

std::array<std::pair<const char*, std::uint64_t>, 4> named_ids(const trace_ids& ids) {
  return {{{"sample", ids.sample}, {"batch", ids.batch}, {"step", ids.step}, {"version", ids.version}}};
}

/// "sample 17, batch 3"
std::string ids_text(const trace_ids& ids) {
  std::string text;
  for (const auto& [name, id] : named_ids(ids))
    if (id != no_id)
      text += (text.empty() ? "" : ", ") + std::string{name} + ' ' + std::to_string(id);
  return text;
}

std::string rate_text(double rate) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), rate < 99.95 ? "%.1f/s" : "%.0f/s", rate);
  return text.data();
}

json json_actor(const top_actor& actor) {
  json result = {{"actor", actor.name},
                 {"mailbox", actor.mailbox_depth},
                 {"busy", actor.busy},
                 {"messages_per_second", actor.messages_per_second},
                 {"now", nullptr}};
  if (!actor.now)
    return result;
  json now = {{"type", actor.now->type}, {"age_seconds", actor.now->age_seconds}};
  for (const auto& [name, id] : named_ids(actor.now->ids))
    if (id != no_id)
      now[name] = id;
  result["now"] = std::move(now);
  return result;
}

} // namespace

void print_text(const top_view& view, std::ostream& out) {
  out << "process " << view.process << " (pid " << view.pid << ") " << to_string(view.condition) << ", up "
      << seconds_text(view.up_seconds) << ", over the last " << seconds_text(view.interval_seconds) << ":\n";
  if (!view.last_words.empty())
    out << view.last_words << '\n';
  std::vector<std::vector<std::string>> rows = {
    {"actor", "message in hand", "about", "age", "mailbox", "busy", "rate"}};
  for (const auto& actor : view.actors)
    rows.push_back({actor.name, actor.now ? actor.now->type : "-", actor.now ? ids_text(actor.now->ids) : "",
                    actor.now ? seconds_text(actor.now->age_seconds) : "", count_text(actor.mailbox_depth),
                    share_text(actor.busy), rate_text(actor.messages_per_second)});
  print_table(rows, 3, out);
}

void print_json(const top_view& view, std::ostream& out) {
  json result = {{"process", view.process},
                 {"pid", view.pid},
                 {"state", to_string(view.condition)},
                 {"up_seconds", view.up_seconds},
                 {"interval_seconds", view.interval_seconds},
                 {"last_words", view.last_words},
                 {"actors", json::array()}};
  for (const auto& actor : view.actors)
    result["actors"].push_back(json_actor(actor));
  print_json(result, out);
}

} // namespace troupe
