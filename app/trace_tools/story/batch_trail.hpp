/// The records that batches left on their way through the pipeline.
#pragma once

#include "app/trace_tools/story/run_names.hpp"

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace troupe {

struct batch_key {
  bool of_validation = false;
  std::uint64_t batch = 0;
  friend auto operator<=>(const batch_key&, const batch_key&) = default;
};

/// One batch. What is missing was not recorded, or did not happen.
struct batch_trail {
  std::vector<trace_record> chunks;   ///< chunk_wanted, chunk_read, chunk_ready, slice_filled, chunk_done.
  std::vector<trace_record> samples;  ///< Of kind `sample`.
  std::optional<trace_record> ready;  ///< batch_ready
  std::optional<trace_record> waited; ///< The trainer's spans.
  std::optional<trace_record> trains;
  std::optional<trace_record> step; ///< step_completed of the step that the batch was in.
  std::optional<double> loss;
  std::optional<double> learning_rate;

  std::uint64_t first_of_step = no_id; ///< First batch of the last step that began with this batch or before,
  std::uint64_t first_of_next = no_id; ///< and of the first one that began after it.

  [[nodiscard]] bool empty() const noexcept { return chunks.empty() && samples.empty() && !ready && !waited && !step; }
};

/// Collects the trails of some batches of one process as its records pass by.
class batch_trails {
public:
  explicit batch_trails(const run_names& names) : names_(&names) {}

  void want(const batch_key& key) { trails_[key]; }
  /// Every training batch from `first` to `last` that leaves a record. Their steps are not looked for.
  void want_training(std::uint64_t first, std::uint64_t last) {
    first_ = first;
    last_ = last;
  }

  void take(const trace_record& record);

  /// Decides which step each batch was in. After the last record.
  void settle();

  [[nodiscard]] const std::map<batch_key, batch_trail>& all() const noexcept { return trails_; }
  /// nullptr if nothing was recorded of it.
  [[nodiscard]] const batch_trail* find(const batch_key& key) const;

private:
  batch_trail* trail_of(const trace_record& record);
  void take_message(const trace_record& record);
  void take_step(const trace_record& record);
  void put_step(const trace_record& record, batch_trail& trail);

  const run_names* names_;
  std::map<batch_key, batch_trail> trails_;
  std::uint64_t first_ = 1;
  std::uint64_t last_ = 0;
};

} // namespace troupe
