#include "actors/logger/plugin_sinks.hpp"

#include "actors/support/components/component_registry.hpp"
#include "messages/trace_ids.hpp"

#include <stdexcept>
#include <utility>

namespace troupe {

namespace {

log_sink_context context_of(const logger_config& config) {
  return {config.run, config.folder, config.classes, config.resumed ? config.resumed_step : 0};
}

} // namespace

plugin_sinks::plugin_sinks(const logger_config& config, loss_function lose) : lose_(std::move(lose)) {
  for (const auto& use : config.sinks)
    make(use, context_of(config));
}

void plugin_sinks::make(const component_use& use, const log_sink_context& context) {
  const auto* component = find_component(component_registry::instance().log_sinks, use.name);
  if (component == nullptr) {
    lose_({ec::not_found, "log.sinks: '" + use.name + "', expected a log sink that a plugin has brought"});
    return;
  }
  auto& to = entries_.emplace_back();
  to.guard = std::make_unique<plugin_guard>(component->plugin, "log sink " + use.name);
  const auto made = to.guard->call(no_id, [&] {
    to.sink = component->make(use.values, context);
    if (!to.sink)
      throw std::runtime_error("made no sink, expected one");
  });
  if (!made)
    lose_(made.error());
}

/// False if the call was lost.
template <class Call>
bool plugin_sinks::call(guarded_sink& to, const Call& what) {
  if (!to.guard->enabled())
    return true;
  if (!to.sink) {
    lose_({ec::plugin_failed, to.guard->component() + ": it could not be made"});
    return false;
  }
  const auto done = to.guard->call(no_id, [&] { what(*to.sink); });
  if (!done)
    lose_(done.error());
  return done.has_value();
}

template <class Call>
void plugin_sinks::call_all(const Call& what) {
  for (auto& entry : entries_)
    call(entry, what);
}

void plugin_sinks::metrics(const step_completed& step) {
  call_all([&](log_sink& sink) { sink.metrics(step); });
}

void plugin_sinks::validation(const validation_report& report) {
  call_all([&](log_sink& sink) { sink.validation(report); });
}

void plugin_sinks::told(const notice& line) {
  for (auto& entry : entries_)
    if (entry.takes_lines && entry.sink)
      entry.takes_lines = call(entry, [&](log_sink& sink) { sink.told(line); });
}

void plugin_sinks::close(bool run_succeeded) {
  for (auto& entry : entries_)
    if (entry.sink)
      call(entry, [&](log_sink& sink) { sink.close(run_succeeded); });
  entries_.clear();
}

} // namespace troupe
