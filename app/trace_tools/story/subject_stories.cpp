#include "app/trace_tools/story/subject_stories.hpp"

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

} // namespace

std::vector<story_line> sample_stories(const story_request& request, std::uint64_t sample) {
  story_ground ground{request};
  std::vector<trace_record> uses;
  std::vector<trace_record> chunks;
  visit_records(request.process, [&](const trace_record& record) {
    ground.fates.take(record);
    if (record.sample != sample)
      return;
    if (record.kind == trace_kind::sample && (!request.options.epoch || record.step == *request.options.epoch))
      uses.push_back(record);
    else if (record.kind == trace_kind::message && record.name == ground.names.chunk_ready)
      chunks.push_back(record);
  });
  if (uses.empty())
    return request.process.full ? std::vector<story_line>{} : chunk_stories(ground, chunks);
  std::stable_sort(uses.begin(), uses.end(),
                   [](const auto& a, const auto& b) { return a.enqueued_ns < b.enqueued_ns; });
  const auto num_told = std::min(uses.size(), request.options.limit);
  batch_trails trails{ground.names};
  for (std::size_t i = 0; i < num_told; ++i)
    trails.want(key_of(ground.names, uses[i]));
  visit_records(request.process, [&](const trace_record& record) { trails.take(record); });
  trails.settle();
  std::vector<story_line> stories;
  for (std::size_t i = 0; i < num_told; ++i) {
    const auto key = key_of(ground.names, uses[i]);
    if (const auto* trail = trails.find(key))
      stories.push_back(tell_use(ground.context(), key, *trail, uses[i]));
  }
  tell_rest(uses.size(), num_told, stories);
  return stories;
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
      stories.push_back(tell_batch(ground.context(), key, trail, true));
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
