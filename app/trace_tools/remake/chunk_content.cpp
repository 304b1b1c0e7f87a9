#include "app/trace_tools/remake/chunk_content.hpp"

#include "app/thread_plan.hpp"

#include <algorithm>

namespace troupe {

namespace {

/// How the batches of training or validation are cut.
expected<epoch_plan> plan_of(const run_data& data, bool of_validation) {
  if (!of_validation)
    return data.plan();
  const auto* set = data.set(true);
  if (set == nullptr)
    return failure{ec::not_found, data.validation_problem()};
  return epoch_plan::make(set->data->num_samples(), data.config().validation.batch_size, /*drop_last=*/false,
                          /*shuffle=*/false, data.config().run.seed);
}

/// Samples in the chunk, if it begins at that slot of the batch. Of a chunk that was done what was recorded says it.
std::uint32_t count_of(const run_data& data, const recorded_chunk& recorded, const batch_ref& batch,
                       std::uint32_t first_slot) {
  if (!recorded.samples.empty() && recorded.record.outcome == trace_outcome::handled)
    return static_cast<std::uint32_t>(recorded.samples.back().slot) - first_slot + 1;
  if (first_slot >= batch.num_samples)
    return 1;
  const auto chunk_size = plan_threads(data.config(), num_usable_cores()).chunk_size;
  return std::min(chunk_size, batch.num_samples - first_slot);
}

/// Overwrites what the plan has in the chunk's slots by what was recorded there.
void take_recorded(const recorded_chunk& recorded, chunk_content& content) {
  for (const auto& sample : recorded.samples)
    if (sample.slot >= content.first_slot && sample.slot - content.first_slot < content.ids.size())
      content.ids[sample.slot - content.first_slot] = sample.sample;
}

/// What was recorded of a chunk whose place in the order is not known.
expected<chunk_content> recorded_content(const recorded_chunk& recorded, std::uint64_t epoch) {
  const auto& samples = recorded.samples;
  if (samples.empty() || samples.front().sample != recorded.record.sample
      || recorded.record.outcome != trace_outcome::handled
      || samples.back().slot - samples.front().slot + 1 != samples.size())
    return failure{ec::unsupported,
                   "message " + std::to_string(recorded.record.message) + ": the samples of epoch "
                     + std::to_string(epoch + 1)
                     + " may have been drawn as a listener of the run said, which seed and place do not tell, and "
                       "not all samples of the chunk were recorded; expected a chunk of the first two "
                       "epochs, or one that was recorded whole (trace.mode: full)"};
  chunk_content out;
  out.epoch = epoch;
  out.first_slot = static_cast<std::uint32_t>(samples.front().slot);
  for (const auto& sample : samples)
    out.ids.push_back(sample.sample);
  return out;
}

} // namespace

expected<chunk_content> content_of(const run_data& data, const recorded_chunk& recorded) {
  const auto plan = plan_of(data, recorded.of_validation);
  if (!plan)
    return plan.error();
  const auto& record = recorded.record;
  const auto run_epoch = record.batch / plan->batches_per_epoch();
  if (!recorded.of_validation && data.is_weighted(run_epoch))
    return recorded_content(recorded, run_epoch);
  const auto batch = plan->batch(run_epoch, record.batch % plan->batches_per_epoch());
  const auto order = plan->order(run_epoch);
  const auto first = std::find(order.begin(), order.end(), record.sample);
  if (first == order.end())
    return failure{ec::mismatch, "message " + std::to_string(record.message) + ": its first sample is "
                                   + std::to_string(record.sample) + ", but the data set has "
                                   + std::to_string(order.size()) + " samples: it is not that of the run"};
  chunk_content out;
  out.epoch = recorded.of_validation ? 0 : run_epoch;
  out.position = static_cast<std::uint64_t>(first - order.begin());
  const auto slot = out.position - batch.first_position; // Large, too, where the position lies before the batch.
  const bool replaces = out.position < batch.first_position || slot >= batch.num_samples;
  if (!replaces)
    out.first_slot = static_cast<std::uint32_t>(slot);
  else if (!recorded.samples.empty())
    out.first_slot = static_cast<std::uint32_t>(recorded.samples.front().slot);
  const auto count = replaces ? 1 : count_of(data, recorded, batch, out.first_slot);
  for (std::uint64_t i = 0; i < count && out.position + i < order.size(); ++i)
    out.ids.push_back(order[out.position + i]);
  take_recorded(recorded, out);
  return out;
}

} // namespace troupe
