#include "app/trace_tools/remake/batch_plan.hpp"

#include "actors/collator/assembly.hpp"
#include "actors/collator/batch_mix.hpp"
#include "app/trace_tools/remake/lone_buffer.hpp"

#include <cassert>
#include <deque>
#include <utility>

namespace troupe {

namespace {

/// Says which samples belong into the slice, instead of filling it; returns those that are bad.
std::vector<bad_sample> fill(const batch_slice& slice, const std::vector<std::uint32_t>& order,
                             const std::set<std::uint64_t>& bad) {
  std::vector<bad_sample> out;
  for (std::uint32_t i = 0; i < slice.count(); ++i) {
    const auto id = order[slice.position() + i];
    slice.set_sample(i, id, 0);
    if (bad.contains(id))
      out.push_back({.id = id, .slot = slice.first() + i});
  }
  return out;
}

/// Lets the batch go through the collator's logic.
batch_ready collate(assembly& batches, const batch_ref& batch, std::uint32_t batch_size,
                    const std::vector<std::uint32_t>& order, const std::set<std::uint64_t>& bad) {
  const batch_layout layout{.capacity = batch_size, .channels = 1, .height = 1, .width = 1};
  std::deque<batch_slice> empty;
  for (auto& slice : make_lone_buffer(layout).split(batch, batch_size))
    empty.push_back(std::move(slice));
  while (true) {
    assert(!empty.empty());
    auto slice = std::move(empty.front());
    empty.pop_front();
    auto failed = fill(slice, order, bad);
    auto outcome = batches.add(std::move(slice), std::move(failed));
    if (!outcome.ready.empty())
      return std::move(outcome.ready.front());
    for (auto& wanted : outcome.wanted) {
      wanted.adopt();
      empty.push_back(std::move(wanted));
    }
  }
}

std::vector<std::uint64_t> planned(const batch_range& range, const std::vector<std::uint32_t>& order) {
  const auto first = order.begin() + static_cast<std::ptrdiff_t>(range.first);
  return {first, first + range.size};
}

/// The first `count` batches of an epoch with bad samples.
std::vector<std::vector<std::uint64_t>> compose_first(const epoch_plan& plan, const run_config& config,
                                                      std::uint64_t epoch, std::uint64_t count,
                                                      const std::set<std::uint64_t>& bad) {
  const auto order = plan.order(epoch);
  assembly batches(config.pipeline.bad_samples == bad_sample_policy::replace, plan.batch(epoch, 0).id, {epoch, 0});
  std::vector<std::vector<std::uint64_t>> out;
  for (std::uint64_t index = 0; index < count; ++index) {
    auto made = collate(batches, plan.batch(epoch, index), config.pipeline.batch_size, order, bad);
    const auto buffer = made.buffer.take();
    const auto ids = buffer->sample_ids().first(made.batch.num_samples);
    out.emplace_back(ids.begin(), ids.end());
  }
  return out;
}

} // namespace

std::vector<std::uint64_t> compose_batch(const epoch_plan& plan, const run_config& config, std::uint64_t epoch,
                                         std::uint64_t index, const std::set<std::uint64_t>& bad) {
  if (!bad.empty())
    return compose_first(plan, config, epoch, index + 1, bad).back();
  return planned(plan.range(index), plan.order(epoch));
}

std::vector<std::vector<std::uint64_t>> compose_epoch(const epoch_plan& plan, const run_config& config,
                                                      std::uint64_t epoch, const std::set<std::uint64_t>& bad) {
  if (!bad.empty())
    return compose_first(plan, config, epoch, plan.batches_per_epoch(), bad);
  const auto order = plan.order(epoch);
  std::vector<std::vector<std::uint64_t>> out;
  for (std::uint64_t index = 0; index < plan.batches_per_epoch(); ++index)
    out.push_back(planned(plan.range(index), order));
  return out;
}

float own_share_of(const epoch_plan& plan, const run_config& config, std::uint64_t epoch, std::uint64_t index,
                   std::uint32_t height, std::uint32_t width) {
  if (!mixes(config.transforms.batch))
    return 1;
  auto batch = plan.batch(epoch, index);
  batch.num_samples = 2; // The share is the same for all slots and any number of them.
  const auto buffer = make_lone_buffer({.capacity = 2, .channels = 1, .height = height, .width = width});
  return mix_batch(config.transforms.batch, config.run.seed, batch, buffer);
}

} // namespace troupe
