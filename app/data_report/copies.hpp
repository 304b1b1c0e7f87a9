/// Samples with the same bytes.
#pragma once

#include "actors/loader/datasets/dataset.hpp"
#include "app/data_report/all_cores.hpp"
#include "app/data_report/sample_survey.hpp"

#include <compare>
#include <cstdint>
#include <vector>

namespace troupe {

/// A data set and what was found in it; both outlive this.
struct surveyed_set {
  const dataset* data = nullptr;
  const sample_survey* survey = nullptr;
};

/// A sample of one of several data sets.
struct sample_ref {
  std::uint32_t set = 0;
  std::uint32_t id = 0;
  friend auto operator<=>(const sample_ref&, const sample_ref&) = default;
};

/// Samples with the same bytes, at least two, in order.
using copy_group = std::vector<sample_ref>;

/// Returns all groups of samples that have the same bytes, within a set or across sets, in order of their first samples.
/// Found by size and checksum, and then compared byte by byte. Reads the samples in question again.
[[nodiscard]] std::vector<copy_group> find_copies(const std::vector<surveyed_set>& sets, const work_force& force);

} // namespace troupe
