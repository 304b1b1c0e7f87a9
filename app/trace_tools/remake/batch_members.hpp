/// Which samples the training batches of a run were trained with.
#pragma once

#include "actors/tracer/recorded_trace.hpp"
#include "app/trace_tools/remake/run_data.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace troupe {

/// Puts batches together as the collator did, by seed, place and bad samples. Not for several threads. `data` and `trace`
/// must outlive it.
class batch_members {
public:
  batch_members(const run_data& data, const recorded_trace& trace, std::string run_folder)
    : data_(data), trace_(trace), run_folder_(std::move(run_folder)) {}

  /// Ids of the batch in slot order; nothing if it lies behind the last epoch, a listener may have said how its epoch was
  /// drawn, or the trace contradicts the data and the config, as it does when files were added since.
  [[nodiscard]] std::optional<std::vector<std::uint64_t>> of(std::uint64_t batch);

  /// Number of its samples; see `of`.
  [[nodiscard]] std::optional<std::uint64_t> count(std::uint64_t batch);

private:
  void read_records();
  [[nodiscard]] const std::set<std::uint64_t>& bad_in(std::uint64_t epoch);
  [[nodiscard]] bool is_known(std::uint64_t batch) const;
  void compose(std::uint64_t epoch);

  const run_data& data_;
  const recorded_trace& trace_;
  std::string run_folder_;
  bool read_ = false;
  bool contradicted_ = false;
  std::map<std::uint64_t, std::set<std::uint64_t>> bad_; ///< By epoch, as recorded; then with those of earlier epochs.
  std::map<std::uint64_t, std::set<std::uint64_t>>
    made_;                                ///< Those that were bad in another epoch, and good in this one.
  std::set<std::uint64_t> settled_;       ///< Epochs whose `bad_` is complete.
  std::optional<std::uint64_t> composed_; ///< The epoch of `batches_`.
  std::vector<std::vector<std::uint64_t>> batches_;
};

} // namespace troupe
