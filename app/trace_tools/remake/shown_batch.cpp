#include "app/trace_tools/remake/shown_batch.hpp"

#include "app/trace_tools/remake/batch_plan.hpp"
#include "app/trace_tools/remake/recorded_batch.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace troupe {

namespace {

/// What is known of the batch before a sample is made.
struct known_batch {
  recorded_batch recorded;
  std::set<std::uint64_t> bad; ///< Samples that could not be made in its epoch.
  std::map<std::uint64_t, recorded_sample>
    by_slot; ///< The last good record of each slot; slots whose last one is bad: none.
  std::map<std::uint64_t, std::uint64_t> hashes; ///< By id, of good samples.
};

expected<known_batch> look_up(const batch_source& source, std::uint64_t batch) {
  const auto epoch = source.data.epoch_of(batch);
  auto suspects = known_bad_samples(source.run_folder, epoch);
  if (!suspects)
    return suspects.error();
  known_batch out;
  if (source.trace != nullptr)
    out.recorded = find_batch(*source.trace, {batch, epoch, source.data.config().train.accumulate, *suspects,
                                              epoch * source.data.plan().batches_per_epoch()});
  out.bad = out.recorded.bad_in_epoch;
  std::set_difference(suspects->begin(), suspects->end(), out.recorded.made_in_epoch.begin(),
                      out.recorded.made_in_epoch.end(), std::inserter(out.bad, out.bad.end()));
  for (const auto& sample : out.recorded.samples) {
    if (sample.bad) {
      out.by_slot.erase(sample.slot);
    } else {
      out.by_slot[sample.slot] = sample;
      out.hashes[sample.sample] = sample.pixel_hash;
    }
  }
  return out;
}

/// True if a slot has a sample that neither the plan nor the replacement of bad samples explains.
bool contradicts(const known_batch& known, const std::vector<std::uint64_t>& planned, const run_data& data,
                 std::uint64_t batch) {
  const auto& plan = data.plan();
  const auto ref = plan.batch(data.epoch_of(batch), batch % plan.batches_per_epoch());
  const auto order = plan.order(ref.epoch);
  return std::any_of(known.by_slot.begin(), known.by_slot.end(), [&](const auto& each) {
    const auto& [slot, sample] = each;
    const bool in_order = slot < ref.num_samples && order[ref.first_position + slot] == sample.sample;
    return !in_order && std::find(planned.begin(), planned.end(), sample.sample) == planned.end();
  });
}

/// The samples of the batch, in slot order.
expected<std::vector<std::uint64_t>> ids_of_batch(const known_batch& known, const run_data& data, std::uint64_t batch,
                                                  std::vector<std::string>& notices) {
  if (known.recorded.samples.empty())
    return data.planned_batch(batch, known.bad);
  const auto& plan = data.plan();
  if (data.is_weighted(data.epoch_of(batch))) {
    notices.push_back(
      "a listener of the run may have said how this epoch's samples were drawn: the samples are those that "
      "were recorded");
  } else {
    auto planned =
      compose_batch(plan, data.config(), data.epoch_of(batch), batch % plan.batches_per_epoch(), known.bad);
    if (!contradicts(known, planned, data, batch))
      return planned;
    notices.push_back(
      "the run's order of samples is another one than data and config give now (have files been added or "
      "removed?): the samples are those that were recorded");
  }
  std::vector<std::uint64_t> ids;
  for (const auto& [slot, sample] : known.by_slot)
    ids.push_back(sample.sample);
  return ids;
}

std::string why_unchecked(const batch_source& source, const recorded_batch& recorded) {
  if (source.trace == nullptr)
    return "there is no trace";
  if (!recorded.samples.empty())
    return "their records are not in the trace";
  if (const auto& augmenter = source.data.actors().augmenter; !augmenter.empty())
    return "of what the augmenter " + augmenter + " makes no hashes are recorded";
  return recorded.full ? "the trace has no records of this batch's samples"
                       : "no hashes were recorded (trace.mode: flight); set trace.mode: full";
}

/// What plugins did to the batch that is not done again.
void add_plugin_notices(const run_data& data, shown_batch& out) {
  const auto& actors = data.actors();
  if (!actors.augmenter.empty())
    out.notices.push_back("the augmenter " + actors.augmenter
                          + " made the samples in the run: they are shown as the transforms alone make them");
  for (const auto& stage : actors.stages)
    out.notices.push_back("the stage " + stage
                          + " changed the batch in the run: samples are shown as they were before");
  for (const auto& step : data.config().transforms.batch_steps)
    out.notices.push_back(step.name
                          + " changed the batch in the run (transforms.batch_steps): samples are shown as they were "
                            "before");
}

void add_notices(const known_batch& known, const run_data& data, shown_batch& out) {
  if (known.recorded.num_servings > 1)
    out.notices.push_back("made by " + std::to_string(known.recorded.num_servings)
                          + " processes of the run, since it was resumed; the newest one counts");
  if (!known.recorded.samples.empty() && !known.recorded.trained)
    out.notices.push_back("the trainer did not take it up, or its record of that is gone");
  if (!known.bad.empty() && data.config().pipeline.bad_samples == bad_sample_policy::replace
      && out.check.num_checked < out.check.num_samples)
    out.notices.push_back(
      std::to_string(known.bad.size())
      + " samples of the run were bad up to this epoch (bad_samples.csv) and replaced: what the batch "
        "is made of is worked out from that and may differ");
  if (out.samples.empty())
    out.notices.push_back("the batch is empty: its samples were bad, or replaced bad ones in batches before it");
  add_plugin_notices(data, out);
  if (out.own_share < 1)
    out.notices.push_back("the batch was mixed (transforms.batch): samples are shown as they were before");
}

shown_batch begin(const run_data& data, std::uint64_t batch, const recorded_batch& recorded) {
  shown_batch out;
  out.batch = batch;
  out.epoch = data.epoch_of(batch);
  out.batches_per_epoch = data.plan().batches_per_epoch();
  out.index = batch % out.batches_per_epoch;
  out.num_epochs = data.config().train.epochs;
  out.step = recorded.step;
  out.loss = recorded.loss;
  return out;
}

} // namespace

expected<shown_batch> show_batch(const batch_source& source, std::uint64_t batch) {
  const auto& data = source.data;
  auto known = look_up(source, batch);
  if (!known)
    return known.error();
  auto out = begin(data, batch, known->recorded);
  const auto ids = ids_of_batch(*known, data, batch, out.notices);
  if (!ids)
    return ids.error();
  for (const auto id : *ids) {
    auto& sample = out.samples.emplace_back(data.remake(/*of_validation=*/false, id, out.epoch));
    sample.slot = out.samples.size() - 1;
    if (const auto found = known->hashes.find(id); found != known->hashes.end())
      sample.recorded_hash = found->second;
  }
  out.check = compare(out.samples, known->recorded.begun_realtime_ns, data.change());
  if (out.check.num_checked < out.check.num_samples)
    out.why_unchecked = why_unchecked(source, known->recorded);
  const auto& transforms = *data.set(false)->transforms;
  if (out.samples.size() > 1)
    out.own_share = own_share_of(data.plan(), data.config(), out.epoch, out.index,
                                 static_cast<std::uint32_t>(transforms.output_height()),
                                 static_cast<std::uint32_t>(transforms.output_width()));
  add_notices(*known, data, out);
  return out;
}

expected<png_image> draw_sheet(const shown_batch& batch, const run_data& data) {
  std::vector<sheet_tile> tiles;
  for (const auto& sample : batch.samples)
    tiles.push_back({std::to_string(sample.slot) + " " + sample.label + " " + std::to_string(sample.id), sample.rgb});
  const auto& transforms = *data.set(false)->transforms;
  return draw_contact_sheet(tiles, static_cast<std::uint32_t>(transforms.output_width()),
                            static_cast<std::uint32_t>(transforms.output_height()));
}

} // namespace troupe
