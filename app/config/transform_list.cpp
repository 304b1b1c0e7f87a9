#include "app/config/transform_list.hpp"

#include "actors/support/components/component_registry.hpp"
#include "app/config/parameter_keys.hpp"
#include "app/config/transform_keys.hpp"

#include <variant>

namespace troupe {

namespace {

constexpr std::size_t max_transforms = 32;

transform_spec plugin_spec(const component_info& info) {
  return {info.name, sentence(info.about), plugin_transform_config{info.name, parameters{info.parameters}},
          parameter_keys<transform_config>(
            info.parameters,
            [](const transform_config& x) -> const parameters& { return std::get<plugin_transform_config>(x).values; },
            [](transform_config& x) -> parameters& { return std::get<plugin_transform_config>(x).values; }),
          info.plugin};
}

std::string name_of(const transform_config& x) {
  const auto* of_plugin = std::get_if<plugin_transform_config>(&x);
  return of_plugin ? of_plugin->name : transform_specs()[x.index()].name;
}

} // namespace

const std::vector<transform_spec>& transform_specs() {
  static const auto specs = [] {
    auto all = geometry_specs();
    for (auto& spec : value_specs())
      all.push_back(std::move(spec));
    return all;
  }();
  static_assert(std::variant_size_v<transform_config> == 17
                  && std::is_same_v<std::variant_alternative_t<16, transform_config>, plugin_transform_config>,
                "every built-in transform needs its keys, in the variant's order; those of plugins come last");
  return specs;
}

std::vector<transform_spec> plugin_transform_specs() {
  std::vector<transform_spec> out;
  for (const auto& each : component_registry::instance().transforms)
    out.push_back(plugin_spec(each));
  return out;
}

codec<std::vector<transform_config>> transform_list() {
  auto all = transform_specs();
  for (auto& spec : plugin_transform_specs())
    all.push_back(std::move(spec));
  return item_list(item_kind<transform_config>{"transform", std::move(all), name_of}, max_transforms);
}

} // namespace troupe
