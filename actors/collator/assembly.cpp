#include "actors/collator/assembly.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

namespace {

/// A batch of fewer samples gives none away.
constexpr std::uint32_t min_giving_samples = 3;

} // namespace

assembly::outcome assembly::add(batch_slice slice, std::vector<bad_sample> bad) {
  open_[slice.batch().id].add(std::move(slice), std::move(bad));
  outcome out;
  for (auto it = open_.begin(); it != open_.end() && it->first == next_id_ && it->second.complete();) {
    auto& batch = it->second;
    out.wanted = replacements_for(batch);
    if (!out.wanted.empty())
      return out;
    out.ready.push_back(finish(batch));
    it = open_.erase(it);
    ++next_id_;
  }
  return out;
}

void assembly::enter(const batch_ref& batch) {
  if (batch.epoch != epoch_.epoch)
    epoch_ = {batch.epoch, batch.index};
}

std::vector<batch_slice> assembly::replacements_for(open_batch& batch) {
  const auto& ref = batch.ref();
  enter(ref);
  const auto end = ref.epoch_samples - epoch_.taken;
  const auto num_left = end > ref.first_position ? end - ref.first_position : 0;
  const auto end_slot = static_cast<std::uint32_t>(std::min<std::uint64_t>(num_left, ref.num_samples));
  const auto first_slot = epoch_.given > 0 ? 0 : ref.lead;
  batch.use_slots(std::min(first_slot, end_slot), end_slot);
  std::vector<batch_slice> wanted;
  const auto waiting = batch.settle();
  if (!replace_bad_)
    return wanted;
  for (const auto slot : waiting) {
    const auto position = ref.epoch_samples - epoch_.taken - 1;
    if (position < ref.first_position + ref.num_samples)
      break; // There is no later batch to take from.
    ++epoch_.taken;
    wanted.push_back(batch.reopen(slot, position));
  }
  return wanted;
}

batch_ready assembly::finish(open_batch& batch) {
  const auto ref = batch.ref();
  const auto behind = ref.first_position + ref.num_samples;
  const auto num_planned = ref.epoch_samples - std::min(behind, ref.epoch_samples);
  const bool one_left = num_planned > 0 && ref.epoch_samples - epoch_.taken == behind + 1;
  epoch_.given = 0;
  // The last batch has a slot for it unless it was to be full.
  if (one_left && num_planned < batch.capacity() && batch.end_slot() >= min_giving_samples
      && batch.last_slot_untouched()) {
    epoch_.given = 1;
    batch.use_slots(0, batch.end_slot() - 1);
  }
  auto whole = batch.join();
  auto out = batch.ref();
  if (!out.last_in_epoch) {
    out.next.taken = epoch_.taken;
    out.next.given = epoch_.given;
  }
  return {out, lease<batch_buffer>(std::move(whole)), batch.take_bad()};
}

} // namespace troupe
