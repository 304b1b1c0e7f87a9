/// Runs a plugin's augmenters and stages on samples that the test brings.
#pragma once

#include "actors/plugin/testing_company.hpp"
#include "actors/plugin/testing_values.hpp"
#include "actors/support/components/sample_maker.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace troupe::testing {

/// A slot of a batch as it came out.
struct filled_slot {
  std::uint64_t id = 0;
  std::int64_t label = 0;
  std::vector<float> pixels; ///< [C, H, W] or [H, W, C], as the bench's layout says.
  std::string bad;           ///< Why the sample is bad; empty: it is not. "was not handed on": nobody ever did.
  friend bool operator==(const filled_slot&, const filled_slot&) = default;
};

/// What became of all samples.
struct pipeline_result {
  std::vector<filled_slot> slots; ///< In the order of batches and slots.
  std::vector<plugin_failure> failures;
  std::vector<samples_wanted> wanted; ///< What the loader was asked for besides chunks.
  std::uint64_t num_dropped = 0;      ///< Slices that the actor let go of; a run has them filled again.
  std::uint64_t num_lost = 0; ///< Buffers of which somebody still held a part at the end. Always 0, or it is a bug.
};

/// The data loop with one plugin's actor in it:
///
///     const auto bench = bench_of(noise_samples(10, {3, 16, 16}));
///     const auto result = bench.run(offered(mine.actors.augmenters, "mosaic"), {{"probability", 1.0}});
///     CHECK(result.slots[0].bad == "");
///
/// What comes out depends on these fields alone.
struct pipeline_bench {
  std::vector<encoded_sample> data;            ///< By id; one without bytes cannot be read.
  std::shared_ptr<const sample_maker> samples; ///< Makes floats of them.
  std::vector<std::uint64_t> order;            ///< Ids in the epoch's order; empty: each once, ascending.
  std::uint64_t seed = 1;
  std::uint64_t epoch = 0;
  std::uint32_t batch_size = 4;
  std::uint32_t chunk_size = 2; ///< Samples per slice.
  std::uint32_t num_instances = 1;
  std::uint64_t shuffle = 0; ///< Messages are handled in another order for each number; 0: as they come.
  bool channels_last = false;
  pixel_type type = pixel_type::float32;
  plugin_policy on_failure = plugin_policy::skip;

  /// Serves all samples as chunks to that augmenter. Throws what making it throws.
  [[nodiscard]] pipeline_result run(const augmenter_kind& kind, const settings& given = {}) const;

  /// Sends all samples, made by `samples`, through that stage.
  [[nodiscard]] pipeline_result run(const stage_kind& kind, const settings& given = {}) const;
};

/// Whether 1, 2, 3 and 8 instances, with messages in several orders, make the very same of all samples. An `ordered` kind
/// has one instance.
template <class Kind>
[[nodiscard]] bool same_with_any_number(pipeline_bench bench, const Kind& kind, const settings& given = {}) {
  bench.num_instances = 1;
  bench.shuffle = 0;
  const auto one = bench.run(kind, given);
  for (const std::uint32_t num : {1, 2, 3, 8})
    for (const std::uint64_t shuffle : {0, 1, 2}) {
      const bool ordered = kind.how_many == instances::ordered;
      bench.num_instances = ordered ? 1 : num;
      bench.shuffle = ordered ? 0 : shuffle;
      if (bench.run(kind, given).slots != one.slots)
        return false;
    }
  return true;
}

} // namespace troupe::testing
