#include "app/trace_tools/story/subject_stories.hpp"

#include "app/trace_tools/story/batch_content.hpp"
#include "app/trace_tools/story/message_family.hpp"
#include "app/trace_tools/story/story_ground.hpp"

#include <algorithm>

namespace troupe {

namespace {

batch_key key_of(const run_names& names, const trace_record& sample) {
  return {names.of_validation(sample.receiver), sample.batch};
}

/// Says how many uses are left out, and of a trace without samples why there are none.
void tell_rest(std::size_t count, std::size_t limit, std::vector<story_line>& stories) {
  if (count > limit)
    stories.push_back(
      {"and " + std::to_string(count - limit) + " more times (--limit)", {{"more", count - limit}}, {}});
}

/// Chunks say their first sample's number only: all that there is where single samples are not recorded.
std::vector<story_line> chunk_stories(const story_ground& ground, const std::vector<trace_record>& chunks) {
  std::vector<story_line> stories;
  const auto context = ground.context();
  for (std::size_t i = 0; i < std::min(chunks.size(), context.limit); ++i) {
    auto line = tell_record(context, chunks[i]);
    line.text += "; its chunk begins with this sample";
    line.add(tell_missing(context, "what was made of the sample"));
    stories.push_back(std::move(line));
  }
  tell_rest(chunks.size(), context.limit, stories);
  return stories;
}

/// The batch that kept a training sample of an epoch which was made for several: by their composition where that is
/// known; else the first one, as it is whenever nothing was given away between batches.
std::optional<std::uint64_t> keeper_of(const story_ground& ground, const std::vector<trace_record>& uses,
                                       const trace_record& use) {
  std::optional<std::uint64_t> first;
  bool known = false;
  for (const auto& each : uses) {
    const auto key = key_of(ground.names, each);
    if (key.of_validation || each.step != use.step || each.outcome == trace_outcome::threw)
      continue;
    first = std::min(first.value_or(key.batch), key.batch);
    const auto members = members_of(ground.context(), key);
    known |= members.has_value();
    if (members && std::find(members->begin(), members->end(), each.sample) != members->end())
      return key.batch;
  }
  return known ? std::nullopt : first;
}

/// The way of each use; where a sample was made without being used there, that.
std::vector<story_line> tell_uses(const story_ground& ground, const std::vector<trace_record>& uses) {
  const auto num_told = std::min(uses.size(), ground.request.options.limit);
  batch_trails trails{ground.names};
  for (std::size_t i = 0; i < num_told; ++i)
    trails.want(key_of(ground.names, uses[i]));
  visit_records(ground.request.process, [&](const trace_record& record) { trails.take(record); });
  trails.settle();
  std::vector<story_line> stories;
  for (std::size_t i = 0; i < num_told; ++i) {
    auto use = uses[i];
    const auto key = key_of(ground.names, use);
    const auto* trail = trails.find(key);
    if (trail == nullptr)
      continue;
    const auto content = content_of(*trail, members_of(ground.context(), key));
    const bool is_bad = use.outcome == trace_outcome::threw;
    const auto keeper = key.of_validation || is_bad ? key.batch : keeper_of(ground, uses, use);
    if (keeper != key.batch) {
      stories.push_back(tell_other_place(ground.context(), use, keeper));
      continue;
    }
    for (const auto& kept : content.kept)
      use.version = !is_bad && kept.sample == use.sample ? kept.version : use.version;
    stories.push_back(tell_use(ground.context(), key, *trail, use));
  }
  tell_rest(uses.size(), num_told, stories);
  return stories;
}

} // namespace

std::vector<story_line> sample_stories(const story_request& request, std::uint64_t sample) {
  story_ground ground{request};
  std::vector<trace_record> uses;
  std::vector<trace_record> chunks;
  visit_records(request.process, [&](const trace_record& record) {
    ground.fates.take(record);
    if (record.sample != sample)
      return;
    if (record.kind == trace_kind::sample && (!request.options.epoch || record.step + 1 == *request.options.epoch))
      uses.push_back(record);
    else if (record.kind == trace_kind::message && record.name == ground.names.chunk_ready)
      chunks.push_back(record);
  });
  if (uses.empty())
    return request.process.full ? std::vector<story_line>{} : chunk_stories(ground, chunks);
  std::stable_sort(uses.begin(), uses.end(),
                   [](const auto& a, const auto& b) { return a.enqueued_ns < b.enqueued_ns; });
  return tell_uses(ground, uses);
}

std::vector<story_line> batch_stories(const story_request& request, std::uint64_t batch) {
  story_ground ground{request};
  batch_trails trails{ground.names};
  trails.want({false, batch});
  trails.want({true, batch});
  visit_records(request.process, [&](const trace_record& record) {
    ground.fates.take(record);
    trails.take(record);
  });
  trails.settle();
  std::vector<story_line> stories;
  for (const auto& [key, trail] : trails.all())
    if (!trail.empty())
      stories.push_back(key.of_validation ? tell_validation_batch(ground.context(), key, trail)
                                          : tell_batch(ground.context(), key, trail, true));
  return stories;
}

std::vector<story_line> message_stories(const story_request& request, std::uint64_t message) {
  const story_ground ground{request};
  const auto family = find_family(request.process, message, request.options.limit);
  if (auto story = tell_family(ground.context(), family))
    return {std::move(*story)};
  return {};
}

} // namespace troupe
