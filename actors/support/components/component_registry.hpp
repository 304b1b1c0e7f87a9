/// The components that plugins have brought: one table per process, in libtroupe_core.so.
///
/// Filled before the first actor is spawned and read only from then on, so that any thread may look something up.
#pragma once

#include "actors/support/components/batch_transform.hpp"
#include "actors/support/components/data_source.hpp"
#include "actors/support/components/log_sink.hpp"
#include "actors/support/components/parameters.hpp"
#include "actors/support/components/sample_decoder.hpp"
#include "actors/support/components/sample_transform.hpp"
#include "actors/support/components/validation_metric.hpp"
#include "actors/support/expected.hpp"
#include "actors/support/network/network_config.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

class image_model;

/// What a component is called, who brought it, and what it takes.
struct component_info {
  std::string name; ///< In a config; snake_case.
  std::string about;
  parameter_list parameters;
  std::string plugin; ///< Name of the plugin.
};

/// A component of one kind: how it is made. `Make` may throw; what it throws is told as a failure of the config.
template <class Make>
struct component : component_info {
  Make make;
};

using transform_component =
  component<std::function<std::unique_ptr<sample_transform>(const parameters&, const image_shape& input)>>;
using batch_transform_component = component<std::function<std::unique_ptr<batch_transform>(const parameters&)>>;
/// `classes`: names that the config gives; empty: the data set's own.
using data_source_component =
  component<std::function<std::unique_ptr<data_source>(const parameters&, const std::vector<std::string>& classes)>>;
using decoder_component = component<std::function<std::unique_ptr<sample_decoder>(const parameters&)>>;
/// The model's first weights come from LibTorch's default generator, which is seeded for it.
using model_component = component<std::function<std::shared_ptr<image_model>(const parameters&, const model_io&)>>;
using metric_component =
  component<std::function<std::unique_ptr<validation_metric>(const parameters&, std::int64_t num_classes)>>;
using log_sink_component =
  component<std::function<std::unique_ptr<log_sink>(const parameters&, const log_sink_context&)>>;

class component_registry {
public:
  /// The process's own.
  [[nodiscard]] static component_registry& instance();

  std::vector<transform_component> transforms;
  std::vector<batch_transform_component> batch_transforms;
  std::vector<data_source_component> data_sources;
  std::vector<decoder_component> decoders;
  std::vector<model_component> models;
  std::vector<metric_component> metrics;
  std::vector<log_sink_component> log_sinks;
};

/// The component of that name in one of the registry's lists; null: there is none.
template <class Component>
[[nodiscard]] const Component* find_component(const std::vector<Component>& list, std::string_view name) noexcept {
  for (const auto& each : list)
    if (each.name == name)
      return &each;
  return nullptr;
}

} // namespace troupe
