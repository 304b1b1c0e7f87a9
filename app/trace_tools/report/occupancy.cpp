#include "app/trace_tools/report/occupancy.hpp"

#include <algorithm>

namespace troupe {

occupancy::occupancy(double seconds, std::size_t num_bins)
  : seconds_(seconds), parts_(num_bins), steps_(num_bins + 1) {}

void occupancy::add(double from, double until) {
  from = std::max(from, 0.0);
  until = std::min(until, seconds_);
  if (until <= from)
    return;
  const auto bins = static_cast<double>(parts_.size());
  const auto begin = from / seconds_ * bins, end = until / seconds_ * bins;
  const auto first = std::min(static_cast<std::size_t>(begin), parts_.size() - 1);
  const auto last = std::min(static_cast<std::size_t>(end), parts_.size() - 1);
  if (first == last) {
    parts_[first] += end - begin;
    return;
  }
  parts_[first] += static_cast<double>(first + 1) - begin;
  parts_[last] += end - static_cast<double>(last);
  steps_[first + 1] += 1;
  steps_[last] -= 1;
}

std::vector<double> occupancy::per_bin() const {
  auto result = parts_;
  double whole = 0;
  for (std::size_t i = 0; i < result.size(); ++i) {
    whole += steps_[i];
    result[i] += whole;
  }
  return result;
}

} // namespace troupe
