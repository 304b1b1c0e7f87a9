#include "app/trace_tools/story/follow.hpp"

#include "app/trace_tools/story/known_ids.hpp"
#include "app/trace_tools/story/record_text.hpp"
#include "app/trace_tools/story/subject_stories.hpp"

#include <utility>

namespace troupe {

namespace {

std::vector<story_line> stories_of(const story_request& request, const story_subject& subject) {
  switch (subject.kind) {
  case subject_kind::sample:
  case subject_kind::file:
    return sample_stories(request, subject.id);
  case subject_kind::batch:
    return batch_stories(request, subject.id);
  case subject_kind::step:
    return step_stories(request, subject.id);
  case subject_kind::checkpoint:
    return checkpoint_stories(request, subject.id);
  case subject_kind::message:
    break;
  }
  return message_stories(request, subject.id);
}

/// Nothing has the number 0 where they are counted from 1; messages without a cause have it for one.
expected<story_subject> checked(story_subject subject) {
  const bool from_1 = subject.kind == subject_kind::message || subject.kind == subject_kind::step
                      || subject.kind == subject_kind::checkpoint;
  if (from_1 && subject.id == 0)
    return failure{ec::not_found, to_string(subject) + ": there is none, they are counted from 1"};
  return subject;
}

/// The sample in a file, by its number.
expected<story_subject> resolve(story_subject subject, const story_data& data) {
  if (subject.kind != subject_kind::file)
    return checked(std::move(subject));
  if (!data.find)
    return failure{ec::not_found, to_string(subject) + ": cannot look it up: " + data.problem};
  const auto id = data.find(subject.path);
  if (!id)
    return failure{ec::not_found, to_string(subject) + ": no training sample has that name"};
  subject.id = *id;
  return subject;
}

failure nothing_known(const recorded_trace& trace, const story_subject& subject, const follow_options& options) {
  const auto found = known_ids(trace, subject.kind);
  auto text = to_string(subject) + (options.epoch ? " in epoch " + std::to_string(*options.epoch) : std::string{})
              + ": not in the trace, which has " + found.text();
  for (const auto& process : trace.processes)
    if (!has_all_records(process) || process.state != process_state::finished)
      text += "; process " + process.id + ": " + why_missing(process);
  return {ec::not_found, text};
}

/// Whether its stories tell of samples.
bool has_samples(subject_kind kind) {
  return kind != subject_kind::message && kind != subject_kind::checkpoint;
}

story_line process_line(const recorded_process& process) {
  return {"process " + process.id + " (pid " + std::to_string(process.pid) + " on " + process.host
            + "): " + to_string(process.state),
          {{"process", process.id}, {"pid", process.pid}, {"state", to_string(process.state)}},
          {}};
}

} // namespace

expected<story_line> follow(const recorded_trace& trace, const story_subject& subject, const follow_options& options,
                            const story_data& data) {
  const auto resolved = resolve(subject, data);
  if (!resolved)
    return resolved.error();
  story_line story{to_string(subject), {{"subject", to_string(subject)}}, {}};
  if (subject.kind == subject_kind::file) {
    story.text += " (sample " + std::to_string(resolved->id) + ")";
    story.facts["sample"] = resolved->id;
  }
  for (const auto& process : trace.processes) {
    auto told = stories_of({process, options, data}, *resolved);
    if (told.empty())
      continue;
    auto* place = trace.processes.size() > 1 ? &story.add(process_line(process)) : &story;
    for (auto& each : told)
      place->add(std::move(each));
  }
  if (story.parts.empty())
    return nothing_known(trace, *resolved, options);
  if (!data.sample && has_samples(subject.kind))
    story.parts.insert(story.parts.begin(), {"names and drawn parameters: not there (" + data.problem + ")",
                                             {{"missing", "names and drawn parameters"}, {"why", data.problem}},
                                             {}});
  for (const auto& problem : trace.problems)
    story.add("warning: " + problem, {{"problem", problem}});
  return story;
}

} // namespace troupe
