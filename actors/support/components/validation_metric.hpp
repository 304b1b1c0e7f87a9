/// A figure of a validation, brought by a plugin.
#pragma once

#include <cstdint>
#include <span>

namespace troupe {

/// Owned by the validator's thread. What it throws makes the figure of that validation NaN.
class validation_metric {
public:
  validation_metric() = default;
  validation_metric(const validation_metric&) = delete;
  validation_metric& operator=(const validation_metric&) = delete;
  virtual ~validation_metric() = default;

  /// A validation begins: forget the one before.
  virtual void begin() = 0;
  /// Adds a sample: a logit per class, and the class it is of.
  virtual void add(std::span<const float> logits, std::int64_t label) = 0;
  /// The figure over all samples since `begin`.
  [[nodiscard]] virtual double value() const = 0;
};

} // namespace troupe
