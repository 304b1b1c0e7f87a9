/// What a consumer of batches sees of the way they are made.
#pragma once

#include "tests/bench/data_path/contestants.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace troupe::bench {

/// Called by the consumer, on its thread, as it goes: `begin`, then for each batch `batch_came`, `batch_done`, and
/// `epoch_done` after the last one of each epoch.
class loop_meter {
public:
  explicit loop_meter(const run_options& options);

  /// The consumer begins to wait for the first batch of all.
  void begin();

  /// A batch is there. `pixels` are added to the checksum, if that is asked for.
  void batch_came(std::uint64_t num_images, std::uint64_t num_bad, std::span<const std::byte> pixels = {});

  /// Stands in for an accelerator: sleeps as long as the options say.
  void step() const;

  /// The consumer has given the batch back.
  void batch_done();
  void epoch_done();

  [[nodiscard]] bool all_done() const noexcept { return epochs_.size() == options_.num_epochs; }

  /// Returns the figures, of all epochs but the first: medians of whole epochs, from the moment the consumer was done
  /// with the one before to the moment it was done with the last batch. Their names are those in compare.py.
  [[nodiscard]] nlohmann::ordered_json figures() const;

private:
  using clock = std::chrono::steady_clock;

  struct epoch {
    std::uint64_t images = 0;
    std::uint64_t bad = 0;
    double wall = 0;   ///< Seconds, as are all others.
    double waited = 0; ///< For batches.
    double until_first = 0;
    double cpu = 0; ///< Of all threads.
  };

  [[nodiscard]] double median_of(double (*figure)(const epoch&)) const;

  run_options options_;
  std::vector<epoch> epochs_;
  epoch now_;
  clock::time_point epoch_begun_;
  clock::time_point idle_since_;
  double cpu_before_ = 0;
  double first_batch_ = 0; ///< From the start of the process; 0: none has come.
  std::uint32_t checksum_ = 0;
};

} // namespace troupe::bench
