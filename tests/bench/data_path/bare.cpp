// No framework: threads that make samples, one after another, in the order of the epoch, into a ring of batch buffers,
// and a consumer that gives the buffers back. The threads go on past the end of an epoch, and wait only for a buffer.
#include "actors/loader/sampler.hpp"
#include "actors/support/allocator_tuning.hpp"
#include "tests/bench/data_path/contestants.hpp"
#include "tests/bench/data_path/loop_meter.hpp"
#include "tests/bench/data_path/photo_maker.hpp"
#include "tests/bench/data_path/value_or_exit.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <thread>

namespace troupe::bench {

namespace {

constexpr std::uint32_t num_buffers = 3; ///< As Troupe has by default.

/// The samples of all epochs, in order, and the batches they belong to.
class schedule {
public:
  schedule(std::uint64_t num_samples, const run_options& options)
    : plan_(value_or_exit(epoch_plan::make(num_samples, options.batch_size, false, true, run_seed))) {
    for (std::uint64_t i = 0; i < plan_.batches_per_epoch(); ++i)
      batches_.push_back(plan_.range(i));
    for (std::uint64_t epoch = 0; epoch < options.num_epochs; ++epoch)
      orders_.push_back(plan_.order(epoch));
  }

  struct place {
    std::uint64_t epoch = 0;
    std::uint32_t sample = 0;
    std::uint32_t batch = 0; ///< Counted through all epochs.
    std::uint32_t slot = 0;
    std::uint32_t batch_size = 0;
  };

  [[nodiscard]] std::uint64_t num_samples() const noexcept { return orders_.size() * plan_.samples_per_epoch(); }
  [[nodiscard]] std::uint32_t num_batches() const noexcept {
    return static_cast<std::uint32_t>(orders_.size() * batches_.size());
  }
  [[nodiscard]] std::uint32_t size_of(std::uint32_t batch) const noexcept {
    return batches_[batch % batches_.size()].size;
  }
  [[nodiscard]] bool is_last_in_epoch(std::uint32_t batch) const noexcept { return (batch + 1) % batches_.size() == 0; }

  /// @pre index < num_samples()
  [[nodiscard]] place at(std::uint64_t index) const noexcept {
    const auto epoch = index / plan_.samples_per_epoch();
    const auto position = index % plan_.samples_per_epoch();
    const auto behind = std::upper_bound(batches_.begin(), batches_.end(), position,
                                         [](std::uint64_t x, const batch_range& batch) { return x < batch.first; });
    const auto within = static_cast<std::uint64_t>(behind - batches_.begin() - 1);
    const auto& batch = batches_[within];
    return {epoch, orders_[epoch][position], static_cast<std::uint32_t>(epoch * batches_.size() + within),
            static_cast<std::uint32_t>(position - batch.first), batch.size};
  }

private:
  epoch_plan plan_;
  std::vector<batch_range> batches_; ///< Of one epoch.
  std::vector<std::vector<std::uint32_t>> orders_;
};

/// A buffer of the ring. What threads share lies on cache lines of its own.
struct batch_slot {
  std::unique_ptr<float[]> pixels;
  alignas(64) std::atomic<std::uint32_t> num_made{0};
  std::atomic<std::uint32_t> num_bad{0};
  alignas(64) std::atomic<std::uint32_t> whole{0}; ///< 1 + the batch that is in it, once it is complete.
};

class bare_pipe {
public:
  explicit bare_pipe(const run_options& options)
    : options_(options), files_(photo_files::find(options.root)), schedule_(files_.paths.size(), options) {
    for (auto& slot : ring_)
      slot.pixels = std::make_unique<float[]>(options.batch_size * photo_values);
    for (std::uint32_t i = 0; i < options.num_workers; ++i)
      workers_.emplace_back([this] { make_samples(); });
  }

  /// Takes all batches.
  void consume(loop_meter& meter) {
    for (std::uint32_t batch = 0; batch < schedule_.num_batches(); ++batch) {
      auto& slot = ring_[batch % num_buffers];
      wait_until(slot.whole, [=](auto whole) { return whole == batch + 1; });
      const auto num_bad = slot.num_bad.exchange(0, std::memory_order_relaxed);
      const auto size = schedule_.size_of(batch);
      meter.batch_came(size - num_bad, num_bad, std::as_bytes(std::span{slot.pixels.get(), size * photo_values}));
      meter.step();
      given_back_.store(batch + 1, std::memory_order_release);
      given_back_.notify_all();
      meter.batch_done();
      if (schedule_.is_last_in_epoch(batch))
        meter.epoch_done();
    }
  }

private:
  template <class Condition>
  static void wait_until(const std::atomic<std::uint32_t>& value, Condition fulfils) {
    for (auto now = value.load(std::memory_order_acquire); !fulfils(now); now = value.load(std::memory_order_acquire))
      value.wait(now, std::memory_order_acquire);
  }

  void make_samples() {
    photo_maker maker(options_.antialias);
    for (auto i = next_.fetch_add(1, std::memory_order_relaxed); i < schedule_.num_samples();
         i = next_.fetch_add(1, std::memory_order_relaxed))
      make(maker, schedule_.at(i));
  }

  void make(photo_maker& maker, const schedule::place& place) {
    wait_until(given_back_, [&](auto given_back) { return place.batch < given_back + num_buffers; });
    auto& slot = ring_[place.batch % num_buffers];
    auto* out = slot.pixels.get() + place.slot * photo_values;
    if (!maker.make(files_.paths[place.sample], place.sample, place.epoch, /*channels_last=*/true, out))
      slot.num_bad.fetch_add(1, std::memory_order_relaxed);
    if (slot.num_made.fetch_add(1, std::memory_order_acq_rel) + 1 < place.batch_size)
      return;
    slot.num_made.store(0, std::memory_order_relaxed); // Nobody writes to it before it has been given back.
    slot.whole.store(place.batch + 1, std::memory_order_release);
    slot.whole.notify_one();
  }

  run_options options_;
  photo_files files_;
  schedule schedule_;
  std::array<batch_slot, num_buffers> ring_;
  alignas(64) std::atomic<std::uint64_t> next_{0};
  alignas(64) std::atomic<std::uint32_t> given_back_{0}; ///< Batches.
  std::vector<std::jthread> workers_;                    ///< Last, so that they end before what they use.
};

} // namespace

nlohmann::ordered_json run_bare(const run_options& options) {
  keep_freed_memory();
  bare_pipe pipe(options);
  loop_meter meter(options);
  meter.begin();
  pipe.consume(meter);
  return meter.figures();
}

} // namespace troupe::bench
