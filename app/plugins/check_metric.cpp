#include "app/plugins/check_parts.hpp"
#include "app/plugins/check_support.hpp"

#include "actors/support/rng.hpp"

#include <array>
#include <bit>
#include <cmath>

namespace troupe {

namespace {

constexpr std::int64_t num_classes = 10;

/// One validation over made-up logits.
double value_over(validation_metric& metric, std::uint64_t num_samples) {
  metric.begin();
  for (std::uint64_t i = 0; i < num_samples; ++i) {
    sample_rng rng{1, 0, i, 0};
    std::array<float, num_classes> logits{};
    for (auto& x : logits)
      x = static_cast<float>(rng.uniform(-4, 4));
    metric.add(logits, static_cast<std::int64_t>(rng.below(num_classes)));
  }
  return metric.value();
}

bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

} // namespace

void check_metric(const metric_component& what, const parameters& values, const check_options& options,
                  check_log& log) {
  const auto metric = what.make(values, num_classes);
  if (!metric) {
    log.bad("is made", "nothing was made");
    return;
  }
  double first = 0;
  if (!log.survives("does not throw", [&] { first = value_over(*metric, options.num_samples); }))
    return;
  log.say("gives a number", std::isfinite(first), fmt::format("it gave {}", first));
  const auto again = value_over(*metric, options.num_samples);
  log.say("the same again after `begin`", same(first, again), fmt::format("first {}, then {}", first, again));
  const auto other = what.make(values, num_classes);
  const auto of_other = other ? value_over(*other, options.num_samples) : std::nan("");
  log.say("the same from another one", same(first, of_other), fmt::format("first {}, then {}", first, of_other));
}

} // namespace troupe
