#include "app/trace_tools/analysis/verdict.hpp"

#include "app/trace_tools/analysis/verdict_evidence.hpp"
#include "app/trace_tools/text/trace_text.hpp"

#include <algorithm>
#include <cmath>

namespace troupe {

namespace {

constexpr std::uint64_t least_steps = 20;
constexpr double least_seconds = 1;
constexpr double small_wait = 0.05;  ///< Share of the training that is not worth a word.
constexpr double busy_stage = 0.85;  ///< A stage that has no more to give.
constexpr double busy_logger = 0.90; ///< It works beside the trainer, and keeps nobody waiting until the end.
constexpr double long_end = 0.10;    ///< Share of the run.
constexpr double busy_cores = 0.90;
constexpr std::uint64_t most_augmenters = 256;
constexpr std::uint64_t most_readers = 64;

std::string busy_text(const evidence& found, std::initializer_list<std::string_view> stages) {
  std::string text;
  for (const auto name : stages)
    if (const auto load = found.stage(name); load.num_actors > 0)
      text += (text.empty() ? "" : ", ") + load.stage
              + (load.num_actors > 1 ? " (" + std::to_string(load.num_actors) + ")" : "")
              + (text.empty() ? " busy " : " ") + share_text(load.busy);
  return text;
}

std::string cores_text(const evidence& found) {
  return "all " + std::to_string(found.numbers.num_cores) + " cores are in use";
}

bool all_cores_busy(const evidence& found) {
  const auto cores = static_cast<double>(found.numbers.num_cores);
  return cores > 0 && found.numbers.cores_in_use.value_or(0) >= busy_cores * cores;
}

std::string data_wait_text(const evidence& found) {
  return "the trainer waited " + share_text(found.numbers.data_wait)
         + " of the time for batches (without the first one); "
         + busy_text(found, {"augmenters", "readers", "loader", "collator"});
}

/// How many actors more it takes until the stage no longer limits the step.
std::uint64_t wanted_actors(const stage_load& load, double floor) {
  if (floor <= 0)
    return load.num_actors;
  const auto enough = std::ceil(std::min(load.seconds_per_step / floor, 1e6) - 1e-6);
  return std::max<std::uint64_t>(static_cast<std::uint64_t>(enough), load.num_actors + 1) - load.num_actors;
}

struct remedy {
  std::string one, key;        ///< "augmenter", "pipeline.augmenters"
  std::string other;           ///< What else helps, and
  std::string where_none_left; ///< where no more of them help.
};

/// More actors of a stage, as far as `room` allows.
void advise_more(const evidence& found, const stage_load& load, std::uint64_t room, const remedy& how, verdict& to) {
  const auto floor = found.floor_seconds(load.stage);
  const auto added = std::min(wanted_actors(load, floor), room);
  if (added == 0) {
    to.advice = how.where_none_left;
    to.expected_step_seconds = floor;
    to.at_best = true;
    return;
  }
  const auto total = load.num_actors + added;
  to.advice = "add " + std::to_string(added) + ' ' + how.one + (added == 1 ? "" : "s") + " (" + how.key + ": "
              + std::to_string(total) + "), or " + how.other;
  to.expected_step_seconds =
    std::min(std::max(floor, load.seconds_per_step / static_cast<double>(total)), to.step_seconds);
}

void judge_augmenting(const evidence& found, verdict& to) {
  const auto load = found.stage("augmenters");
  const auto cores = found.free_cores().value_or(load.num_actors);
  const std::string cheaper = "smaller images or cheaper transforms";
  to.stage = limiting_stage::augmenting;
  to.finding = data_wait_text(found);
  advise_more(found, load, std::min(cores, most_augmenters - std::min(load.num_actors, most_augmenters)),
              {"augmenter", "pipeline.augmenters", cheaper,
               "no core is free for more augmenters: " + cheaper
                 + ", data.cache for images that are decoded once, or fewer train.torch_threads"},
              to);
}

void judge_reading(const evidence& found, verdict& to) {
  to.stage = limiting_stage::reading;
  to.finding = data_wait_text(found);
  const auto readers = found.stage("readers");
  if (readers.busy >= busy_stage) {
    advise_more(found, readers, most_readers - std::min(readers.num_actors, most_readers),
                {"reader", "pipeline.readers", "keep the images in a cache (data.cache) or on a faster disk",
                 "a faster disk, or images in a cache (data.cache)"},
                to);
    return;
  }
  to.advice = "the loader reads and hands out every sample: a larger pipeline.chunk_size, a faster disk, or data.cache";
  to.expected_step_seconds = found.floor_seconds("loader");
  to.at_best = true;
}

void judge_collating(const evidence& found, verdict& to) {
  to.stage = limiting_stage::collating;
  to.finding = data_wait_text(found);
  to.advice = "a larger pipeline.chunk_size makes fewer slices of a batch";
  to.expected_step_seconds = found.floor_seconds("collator");
  to.at_best = true;
}

void judge_prefetch(const evidence& found, verdict& to) {
  to.stage = limiting_stage::prefetch;
  to.finding = data_wait_text(found);
  to.at_best = true;
  to.expected_step_seconds = found.floor_seconds({});
  if (all_cores_busy(found)) {
    to.finding += "; " + cores_text(found);
    to.advice = "fewer train.torch_threads or validation.torch_threads, cheaper transforms, or more cores";
    return;
  }
  to.advice = std::string{"no stage is busy: raise pipeline.prefetch_batches"}
              + (found.has("readers") ? " and pipeline.read_ahead" : "")
              + ", or try another pipeline.chunk_size, so that delays between stages even out";
}

/// Walks upstream from the trainer to the first stage that has no more to give.
void judge_data_wait(const evidence& found, verdict& to) {
  if (found.stage("augmenters").busy >= busy_stage)
    judge_augmenting(found, to);
  else if (found.stage("readers").busy >= busy_stage || found.stage("loader").busy >= busy_stage)
    judge_reading(found, to);
  else if (found.stage("collator").busy >= busy_stage)
    judge_collating(found, to);
  else
    judge_prefetch(found, to);
}

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
