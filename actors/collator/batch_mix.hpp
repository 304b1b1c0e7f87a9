/// MixUp and CutMix: whole batches, mixed with themselves.
#pragma once

#include "messages/batch_buffer.hpp"
#include "messages/batch_ref.hpp"

#include <cstdint>

namespace troupe {

/// How often batches are mixed, and how strongly. A batch is mixed by one of the two at most.
struct batch_mix_config {
  double mixup_p = 0;       ///< Share of batches, 0..1; both together at most 1.
  double mixup_alpha = 0.2; ///< Of Beta(alpha, alpha), which a slot's own share is drawn from; 0.01..100.
  double cutmix_p = 0;
  double cutmix_alpha = 1;
};

[[nodiscard]] inline bool mixes(const batch_mix_config& config) noexcept {
  return config.mixup_p > 0 || config.cutmix_p > 0;
}

/// Mixes the first `batch.num_samples` slots in place, each with the slot before it, slot 0 with the last one, as
/// torchvision does. Returns each slot's own share of its label, `batch_ref::own_share`; 1 if the batch was not drawn or has fewer
/// than two samples. MixUp (Zhang et al., 2017): x = s x + (1 - s) other. CutMix (Yun et al., 2019): a rectangle of a share 1 - s of the
/// area, at a place drawn evenly, shows the other; s is then what is left. A pure function of config, seed, epoch, index and pixels.
[[nodiscard]] float mix_batch(const batch_mix_config& config, std::uint64_t seed, const batch_ref& batch,
                              const batch_buffer& buffer);

} // namespace troupe
