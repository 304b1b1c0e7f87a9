#include "app/trace_tools/story/record_text.hpp"
#include "app/trace_tools/story/snapshot_fates.hpp"
#include "app/trace_tools/text/trace_text.hpp"

#include "actors/saver/checkpoint_name.hpp"

#include <filesystem>

namespace troupe {

namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

/// Name of the checkpoint's folder; empty if it is not there.
std::string find_checkpoint(const std::string& run_folder, std::uint64_t version) {
  std::error_code error;
  for (fs::directory_iterator entry{run_folder + "/checkpoints", error}; !error && entry != fs::directory_iterator{};
       entry.increment(error)) {
    auto name = entry->path().filename().string();
    if (const auto number = parse_checkpoint_name(name); number && number->version == version)
      return name;
  }
  return {};
}

std::string snapshot_text(const snapshot_fate& fate) {
  return "snapshot " + std::to_string(fate.version)
         + (fate.step == no_id ? std::string{} : " (step " + std::to_string(fate.step) + ")");
}

json snapshot_json(const snapshot_fate& fate) {
  json out = {{"version", fate.version}};
  if (fate.step != no_id)
    out["step"] = fate.step;
  return out;
}

std::string since(const std::optional<trace_record>& sent, const trace_record& done) {
  if (!sent || done.enqueued_ns < sent->enqueued_ns)
    return {};
  return ", " + time_text(static_cast<std::uint64_t>(done.enqueued_ns - sent->enqueued_ns)) + " after it was sent";
}

story_line tell_durable(const recorded_process& process, const snapshot_fate& fate, const std::string& run_folder) {
  const auto folder = find_checkpoint(run_folder, fate.version);
  auto facts = snapshot_json(fate);
  facts["outcome"] = "durable";
  facts["folder"] = folder.empty() ? json(nullptr) : json(folder);
  facts["durable_ns"] = fate.durable->enqueued_ns - process.started_ns;
  facts["bytes"] = fate.durable->bytes;
  return {"checkpoint of " + snapshot_text(fate) + ": durable at " + moment_text(process, fate.durable->enqueued_ns)
            + since(fate.to_saver, *fate.durable) + ", " + bytes_text(static_cast<double>(fate.durable->bytes)) + "; "
            + (folder.empty() ? "its folder is not there any more" : "checkpoints/" + folder),
          std::move(facts),
          {}};
}

/// What became of a validation that has no scores.
std::string no_scores_text(const recorded_process& process, const snapshot_fate& fate) {
  const bool has_all = has_all_records(process);
  if (!fate.to_validator)
    return has_all && process.state == process_state::finished
             ? "none was asked for"
             : "the trace has no word of one (" + why_missing(process) + ")";
  const auto asked = "asked for at " + moment_text(process, fate.to_validator->enqueued_ns);
  if (has_all && fate.judged)
    return asked + "; not made: a newer snapshot came first, or the validation ended, at "
           + moment_text(process, fate.judged->enqueued_ns);
  if (has_all && process.state == process_state::finished)
    return asked + "; not made: the run ended before it";
  return asked + "; its outcome is not in the trace (" + why_missing(process) + ")";
}

/// "no snapshot of this process contains step 3"
story_line tell_none(const recorded_process& process, const char* what, std::uint64_t step) {
  const auto why = why_missing(process);
  const bool is_sure = has_all_records(process) && process.state == process_state::finished;
  return {"no " + std::string{what} + (is_sure ? " of this process" : " in the trace") + " contains step "
            + std::to_string(step) + (is_sure ? "" : " (" + why + ")"),
          {{"missing", what}, {"why", why}},
          {}};
}

} // namespace

story_line tell_checkpoint(const recorded_process& process, const snapshot_fate& fate, const std::string& run_folder) {
  if (fate.durable)
    return tell_durable(process, fate, run_folder);
  auto facts = snapshot_json(fate);
  const auto text = "checkpoint of " + snapshot_text(fate) + ": ";
  const auto tell = [&](const char* outcome, const std::string& more) {
    facts["outcome"] = outcome;
    return story_line{text + more, facts, {}};
  };
  if (fate.failed)
    return tell("failed", "could not be written, at " + moment_text(process, fate.failed->enqueued_ns));
  if (fate.superseded)
    return tell("superseded",
                "not written: a newer snapshot came first, at " + moment_text(process, fate.superseded->enqueued_ns));
  if (fate.to_saver)
    return tell("unknown", "sent to the saver at " + moment_text(process, fate.to_saver->enqueued_ns)
                             + "; what became of it is not in the trace (" + why_missing(process) + ")");
  return tell("not asked", "the trace has no word that one was asked for (" + why_missing(process) + ")");
}

story_line tell_validation(const recorded_process& process, const snapshot_fate& fate) {
  auto facts = snapshot_json(fate);
  auto text = "validation of " + snapshot_text(fate) + ": ";
  if (fate.top1)
    facts["top1"] = *fate.top1;
  if (fate.loss)
    facts["loss"] = *fate.loss;
  if (!fate.report && !fate.top1)
    return {text + no_scores_text(process, fate), facts, {}};
  text +=
    fate.top1 ? "top1 " + fixed_text(*fate.top1, 4) : "its scores are not in the trace (" + why_missing(process) + ")";
  if (fate.loss)
    text += ", loss " + fixed_text(*fate.loss, 4);
  if (fate.report) {
    facts["reported_ns"] = fate.report->enqueued_ns - process.started_ns;
    text += ", reported at " + moment_text(process, fate.report->enqueued_ns) + since(fate.to_validator, *fate.report);
  }
  return {text, facts, {}};
}

void tell_whereabouts(const recorded_process& process, const snapshot_fates& fates, std::uint64_t step,
                      const std::string& run_folder, story_line& story) {
  const auto* first = fates.first_with(step);
  if (first == nullptr) {
    story.add(tell_none(process, "snapshot", step));
    return;
  }
  auto& snapshot = story.add(snapshot_text(*first) + ": the first one that contains step " + std::to_string(step),
                             {{"what", "snapshot"}, {"version", first->version}, {"step", first->step}});
  if (first->to_saver || first->durable || first->failed || first->superseded)
    snapshot.add(tell_checkpoint(process, *first, run_folder));
  if (const auto* durable = fates.first_durable_with(step); durable != nullptr && durable != first)
    snapshot.add(tell_checkpoint(process, *durable, run_folder));
  else if (durable == nullptr && !(first->to_saver || first->failed || first->superseded))
    snapshot.add(tell_none(process, "checkpoint", step));
  const auto* judged = fates.first_judged_with(step);
  snapshot.add(tell_validation(process, judged != nullptr ? *judged : *first));
}

} // namespace troupe
