#include "app/trace_tools/story/batch_story.hpp"

#include "app/trace_tools/story/record_text.hpp"
#include "app/trace_tools/text/trace_text.hpp"

#include <algorithm>

namespace troupe {

namespace {

using json = nlohmann::ordered_json;

const trace_record* find_chunk(const batch_trail& trail, std::uint64_t message) {
  for (const auto& record : trail.chunks)
    if (record.message == message)
      return &record;
  return nullptr;
}

/// The records of one chunk on its way: told to read, read, handed out, filled, done.
void tell_chunk_records(const story_context& context, const batch_trail& trail, const trace_record& ready,
                        story_line& story) {
  const auto& n = context.names;
  bool filled = false;
  std::vector<const trace_record*> way;
  for (const auto& record : trail.chunks) {
    const bool read = (record.name == n.chunk_wanted || record.name == n.chunk_read) && record.sample == ready.sample;
    const bool sent_on = record.cause == ready.message && ready.message != 0;
    filled |= sent_on && record.name == n.slice_filled;
    if (read || sent_on || record.message == ready.message)
      way.push_back(&record);
  }
  std::stable_sort(way.begin(), way.end(),
                   [](const auto* a, const auto* b) { return a->enqueued_ns < b->enqueued_ns; });
  for (const auto* record : way)
    story.add(tell_record(context, *record));
  if (!filled)
    story.add(tell_missing(context, "the slice_filled of this chunk"));
}

void tell_chunks(const story_context& context, const batch_trail& trail, story_line& story) {
  std::size_t num_ready = 0;
  for (const auto& record : trail.chunks) {
    if (record.name != context.names.chunk_ready)
      continue;
    ++num_ready;
    auto& chunk = story.add(
      "chunk that begins with sample " + std::to_string(record.sample) + ", filled by "
        + context.process.name(record.receiver),
      {{"what", "chunk"}, {"first_sample", record.sample}, {"augmenter", context.process.name(record.receiver)}});
    tell_chunk_records(context, trail, record, chunk);
  }
  if (num_ready == 0)
    story.add(tell_missing(context, "the chunks of this batch"));
  for (const auto& record : trail.chunks)
    if (record.name == context.names.slice_filled && find_chunk(trail, record.cause) == nullptr) {
      auto line = tell_record(context, record);
      line.add(tell_missing(context,
                            "the chunk_ready that it was filled from (message " + std::to_string(record.cause) + ")"));
      story.add(std::move(line));
    }
}

void tell_samples(const story_context& context, const batch_trail& trail, story_line& story) {
  auto samples = trail.samples;
  std::stable_sort(samples.begin(), samples.end(),
                   [](const auto& a, const auto& b) { return a.version < b.version; }); // By slot.
  if (samples.empty()) {
    story.add(tell_missing(context, "its samples"));
    return;
  }
  auto& line = story.add(std::to_string(samples.size()) + " samples", {{"what", "samples"}, {"count", samples.size()}});
  for (std::size_t i = 0; i < std::min(samples.size(), context.limit); ++i)
    line.add(tell_sample(context, samples[i]));
  if (samples.size() > context.limit)
    line.add("and " + std::to_string(samples.size() - context.limit) + " more (--limit)",
             {{"more", samples.size() - context.limit}});
}

void tell_hand_over(const story_context& context, const batch_trail& trail, story_line& story) {
  story.add(trail.ready ? tell_record(context, *trail.ready) : tell_missing(context, "the batch_ready"));
  if (trail.waited)
    story.add(tell_record(context, *trail.waited));
}

/// What a batch was good for.
void tell_outcome(const story_context& context, const batch_key& key, const batch_trail& trail, story_line& story) {
  if (key.of_validation) {
    const auto* judged = trail.ready ? context.fates.judged_after(trail.ready->dequeued_ns) : nullptr;
    story.add(judged != nullptr ? tell_validation(context.process, *judged)
                                : tell_missing(context, "the validation that it was for"));
    return;
  }
  if (!trail.step) {
    story.add(tell_missing(context, "the step that it was in"));
    return;
  }
  auto step = tell_step(context, trail);
  tell_whereabouts(context.process, context.fates, trail.step->step, context.run_folder, step);
  story.add(std::move(step));
}

std::string name_of(const batch_key& key) {
  return (key.of_validation ? "validation batch " : "batch ") + std::to_string(key.batch);
}

json json_of(const batch_key& key) {
  return {{"what", "batch"}, {"batch", key.batch}, {"of_validation", key.of_validation}};
}

} // namespace

story_line tell_missing(const story_context& context, const std::string& what) {
  const auto why = why_missing(context.process);
  return {what + ": not in the trace (" + why + ")", {{"missing", what}, {"why", why}}, {}};
}

story_line tell_record(const story_context& context, const trace_record& record) {
  return {moment_text(context.process, record.enqueued_ns) + "  " + record_text(context.process, record),
          record_json(context.process, record),
          {}};
}

story_line tell_step(const story_context& context, const batch_trail& trail) {
  json facts = {{"what", "step"},
                {"step", trail.step->step},
                {"completed_ns", trail.step->enqueued_ns - context.process.started_ns}};
  auto text = "step " + std::to_string(trail.step->step) + ": completed at "
              + moment_text(context.process, trail.step->enqueued_ns);
  const auto put = [&](const char* name, const char* key, const std::optional<double>& value) {
    text += std::string{", "} + name + " " + (value ? value_text(*value) : "not in the trace");
    if (value)
      facts[key] = *value;
  };
  put("loss", "loss", trail.loss);
  put("learning rate", "learning_rate", trail.learning_rate);
  return {text, facts, {}};
}

story_line tell_batch(const story_context& context, const batch_key& key, const batch_trail& trail, bool outcome) {
  story_line story{name_of(key), json_of(key), {}};
  tell_chunks(context, trail, story);
  tell_samples(context, trail, story);
  tell_hand_over(context, trail, story);
  if (outcome)
    tell_outcome(context, key, trail, story);
  return story;
}

story_line tell_use(const story_context& context, const batch_key& key, const batch_trail& trail,
                    const trace_record& sample) {
  auto story = tell_sample(context, sample);
  story.text = (key.of_validation ? "in validation: " : "in training: ") + story.text;
  story.facts["of_validation"] = key.of_validation;
  if (const auto* ready = find_chunk(trail, sample.message))
    tell_chunk_records(context, trail, *ready, story);
  else
    story.add(tell_missing(context, "the chunk_ready that it came with"));
  tell_hand_over(context, trail, story);
  tell_outcome(context, key, trail, story);
  return story;
}

} // namespace troupe
