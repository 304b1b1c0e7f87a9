#include "app/trace_tools/story/batch_story.hpp"
#include "app/trace_tools/story/record_text.hpp"
#include "app/trace_tools/text/trace_text.hpp"

namespace troupe {

namespace {

using json = nlohmann::ordered_json;

/// The three numbers (epochs from 0) that all of the sample's randomness comes from.
void tell_key(const story_context& context, const recorded_sample& sample, story_line& story) {
  const auto& seed = context.data.seed;
  json facts = {{"what", "seed key"}, {"epoch_index", sample.epoch}, {"sample", sample.sample}};
  if (seed)
    facts["seed"] = *seed;
  story.add("seed key: seed " + (seed ? std::to_string(*seed) : std::string{"unknown"}) + ", epoch index "
              + std::to_string(sample.epoch) + ", sample " + std::to_string(sample.sample),
            facts);
}

void tell_remade(const recorded_sample& sample, const told_sample& made, story_line& story) {
  for (const auto& note : made.notes)
    story.add("drew " + note, {{"what", "note"}, {"note", note}});
  if (!made.problem.empty()) {
    story.add("could not be made again: " + made.problem, {{"what", "remade"}, {"problem", made.problem}});
    return;
  }
  if (!made.pixel_hash || sample.bad)
    return;
  const bool same = *made.pixel_hash == sample.pixel_hash;
  story.add(same ? "made again: the same pixels"
                 : "made again: other pixels, " + hash_text(*made.pixel_hash) + ": the data or the program changed",
            {{"what", "remade"}, {"pixel_hash", hash_text(*made.pixel_hash)}, {"same", same}});
}

} // namespace

story_line tell_sample(const story_context& context, const trace_record& record) {
  const auto sample = to_sample(record);
  const bool of_validation = context.names.of_validation(record.receiver);
  story_line story{"sample " + std::to_string(sample.sample), record_json(context.process, record), {}};
  told_sample made;
  if (context.data.sample)
    made = context.data.sample(of_validation, sample.sample, sample.epoch);
  if (!made.name.empty()) {
    story.text += " (" + made.name + (made.label.empty() ? "" : ", class " + made.label) + ")";
    story.facts["file"] = made.name;
    story.facts["label"] = made.label;
  }
  story.text += ", epoch " + std::to_string(sample.epoch + 1) + ", batch " + std::to_string(sample.batch) + ", slot "
                + std::to_string(sample.slot) + ": made by " + context.process.name(record.receiver) + " at "
                + moment_text(context.process, sample.begun_ns);
  if (const auto took = handling_of(record))
    story.text += " in " + time_text(*took);
  story.text += ", " + bytes_text(static_cast<double>(sample.bytes)) + " encoded, "
                + (sample.bad ? "BAD: no pixels were made" : "pixels " + hash_text(sample.pixel_hash));
  tell_key(context, sample, story);
  if (context.data.sample)
    tell_remade(sample, made, story);
  return story;
}

} // namespace troupe
