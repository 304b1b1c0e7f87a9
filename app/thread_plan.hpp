/// How many threads each part of a run gets.
#pragma once

#include "app/config/run_config.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace troupe {

struct thread_plan {
  int trainer_torch_threads = 1;
  int validator_torch_threads = 1;
  std::uint32_t num_augmenters = 1;
  std::uint32_t chunk_size = 1;      ///< Samples that an augmenter takes at a time, 1..batch_size.
  std::size_t scheduler_workers = 2; ///< Threads that CAF shares among augmenters and collators.
  std::vector<std::string> reasons;  ///< One line per number above, for people.
};

/// Returns the threads for `config` on a machine with `num_cores` usable cores (>= 1). What the config says in numbers is
/// taken as it is; `auto` follows from the cores. `sample_cost` is the time that one core needs to prepare a sample; 0:
/// not known. Pure.
[[nodiscard]] thread_plan plan_threads(const run_config& config, int num_cores,
                                       std::chrono::nanoseconds sample_cost = std::chrono::nanoseconds{0});

/// Returns how many cores this process may use (its affinity mask), at least 1.
[[nodiscard]] int num_usable_cores();

} // namespace troupe
