/// What a chunk is before it is read, and how it is read. Logic only.
#pragma once

#include "actors/loader/datasets/dataset.hpp"
#include "actors/loader/pixel_cache.hpp"
#include "actors/loader/sampler.hpp"
#include "actors/loader/sampling_history.hpp"
#include "messages/flow.hpp"
#include "messages/sample.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace troupe {

/// Samples [position, position + count) of an epoch's order, which belong into the slots of a batch from `first_slot` on.
struct chunk_place {
  std::uint64_t batch = 0; ///< `batch_ref::id`
  std::uint64_t epoch = 0;
  std::uint64_t position = 0;
  std::uint32_t first_slot = 0;
  std::uint32_t count = 0;
};

/// A chunk to be read.
struct chunk_request {
  encoded_chunk frame;                      ///< Its samples have ids, labels and weights, but no bytes.
  std::vector<pixel_cache::fetcher> cached; ///< By sample; empty: it is not in the cache.
  std::uint64_t estimated_bytes = 0;
};

/// Turns places into chunks. Owned by one thread.
class chunk_maker {
public:
  /// `cache` may be null.
  chunk_maker(std::shared_ptr<const dataset> data, const epoch_plan& plan, bool shuffle,
              std::shared_ptr<pixel_cache> cache, sampling_history sampling = {})
    : data_(std::move(data)), plan_(plan), shuffle_(shuffle), cache_(std::move(cache)), sampling_(std::move(sampling)) {
  }

  /// How the epochs are drawn.
  [[nodiscard]] sampling_history& sampling() noexcept { return sampling_; }
  [[nodiscard]] const sampling_history& sampling() const noexcept { return sampling_; }

  /// @pre the epoch's sampling is settled
  [[nodiscard]] chunk_request request(const chunk_place& place);

  /// Returns a function that reads the samples; any thread may call it, once.
  [[nodiscard]] std::function<encoded_chunk()> reading_of(chunk_request request) const;

  /// Returns a function that reads these samples; any thread may call it. One that is not in the data set, or cannot be
  /// read, has its failure.
  [[nodiscard]] std::function<samples_found()> reading_of(const samples_wanted& wanted) const;

  /// Forgets the orders of the epochs before this one.
  void forget_before(std::uint64_t epoch);

private:
  using order = std::vector<std::uint32_t>;
  [[nodiscard]] const order& order_of(std::uint64_t epoch);

  std::shared_ptr<const dataset> data_;
  epoch_plan plan_;
  bool shuffle_;
  std::shared_ptr<pixel_cache> cache_;
  sampling_history sampling_;
  std::map<std::uint64_t, order> orders_; ///< By epoch.
};

} // namespace troupe
