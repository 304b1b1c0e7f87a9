#include "actors/validator/plugin_metrics.hpp"

#include "actors/support/components/component_registry.hpp"

#include <limits>
#include <stdexcept>
#include <utility>

namespace troupe {

expected<plugin_metrics> plugin_metrics::make(const std::vector<component_use>& uses, std::int64_t num_classes) {
  plugin_metrics out;
  for (const auto& use : uses) {
    const auto* kind = find_component(component_registry::instance().metrics, use.name);
    if (kind == nullptr)
      return failure{ec::bad_config, "validation.metrics: no plugin offers a metric \"" + use.name + "\""};
    entry made{use.name, nullptr, std::make_unique<plugin_guard>(kind->plugin, "metric " + use.name)};
    const auto ok = made.guard->call(no_sample, [&] {
      made.metric = kind->make(use.values, num_classes);
      if (!made.metric)
        throw std::runtime_error("made no metric");
    });
    if (!ok)
      return failure{ec::bad_config, "validation.metrics: " + ok.error().context};
    out.entries_.push_back(std::move(made));
  }
  return out;
}

template <class F>
void plugin_metrics::call(entry& which, F f) {
  which.failed = which.failed || !which.guard->enabled();
  if (!which.failed)
    which.failed = !which.guard->call(no_sample, [&] { f(*which.metric); });
}

void plugin_metrics::begin() {
  for (auto& each : entries_) {
    each.failed = false;
    call(each, [](validation_metric& x) { x.begin(); });
  }
}

void plugin_metrics::add(std::span<const float> logits, std::int64_t label) {
  for (auto& each : entries_)
    call(each, [&](validation_metric& x) { x.add(logits, label); });
}

std::vector<named_figure> plugin_metrics::figures() {
  std::vector<named_figure> out;
  for (auto& each : entries_) {
    auto value = std::numeric_limits<double>::quiet_NaN();
    call(each, [&](validation_metric& x) { value = x.value(); });
    out.push_back({each.name, each.failed ? std::numeric_limits<double>::quiet_NaN() : value});
  }
  return out;
}

} // namespace troupe
