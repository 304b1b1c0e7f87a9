/// How many samples may be bad before a run is stopped.
#pragma once

#include <cstdint>
#include <set>

namespace troupe {

/// Counts the distinct bad samples of one data set: one that fails in every epoch is one. Logic only.
class bad_sample_budget {
public:
  /// Stops at more than `max` samples, or more than `max_share` of the `num_samples` in the data set; a share below
  /// one sample still allows one.
  bad_sample_budget(std::uint64_t max, double max_share, std::uint64_t num_samples)
    : max_(max), max_of_share_(static_cast<std::uint64_t>(max_share * static_cast<double>(num_samples))) {
    if (max_of_share_ == 0 && max_share > 0)
      max_of_share_ = 1;
  }

  /// Counts the sample. True if it is the first time that it is heard of.
  bool add(std::uint64_t id) { return ids_.insert(id).second; }

  [[nodiscard]] bool spent() const noexcept { return ids_.size() > max_ || ids_.size() > max_of_share_; }
  [[nodiscard]] std::uint64_t count() const noexcept { return ids_.size(); }

private:
  std::uint64_t max_;
  std::uint64_t max_of_share_;
  std::set<std::uint64_t> ids_;
};

} // namespace troupe
