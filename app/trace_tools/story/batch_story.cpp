#include "app/trace_tools/story/batch_story.hpp"

#include "app/trace_tools/story/batch_content.hpp"
#include "app/trace_tools/story/record_text.hpp"
#include "app/trace_tools/text/trace_text.hpp"

#include <algorithm>

namespace troupe {

namespace {

using json = nlohmann::ordered_json;

/// Up to the limit, each by `tell`, and how many more there are.
template <class Tell>
void tell_some(const story_context& context, const std::vector<trace_record>& samples, story_line& story,
               const Tell& tell) {
  for (std::size_t i = 0; i < std::min(samples.size(), context.limit); ++i)
    story.add(tell(samples[i]));
  if (samples.size() > context.limit)
    story.add("and " + std::to_string(samples.size() - context.limit) + " more (--limit)",
              {{"more", samples.size() - context.limit}});
}

/// What became of the slot of a sample that could not be made.
story_line tell_left_out(const batch_trail& trail, const trace_record& bad) {
  const auto* instead = replacement_of(trail, bad);
  json facts = {{"what", "left out"}, {"sample", bad.sample}, {"batch", bad.batch}};
  if (instead != nullptr)
    facts["replaced_by"] = instead->sample;
  return {"left out of the batch; "
            + (instead != nullptr ? "replaced by sample " + std::to_string(instead->sample)
                                  : std::string{"the gap was closed up"}),
          std::move(facts),
          {}};
}

void tell_samples(const story_context& context, const batch_key& key, const batch_trail& trail, story_line& story) {
  if (trail.samples.empty()) {
    story.add(tell_missing(context, "its samples"));
    return;
  }
  const auto content = content_of(trail, members_of(context, key));
  auto& line = story.add(std::to_string(content.kept.size()) + " samples",
                         {{"what", "samples"}, {"count", content.kept.size()}, {"certain", content.certain}});
  tell_some(context, content.kept, line, [&](const auto& sample) { return tell_sample(context, sample); });
  if (!content.bad.empty()) {
    auto& bad = story.add(std::to_string(content.bad.size()) + " could not be made",
                          {{"what", "bad samples"}, {"count", content.bad.size()}});
    tell_some(context, content.bad, bad, [&](const auto& sample) {
      auto left_out = tell_left_out(trail, sample);
      left_out.text =
        "sample " + std::to_string(sample.sample) + ", slot " + std::to_string(sample.version) + ": " + left_out.text;
      return left_out;
    });
  }
  if (content.elsewhere.empty())
    return;
  auto& others = story.add(std::to_string(content.elsewhere.size()) + " made for it too, but not kept by this batch",
                           {{"what", "samples not kept"}, {"count", content.elsewhere.size()}});
  tell_some(context, content.elsewhere, others, [&](const auto& sample) {
    return story_line{"sample " + std::to_string(sample.sample) + ", made for slot " + std::to_string(sample.version),
                      record_json(context.process, sample),
                      {}};
  });
}

void tell_hand_over(const story_context& context, const batch_trail& trail, story_line& story) {
  story.add(trail.ready ? tell_record(context, *trail.ready) : tell_missing(context, "the batch_ready"));
  if (trail.waited)
    story.add(tell_record(context, *trail.waited));
}

/// Why a batch has no step.
story_line tell_no_step(const story_context& context, const batch_trail& trail) {
  if (!has_all_records(context.process))
    return tell_missing(context, "the step that it was in");
  const char* text = "not trained on: the training ended before it";
  if (trail.trains)
    text = "trained on, but the step that it was to be in was not completed";
  else if (context.process.state == process_state::died)
    text = "not trained on: the process died before that";
  else if (context.process.state == process_state::running)
    text = "not trained on yet";
  return {text, {{"what", "step"}, {"step", nullptr}, {"why", text}}, {}};
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
    story.add(tell_no_step(context, trail));
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

std::optional<std::vector<std::uint64_t>> members_of(const story_context& context, const batch_key& key) {
  return key.of_validation || !context.data.members ? std::nullopt : context.data.members(key.batch);
}

story_line tell_missing(const story_context& context, const std::string& what) {
  const auto why = why_missing(context.process);
  const bool is_gone = !has_all_records(context.process) || context.process.state != process_state::finished;
  return {
    what + (is_gone ? ": not in the trace (" + why + ")" : ": there was none"), {{"missing", what}, {"why", why}}, {}};
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
  tell_samples(context, key, trail, story);
  tell_hand_over(context, trail, story);
  if (outcome)
    tell_outcome(context, key, trail, story);
  return story;
}

story_line tell_validation_batch(const story_context& context, const batch_key& key, const batch_trail& trail) {
  story_line story{name_of(key) + ", another one with that number: " + std::to_string(trail.samples.size())
                     + " samples",
                   json_of(key),
                   {}};
  if (trail.ready) {
    story.text += ", made by " + moment_text(context.process, trail.ready->enqueued_ns)
                  + "  [message:" + std::to_string(trail.ready->message) + "]";
    story.facts["message"] = trail.ready->message;
  }
  tell_outcome(context, key, trail, story);
  return story;
}

story_line tell_use(const story_context& context, const batch_key& key, const batch_trail& trail,
                    const trace_record& sample) {
  auto story = tell_sample(context, sample);
  story.text = (key.of_validation ? "in validation: " : "in training: ") + story.text;
  story.facts["of_validation"] = key.of_validation;
  tell_chunk_of(context, trail, sample, story);
  if (sample.outcome == trace_outcome::threw) {
    story.add(tell_left_out(trail, sample));
    return story;
  }
  tell_hand_over(context, trail, story);
  tell_outcome(context, key, trail, story);
  return story;
}

story_line tell_other_place(const story_context& context, const trace_record& sample,
                            std::optional<std::uint64_t> keeper) {
  auto facts = record_json(context.process, sample);
  facts["kept_by"] = keeper ? json(*keeper) : json(nullptr);
  return {"made for batch " + std::to_string(sample.batch) + " too, at "
            + moment_text(context.process, sample.enqueued_ns) + " by " + context.process.name(sample.receiver)
            + ", epoch " + std::to_string(to_sample(sample).epoch + 1) + ", slot " + std::to_string(sample.version)
            + ": " + (keeper ? "kept by batch " + std::to_string(*keeper) : std::string{"not kept by that batch"}),
          std::move(facts),
          {}};
}

} // namespace troupe
