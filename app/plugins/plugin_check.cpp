#include "app/plugins/plugin_check.hpp"

#include "actors/support/imaging/opencv_settings.hpp"
#include "app/plugins/check_actors.hpp"
#include "app/plugins/check_parts.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace troupe {

namespace {

/// Checks one kind after the other.
struct checker {
  const loaded_plugin& plugin;
  const check_options& options;
  std::vector<finding> findings;

  template <class Component, class Check>
  void all(const std::string& kind, const std::vector<Component>& list, Check check) {
    for (const auto& each : list)
      if (each.plugin == plugin.name)
        one(kind, each, check);
  }

private:
  template <class Component, class Check>
  void one(const std::string& kind, const Component& what, Check check) {
    const auto given = options.given.find({kind, what.name});
    const auto values = given == options.given.end() ? parameters{what.parameters} : given->second;
    auto found =
      check_apart(kind + " " + what.name, options.seconds, [&](check_log& log) { check(what, values, options, log); });
    findings.insert(findings.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
  }
};

void leave_model(const model_component&, const parameters&, const check_options&, check_log& log) {
  log.not_checked("trains", "a short run shows it: troupe train CONFIG data.train.limit=256 train.epochs=1");
}

} // namespace

std::vector<finding> check_plugin(const loaded_plugin& plugin, const check_options& options) {
  const auto& components = component_registry::instance();
  const auto& actors = actor_registry::instance();
  checker check{plugin, options, {}};
  check.all("transform", components.transforms, check_transform);
  check.all("batch transform", components.batch_transforms, check_batch_transform);
  check.all("data set", components.data_sources, check_data_source);
  check.all("decoder", components.decoders, check_decoder);
  check.all("model", components.models, leave_model);
  check.all("metric", components.metrics, check_metric);
  check.all("log sink", components.log_sinks, check_log_sink);
  check.all("augmenter", actors.augmenters, check_augmenter);
  check.all("stage", actors.stages, check_stage);
  check.all("listener", actors.listeners, check_listener);
  return std::move(check.findings);
}

std::string findings_text(const std::vector<finding>& findings) {
  std::string out;
  std::string part;
  for (const auto& each : findings) {
    if (each.part != part)
      out += each.part + "\n";
    part = each.part;
    const auto* how = each.how == finding_kind::good ? "ok " : each.how == finding_kind::bad ? "BAD" : "-  ";
    out +=
      fmt::format("  {}  {}{}{}\n", how, each.property, each.how == finding_kind::not_checked ? " (not checked)" : "",
                  each.text.empty() ? "" : ": " + each.text);
  }
  const auto num = [&findings](finding_kind how) {
    return std::count_if(findings.begin(), findings.end(), [how](const finding& x) { return x.how == how; });
  };
  return out
         + fmt::format("{} ok, {} bad, {} not checked\n", num(finding_kind::good), num(finding_kind::bad),
                       num(finding_kind::not_checked));
}

std::string findings_json(const std::vector<checked_plugin>& plugins, const std::vector<std::string>& refused) {
  using json = nlohmann::ordered_json;
  json out{{"plugins", json::array()}, {"refused", refused}};
  for (const auto& [plugin, found] : plugins) {
    json findings = json::array();
    for (const auto& each : found)
      findings.push_back(
        {{"part", each.part}, {"property", each.property}, {"verdict", to_string(each.how)}, {"text", each.text}});
    out["plugins"].push_back({{"name", plugin.name},
                              {"version", plugin.version},
                              {"path", plugin.path},
                              {"digest", plugin.digest},
                              {"findings", std::move(findings)}});
  }
  return out.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

} // namespace troupe
