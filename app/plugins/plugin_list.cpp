#include "app/plugins/plugin_list.hpp"

#include "actors/plugin/plugin_roles.hpp"
#include "actors/support/figures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <variant>

namespace troupe {

namespace {

using json = nlohmann::ordered_json;

template <class Component>
void add_parts(std::vector<offered_part>& to, const std::string& plugin, const char* kind, const char* key,
               const std::vector<Component>& list) {
  for (const auto& each : list)
    if (each.plugin == plugin)
      to.push_back({kind, key, {}, each});
}

template <class Kind>
void add_actors(std::vector<offered_part>& to, const std::string& plugin, const char* kind,
                const std::vector<Kind>& list) {
  for (const auto& each : list) {
    std::string traits = each.how_many == instances::ordered ? "ordered" : "stateless";
    traits += each.own_thread ? ", own thread" : "";
    traits += each.weighs ? ", weighs samples" : "";
    if (each.plugin == plugin)
      to.push_back({kind, "pipeline.stages", traits, each});
  }
}

const char* kind_of(const parameter_spec& spec) {
  struct namer {
    const parameter_spec& spec;
    const char* operator()(double) const { return "number"; }
    const char* operator()(std::int64_t) const { return "whole number"; }
    const char* operator()(bool) const { return "true or false"; }
    const char* operator()(const std::string&) const { return spec.choices.empty() ? "text" : "word"; }
    const char* operator()(const std::vector<double>&) const { return "list of numbers"; }
  };
  return std::visit(namer{spec}, spec.default_value);
}

json value_json(const parameter_value& value) {
  return std::visit([](const auto& x) { return json(x); }, value);
}

/// A plugin's texts may be of any bytes; JSON is UTF-8.
std::string value_text(const parameter_value& value) {
  return value_json(value).dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string line_of(std::string_view text) {
  return printable(text) + "\n";
}

bool has_bounds(const parameter_spec& spec) {
  return std::isfinite(spec.low) || std::isfinite(spec.high);
}

std::string bounds_text(const parameter_spec& spec) {
  if (!spec.choices.empty())
    return fmt::format(", {}", fmt::join(spec.choices, " | "));
  if (!has_bounds(spec))
    return {};
  if (!std::isfinite(spec.high))
    return fmt::format(", {} or more", spec.low);
  return std::isfinite(spec.low) ? fmt::format(", {}..{}", spec.low, spec.high)
                                 : fmt::format(", {} or less", spec.high);
}

std::string parameter_text(const parameter_spec& spec) {
  return line_of(fmt::format("    {}: {}{}{}, default {}{}", spec.name, kind_of(spec), bounds_text(spec),
                             spec.unit.empty() ? "" : ", in " + spec.unit, value_text(spec.default_value),
                             spec.about.empty() ? "" : ": " + spec.about));
}

json parameter_json(const parameter_spec& spec) {
  json out{
    {"name", spec.name}, {"kind", kind_of(spec)}, {"default", value_json(spec.default_value)}, {"about", spec.about}};
  if (std::isfinite(spec.low))
    out["low"] = spec.low;
  if (std::isfinite(spec.high))
    out["high"] = spec.high;
  if (!spec.choices.empty())
    out["choices"] = spec.choices;
  if (!spec.unit.empty())
    out["unit"] = spec.unit;
  return out;
}

json part_json(const offered_part& part) {
  json out{{"kind", part.kind},
           {"name", part.info.name},
           {"about", part.info.about},
           {"key", part.key},
           {"parameters", json::array()}};
  if (!part.traits.empty())
    out["traits"] = part.traits;
  for (const auto& each : part.info.parameters)
    out["parameters"].push_back(parameter_json(each));
  return out;
}

std::string dumped(const json& x) {
  return x.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

} // namespace

std::vector<offered_part> parts_of(const std::string& plugin) {
  const auto& components = component_registry::instance();
  const auto& actors = actor_registry::instance();
  std::vector<offered_part> out;
  add_parts(out, plugin, "transform", "transforms", components.transforms);
  add_parts(out, plugin, "batch transform", "transforms.batch_steps", components.batch_transforms);
  add_parts(out, plugin, "data set", "data", components.data_sources);
  add_parts(out, plugin, "decoder", "data.decode.formats", components.decoders);
  add_parts(out, plugin, "model", "model.name", components.models);
  add_parts(out, plugin, "metric", "validation.metrics", components.metrics);
  add_parts(out, plugin, "log sink", "log.sinks", components.log_sinks);
  add_actors(out, plugin, "augmenter", actors.augmenters);
  add_actors(out, plugin, "stage", actors.stages);
  add_actors(out, plugin, "listener", actors.listeners);
  return out;
}

std::string plugins_text(const std::vector<loaded_plugin>& plugins) {
  std::string out;
  for (const auto& plugin : plugins) {
    out += line_of(fmt::format("{} {}  {}", plugin.name, plugin.version, plugin.path));
    for (const auto& part : parts_of(plugin.name)) {
      out += line_of(fmt::format("  {} {} ({}{}){}", part.kind, part.info.name, part.key,
                                 part.traits.empty() ? "" : "; " + part.traits,
                                 part.info.about.empty() ? "" : ": " + part.info.about));
      for (const auto& each : part.info.parameters)
        out += parameter_text(each);
    }
  }
  return out;
}

std::string plugins_json(const std::vector<loaded_plugin>& plugins, const std::vector<std::string>& refused) {
  json out{{"plugins", json::array()}, {"refused", refused}};
  for (const auto& plugin : plugins) {
    json parts = json::array();
    for (const auto& part : parts_of(plugin.name))
      parts.push_back(part_json(part));
    out["plugins"].push_back({{"name", plugin.name},
                              {"version", plugin.version},
                              {"path", plugin.path},
                              {"digest", plugin.digest},
                              {"offers", std::move(parts)}});
  }
  return dumped(out);
}

} // namespace troupe
