#include "app/trace_tools/story/batch_content.hpp"

#include <algorithm>
#include <map>

namespace troupe {

namespace {

using samples_by_number = std::map<std::uint64_t, trace_record>;

void keep_members(const samples_by_number& by_id, const std::vector<std::uint64_t>& members, batch_content& to) {
  to.certain = true;
  for (std::size_t slot = 0; slot < members.size(); ++slot)
    if (const auto found = by_id.find(members[slot]); found != by_id.end()) {
      to.kept.push_back(found->second);
      to.kept.back().version = slot;
    }
}

} // namespace

batch_content content_of(const batch_trail& trail, const std::optional<std::vector<std::uint64_t>>& members) {
  batch_content content;
  samples_by_number by_id;
  samples_by_number by_slot;
  for (const auto& record : trail.samples) {
    if (record.outcome == trace_outcome::threw) {
      content.bad.push_back(record);
      continue;
    }
    by_id[record.sample] = record;
    by_slot[record.version] = record;
  }
  if (members)
    keep_members(by_id, *members, content);
  else
    for (const auto& [slot, record] : by_slot)
      content.kept.push_back(record);
  const auto is_kept = [&](std::uint64_t id) {
    return std::any_of(content.kept.begin(), content.kept.end(), [id](const auto& each) { return each.sample == id; });
  };
  for (const auto& [id, record] : by_id)
    if (!is_kept(id))
      content.elsewhere.push_back(record);
  return content;
}

const trace_record* replacement_of(const batch_trail& trail, const trace_record& bad) {
  const auto found = std::find_if(trail.samples.begin(), trail.samples.end(), [&](const auto& each) {
    return each.version == bad.version && each.outcome != trace_outcome::threw;
  });
  return found == trail.samples.end() ? nullptr : &*found;
}

} // namespace troupe
