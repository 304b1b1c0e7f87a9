/// One epoch's batches in plain memory, filled by one thread.
#pragma once

#include "actors/augmenter/transform_pipeline.hpp"
#include "actors/loader/datasets/dataset.hpp"
#include "actors/loader/sampler.hpp"
#include "actors/support/network/batch_view.hpp"

#include <cstdint>
#include <vector>

namespace troupe {

/// Batches as the pipeline would cut them, all in memory at once. The memory is touched when it is made, so that filling
/// it costs no page faults. Refers to the arguments of the constructor: they must outlive it.
class filled_batches {
public:
  filled_batches(const dataset& data, const transform_pipeline& transforms, const epoch_plan& plan, bool channels_last)
    : data_(data), transforms_(transforms), plan_(plan), channels_last_(channels_last),
      floats_per_sample_(static_cast<std::uint64_t>(transforms.output_channels() * transforms.output_height()
                                                    * transforms.output_width())),
      pixels_(plan.samples_per_epoch() * floats_per_sample_), labels_(plan.samples_per_epoch()) {}

  /// Fills all batches with the samples of `epoch`, in its order. Fails at the first sample that cannot be made.
  expected<void> fill(std::uint64_t seed, std::uint64_t epoch) {
    const auto order = plan_.order(epoch);
    for (std::uint64_t i = 0; i < labels_.size(); ++i) {
      auto sample = data_.read(order[i]);
      if (!sample)
        return sample.error();
      labels_[i] = sample->label;
      auto* out = pixels_.data() + i * floats_per_sample_;
      if (auto made = transforms_.apply(*sample, seed, epoch, {out, pixel_type::float32, channels_last_}); !made)
        return made;
    }
    return {};
  }

  [[nodiscard]] std::uint64_t num_samples() const noexcept { return labels_.size(); }
  [[nodiscard]] std::uint64_t num_batches() const noexcept { return plan_.batches_per_epoch(); }

  /// @pre index < num_batches()
  [[nodiscard]] batch_view operator[](std::uint64_t index) {
    const auto range = plan_.range(index);
    return {pixels_.data() + range.first * floats_per_sample_, labels_.data() + range.first, range.size,
            channels_last_};
  }

private:
  const dataset& data_;
  const transform_pipeline& transforms_;
  const epoch_plan& plan_;
  bool channels_last_;
  std::uint64_t floats_per_sample_;
  std::vector<float> pixels_;
  std::vector<std::int64_t> labels_;
};

} // namespace troupe
