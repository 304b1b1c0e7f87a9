#include "app/trace_tools/export/mailbox_depths.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>

namespace troupe {

namespace {

using mailbox = std::pair<std::uint32_t, std::uint32_t>; // process, actor

struct depth_change {
  mailbox whose;
  std::int64_t at_ns = 0;
  std::int32_t by = 0;
  std::uint32_t record = 0;
};

bool earlier(const depth_change& a, const depth_change& b) noexcept {
  return std::tuple{a.whose, a.at_ns, -a.by} < std::tuple{b.whose, b.at_ns, -b.by};
}

std::map<mailbox, std::int64_t> ends_of_actors(const std::vector<selected_record>& records) {
  std::map<mailbox, std::int64_t> ends;
  for (const auto& [record, process] : records)
    if (record.kind == trace_kind::exit)
      ends[{process, record.receiver}] = record.enqueued_ns;
  return ends;
}

std::vector<depth_change> changes_of(const std::vector<selected_record>& records, const actor_filter& actors) {
  const auto ends = ends_of_actors(records);
  std::vector<depth_change> changes;
  for (std::uint32_t i = 0; i < records.size(); ++i) {
    const auto& [record, process] = records[i];
    if (record.kind != trace_kind::message || !actors.matches(process, record.receiver))
      continue;
    const mailbox whose{process, record.receiver};
    auto left = record.dequeued_ns;
    if (left == 0) {
      const auto end = ends.find(whose);
      left = end == ends.end() ? 0 : end->second;
    }
    if (left <= record.enqueued_ns)
      continue;
    changes.push_back({whose, record.enqueued_ns, 1, i});
    changes.push_back({whose, left, -1, i});
  }
  std::sort(changes.begin(), changes.end(), earlier);
  return changes;
}

} // namespace

void add_mailbox_depths(const std::vector<selected_record>& records, const actor_filter& actors,
                        std::vector<timeline_event>& to) {
  const auto changes = changes_of(records, actors);
  std::int64_t depth = 0;
  std::int64_t told = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const auto& change = changes[i];
    depth += change.by; // Every mailbox is empty again at the end of its changes.
    const bool is_last_of_moment =
      i + 1 == changes.size() || changes[i + 1].whose != change.whose || changes[i + 1].at_ns != change.at_ns;
    if (is_last_of_moment && depth != told) {
      to.push_back({change.at_ns, depth, change.record, 0, event_kind::depth});
      told = depth;
    }
  }
}

} // namespace troupe
