/// What a trace has of one training batch.
#pragma once

#include "actors/tracer/recorded_trace.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace troupe {

struct recorded_batch {
  bool full = false;                  ///< Some process was meant to hold all records.
  std::int64_t begun_realtime_ns = 0; ///< Start of the process that made it, since 1970; 0: no sample was recorded.
  std::uint64_t num_servings = 0;     ///< Processes that made it, at least in part. What follows is of the newest one.
  bool trained = false;               ///< The trainer took it up.
  std::vector<recorded_sample> samples;  ///< In the order in which they were made, bad ones as well.
  std::optional<std::uint64_t> step;     ///< That it was part of.
  std::optional<double> loss;            ///< Of that step.
  std::set<std::uint64_t> bad_in_epoch;  ///< Samples that could not be made in its epoch, as far as records tell.
  std::set<std::uint64_t> made_in_epoch; ///< Those of `suspects` that could be.
};

/// What to look for.
struct batch_query {
  std::uint64_t batch = 0;
  std::uint64_t epoch = 0;          ///< Its epoch, 0-based.
  std::uint32_t accumulate = 1;     ///< Batches of a step.
  std::set<std::uint64_t> suspects; ///< Samples that may have been bad in that epoch.
  std::uint64_t first_of_epoch = 0; ///< The epoch's first batch: steps do not reach over the ends of epochs.
};

/// Reads all records once. Of several processes that made the batch, as runs that are resumed have them, the newest one
/// whose trainer took it up counts, else the newest one.
[[nodiscard]] recorded_batch find_batch(const recorded_trace& trace, const batch_query& query);

/// Reads `bad_samples.csv` of a run folder: the training samples that could not be made in epoch `epoch` (0-based) or
/// before it. None if there is no such file.
[[nodiscard]] expected<std::set<std::uint64_t>> known_bad_samples(const std::string& run_folder, std::uint64_t epoch);

} // namespace troupe
