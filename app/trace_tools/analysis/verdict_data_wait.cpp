#include "app/trace_tools/analysis/verdict_evidence.hpp"
#include "app/trace_tools/text/trace_text.hpp"

#include <algorithm>
#include <cmath>

namespace troupe {

namespace {

constexpr double busy_stage = 0.85; ///< A stage that has no more to give.
constexpr double busy_cores = 0.90;
constexpr std::uint64_t most_augmenters = 256;
constexpr std::uint64_t most_readers = 64;

std::string cores_text(const evidence& found) {
  return "all " + std::to_string(found.numbers.num_cores) + " cores are in use";
}

bool all_cores_busy(const evidence& found) {
  const auto cores = static_cast<double>(found.numbers.num_cores);
  return cores > 0 && found.numbers.cores_in_use.value_or(0) >= busy_cores * cores;
}

bool is_stage(const stage_load& load) {
  return load.stage.starts_with("stage ");
}

/// The busiest of the stages that plugins have put between augmenters and collator.
stage_load busiest_stage(const evidence& found) {
  stage_load busiest;
  for (const auto& load : found.numbers.stages)
    if (is_stage(load) && (busiest.num_actors == 0 || load.busy > busiest.busy))
      busiest = load;
  return busiest;
}

std::string data_wait_text(const evidence& found) {
  std::vector<std::string> names = {"augmenters"};
  for (const auto& load : found.numbers.stages)
    if (is_stage(load))
      names.push_back(load.stage);
  names.insert(names.end(), {"readers", "loader", "collator"});
  return "the trainer waited " + share_text(found.numbers.data_wait)
         + " of the time for batches (without the first one); " + busy_text(found, names);
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

/// Key of the config that says how many there are.
std::string count_key(const stage_load& load) {
  return "instances of " + load.part + " in pipeline.stages";
}

/// How many more augmenters, or actors of a stage, the cores have room for.
std::uint64_t room_for(const evidence& found, const stage_load& load) {
  const auto cores = found.free_cores().value_or(load.num_actors);
  return std::min(cores, most_augmenters - std::min(load.num_actors, most_augmenters));
}

void judge_augmenting(const evidence& found, verdict& to) {
  const auto load = found.stage("augmenters");
  const std::string cheaper = "smaller images or cheaper transforms";
  to.stage = limiting_stage::augmenting;
  to.finding = data_wait_text(found);
  advise_more(found, load, room_for(found, load),
              {"augmenter", load.part.empty() ? "pipeline.augmenters" : count_key(load), cheaper,
               "no core is free for more augmenters: " + cheaper
                 + ", data.cache for images that are decoded once, or fewer train.torch_threads"},
              to);
}

void judge_staging(const evidence& found, const stage_load& load, verdict& to) {
  to.stage = limiting_stage::staging;
  to.finding = data_wait_text(found);
  advise_more(
    found, load, room_for(found, load),
    {"actor", count_key(load),
     std::string(load.num_actors == 1 ? "if it needs all slices in order, " : "") + "make " + load.part + " cheaper",
     "no core is free for more actors of " + load.part + ": a cheaper one, or fewer train.torch_threads"},
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

} // namespace

void judge_data_wait(const evidence& found, verdict& to) {
  const auto augmenters = found.stage("augmenters");
  const auto stage = busiest_stage(found);
  if (stage.busy >= busy_stage && stage.busy >= augmenters.busy)
    judge_staging(found, stage, to);
  else if (augmenters.busy >= busy_stage)
    judge_augmenting(found, to);
  else if (found.stage("readers").busy >= busy_stage || found.stage("loader").busy >= busy_stage)
    judge_reading(found, to);
  else if (found.stage("collator").busy >= busy_stage)
    judge_collating(found, to);
  else
    judge_prefetch(found, to);
}

} // namespace troupe
