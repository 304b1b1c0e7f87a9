#include "app/trace_tools/story/batch_story.hpp"

#include "app/trace_tools/analysis/actor_role.hpp"
#include "app/trace_tools/text/trace_text.hpp"

#include <algorithm>
#include <tuple>

namespace troupe {

namespace {

const trace_record* find_chunk(const batch_trail& trail, std::uint64_t message) {
  for (const auto& record : trail.chunks)
    if (record.message == message)
      return &record;
  return nullptr;
}

/// True if the slice was filled from the chunk that came with the message `ready`, or is that slice on its way through
/// the stages of plugins.
bool comes_from(const batch_trail& trail, const trace_record& slice, std::uint64_t ready) {
  constexpr int most_stages = 64; // Causes that a broken trace has in circles end here.
  const auto* at = &slice;
  for (int i = 0; i < most_stages && at != nullptr && at->cause != 0; ++i) {
    if (at->cause == ready)
      return true;
    at = find_chunk(trail, at->cause);
  }
  return false;
}

/// Plugins' augmenters may fill a slice when an answer comes, which its chunk is not the direct cause of.
bool is_plugins(const story_context& context, std::uint32_t augmenter) {
  return !role_of(context.process.name(augmenter)).part.empty();
}

/// Plugins' stages send slices on, which others have filled.
bool fills(const story_context& context, const trace_record& slice) {
  const auto role = role_of(context.process.name(slice.sender)).role;
  return role != "stage" && role != "relay";
}

/// The records of one chunk on its way: told to read, read, handed out, filled, changed by stages, done.
void tell_chunk_records(const story_context& context, const batch_trail& trail, const trace_record& ready,
                        story_line& story) {
  const auto& n = context.names;
  bool filled = false;
  std::vector<const trace_record*> way;
  for (const auto& record : trail.chunks) {
    const bool read = (record.name == n.chunk_wanted || record.name == n.chunk_read) && record.sample == ready.sample;
    const bool sent_on =
      ready.message != 0
      && (record.name == n.slice_filled ? comes_from(trail, record, ready.message) : record.cause == ready.message);
    filled |= sent_on && record.name == n.slice_filled;
    if (read || sent_on || record.message == ready.message)
      way.push_back(&record);
  }
  std::stable_sort(way.begin(), way.end(),
                   [](const auto* a, const auto* b) { return a->enqueued_ns < b->enqueued_ns; });
  for (const auto* record : way)
    story.add(tell_record(context, *record));
  if (!filled && !is_plugins(context, ready.receiver))
    story.add(tell_missing(context, "the slice_filled of this chunk"));
}

/// Chunks in the order of their first slots, as far as their samples tell; replacements come last, where they were sent.
std::vector<const trace_record*> sorted_chunks(const story_context& context, const batch_trail& trail) {
  std::map<std::uint64_t, std::uint64_t> first_slots; // By chunk_ready.
  for (const auto& sample : trail.samples) {
    const auto place = first_slots.emplace(sample.message, sample.version).first;
    place->second = std::min(place->second, sample.version);
  }
  std::vector<const trace_record*> chunks;
  for (const auto& record : trail.chunks)
    if (record.name == context.names.chunk_ready)
      chunks.push_back(&record);
  const auto key = [&](const trace_record* chunk) {
    const auto slot = first_slots.find(chunk->message);
    return std::tuple(slot == first_slots.end() ? no_id : slot->second, chunk->enqueued_ns);
  };
  std::stable_sort(chunks.begin(), chunks.end(), [&](const auto* a, const auto* b) { return key(a) < key(b); });
  return chunks;
}

void tell_rest(std::size_t count, const story_context& context, const char* what, story_line& story) {
  if (count > context.limit)
    story.add("and " + count_text(count - context.limit) + " more " + what + " (--limit)",
              {{"more", count - context.limit}});
}

} // namespace

void tell_chunks(const story_context& context, const batch_trail& trail, story_line& story) {
  const auto chunks = sorted_chunks(context, trail);
  for (std::size_t i = 0; i < std::min(chunks.size(), context.limit); ++i) {
    const auto& augmenter = context.process.name(chunks[i]->receiver);
    auto& chunk =
      story.add("chunk that begins with sample " + std::to_string(chunks[i]->sample) + ", filled by " + augmenter,
                {{"what", "chunk"}, {"first_sample", chunks[i]->sample}, {"augmenter", augmenter}});
    tell_chunk_records(context, trail, *chunks[i], chunk);
  }
  tell_rest(chunks.size(), context, "chunks", story);
  if (chunks.empty())
    story.add(tell_missing(context, "the chunks of this batch"));
  std::vector<const trace_record*> lone;
  for (const auto& record : trail.chunks)
    if (record.name == context.names.slice_filled && find_chunk(trail, record.cause) == nullptr
        && fills(context, record))
      lone.push_back(&record);
  for (std::size_t i = 0; i < std::min(lone.size(), context.limit); ++i) {
    auto line = tell_record(context, *lone[i]);
    if (!is_plugins(context, lone[i]->sender))
      line.add(tell_missing(context, "the chunk_ready that it was filled from (message "
                                       + std::to_string(lone[i]->cause) + ")"));
    story.add(std::move(line));
  }
  tell_rest(lone.size(), context, "slices", story);
}

void tell_chunk_of(const story_context& context, const batch_trail& trail, const trace_record& sample,
                   story_line& story) {
  if (const auto* ready = find_chunk(trail, sample.message))
    tell_chunk_records(context, trail, *ready, story);
  else
    story.add(tell_missing(context, "the chunk_ready that it came with"));
}

} // namespace troupe
