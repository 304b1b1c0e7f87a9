/// Steps on whole training batches that plugins have brought.
#pragma once

#include "actors/support/components/batch_transform.hpp"
#include "actors/support/components/parameters.hpp"
#include "actors/support/components/plugin_guard.hpp"
#include "actors/support/expected.hpp"
#include "messages/batch_buffer.hpp"
#include "messages/batch_ref.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace troupe {

/// The steps of a config, in order, ready to be applied by one thread at a time.
class batch_steps {
public:
  batch_steps() = default;

  /// Makes the steps of the registry's components. Errors: bad_config, with the component's name, for one that is unknown
  /// or cannot be made.
  static expected<batch_steps> make(const std::vector<component_use>& list);

  [[nodiscard]] bool empty() const noexcept { return steps_.empty(); }

  /// Changes the pixels of the first `batch.num_samples` slots in place; of bfloat16, by a copy of floats. The k-th step
  /// draws from the k-th of the streams that belong to such steps, by (seed, epoch, index): whatever became of other
  /// batches, the result is the same. Disabled steps are passed over; what throws, or writes beside the pixels, ends it.
  /// Errors: plugin_failed; the pixels may then be anything. @pre those slots are filled
  [[nodiscard]] expected<void> apply(std::uint64_t seed, const batch_ref& batch, const batch_buffer& buffer);

private:
  struct step {
    std::unique_ptr<batch_transform> change;
    std::unique_ptr<plugin_guard> guard;
  };

  [[nodiscard]] expected<void> take_steps(std::uint64_t seed, const batch_pixels& batch) const;
  [[nodiscard]] expected<void> take_step(const step& each, const batch_pixels& batch, sample_rng& rng) const;

  std::vector<step> steps_;
  std::vector<float> copy_; ///< Of bfloat16 pixels.
};

} // namespace troupe
