#include "app/trace_tools/analysis/verdict.hpp"

#include "app/trace_tools/analysis/verdict_evidence.hpp"
#include "app/trace_tools/text/trace_text.hpp"

#include <algorithm>

namespace troupe {

namespace {

constexpr std::uint64_t least_steps = 20;
constexpr double least_seconds = 1;
constexpr double small_wait = 0.05;  ///< Share of the training that is not worth a word.
constexpr double busy_logger = 0.90; ///< It works beside the trainer, and keeps nobody waiting until the end.
constexpr double long_end = 0.10;    ///< Share of the run.

void judge_validator_wait(const evidence& found, verdict& to) {
  to.stage = limiting_stage::validating;
  to.finding = "the trainer waited " + share_text(to.validator_wait) + " of the time for the validator; "
               + busy_text(found, {"validator", "validation augmenters"});
  to.advice = "validation.policy: latest, or a larger validation.every";
  if (found.has_free_cores())
    to.advice += ", or more validation.torch_threads";
  to.expected_step_seconds =
    std::max(found.stage("trainer").seconds_per_step, to.step_seconds * (1 - to.validator_wait));
  to.expected_step_seconds = std::min(to.expected_step_seconds, to.step_seconds);
}

std::string end_text(const evidence& found, double share, const char* whom) {
  return "after the last step the run waited " + seconds_text(share * found.training.process->seconds()) + " ("
         + share_text(share) + " of the run) for the " + whom;
}

std::string checkpoints_text(const aftermath& after) {
  return std::to_string(after.superseded) + " of " + std::to_string(after.checkpoints)
         + " checkpoints were superseded before they could be written";
}

void judge_saving(const evidence& found, bool waited, verdict& to) {
  to.stage = limiting_stage::saving;
  if (waited)
    to.finding = end_text(found, found.after.saving, "saver");
  if (found.after.superseded > 0)
    to.finding += (waited ? "; " : "") + checkpoints_text(found.after);
  to.finding += "; " + busy_text(found, {"saver"});
  to.advice = "a larger checkpoint.every, or run.dir on a faster disk";
}

/// Nothing kept the trainer waiting: the others may still make the run longer than its steps.
void judge_rest(const evidence& found, verdict& to) {
  const auto& after = found.after;
  const auto longest = std::max({after.validating, after.saving, after.logging});
  if (longest > long_end && longest == after.validating) {
    to.stage = limiting_stage::validating;
    to.finding = end_text(found, after.validating, "validator");
    to.advice = "fewer validation samples, a larger validation.every, or more validation.torch_threads";
  } else if ((longest > long_end && longest == after.saving)
             || (after.superseded > 0 && after.superseded * 3 >= after.checkpoints)) {
    judge_saving(found, longest > long_end && longest == after.saving, to);
  } else if (longest > long_end || found.stage("logger").busy >= busy_logger) {
    to.stage = limiting_stage::logging;
    to.finding =
      (longest > long_end ? end_text(found, after.logging, "logger") + "; " : "") + busy_text(found, {"logger"});
    to.advice = "a larger log.every_steps";
  } else {
    to.stage = limiting_stage::trainer;
    to.finding = "the steps themselves: the trainer waited " + share_text(to.data_wait)
                 + " of the time for batches (without the first one), " + share_text(to.validator_wait)
                 + " for the validator; " + busy_text(found, {"trainer"});
    if (found.has_free_cores())
      to.advice = "if it computes on the CPU: more train.torch_threads; some cores are free";
  }
}

verdict undecided(verdict numbers, const std::string& why) {
  numbers.finding = why + "; it takes " + std::to_string(least_steps) + " steps and " + seconds_text(least_seconds)
                    + " of training to judge";
  return numbers;
}

} // namespace

const char* to_string(limiting_stage stage) noexcept {
  switch (stage) {
  case limiting_stage::trainer:
    return "trainer";
  case limiting_stage::reading:
    return "reading";
  case limiting_stage::augmenting:
    return "augmenting";
  case limiting_stage::collating:
    return "collating";
  case limiting_stage::validating:
    return "validating";
  case limiting_stage::saving:
    return "saving";
  case limiting_stage::logging:
    return "logging";
  case limiting_stage::prefetch:
    return "prefetch";
  case limiting_stage::staging:
    return "staging";
  case limiting_stage::undecided:
    return "undecided";
  }
  return "unknown";
}

verdict judge(const recorded_trace& trace, const std::optional<torch_threads>& threads) {
  const auto training = find_training(trace);
  if (training.process == nullptr)
    return undecided({}, "no step was recorded");
  const auto found = gather(training, threads);
  auto result = found.numbers;
  if (training.num_steps < least_steps || training.seconds() < least_seconds)
    return undecided(result, "only " + std::to_string(training.num_steps) + " steps in "
                               + seconds_text(training.seconds()) + " were recorded");
  if (result.data_wait < small_wait && result.validator_wait < small_wait)
    judge_rest(found, result);
  else if (result.validator_wait > result.data_wait)
    judge_validator_wait(found, result);
  else
    judge_data_wait(found, result);
  return result;
}

} // namespace troupe
