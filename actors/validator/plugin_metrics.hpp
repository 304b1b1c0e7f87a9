/// The figures that plugins add to a validation.
#pragma once

#include "actors/support/components/parameters.hpp"
#include "actors/support/components/plugin_guard.hpp"
#include "actors/support/components/validation_metric.hpp"
#include "actors/support/expected.hpp"
#include "messages/metric.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace troupe {

/// Owned by one thread. One that throws is NaN for that validation, and reported.
class plugin_metrics {
public:
  /// bad_config: there is no metric of that name, or it cannot be made.
  static expected<plugin_metrics> make(const std::vector<component_use>& uses, std::int64_t num_classes);

  void begin();
  void add(std::span<const float> logits, std::int64_t label);
  /// In the order of the config; NaN for what has failed since `begin`, or is disabled.
  [[nodiscard]] std::vector<named_figure> figures();

private:
  struct entry {
    std::string name;
    std::unique_ptr<validation_metric> metric;
    std::unique_ptr<plugin_guard> guard;
    bool failed = false; ///< Since `begin`.
  };

  template <class F>
  static void call(entry& which, F f);

  std::vector<entry> entries_;
};

} // namespace troupe
