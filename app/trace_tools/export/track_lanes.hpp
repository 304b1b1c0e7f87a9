/// Lanes for slices that would overlap on one track.
#pragma once

#include "app/trace_tools/export/timeline.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace troupe {

class track_lanes {
public:
  /// The lane for a slice of `track`; slices come by their starts.
  [[nodiscard]] std::uint32_t place(const timeline_track& track, std::int64_t start, std::int64_t end) {
    auto& lanes = free_from_[track];
    auto lane = static_cast<std::uint32_t>(lanes.size());
    if (!lanes.empty() && lanes.begin()->first <= start)
      lane = lanes.extract(lanes.begin()).value().second;
    lanes.emplace(end, lane);
    return lane;
  }

private:
  /// By track: when each of its lanes gets free, and its number.
  std::map<timeline_track, std::set<std::pair<std::int64_t, std::uint32_t>>> free_from_;
};

} // namespace troupe
