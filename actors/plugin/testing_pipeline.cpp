#include "actors/plugin/testing_pipeline.hpp"

#include "actors/plugin/slot_floats.hpp"

#include <caf/send.hpp>

#include <algorithm>
#include <numeric>

namespace troupe::testing {

namespace {

/// A slice with the samples that belong into it.
struct work_item {
  std::shared_ptr<encoded_chunk> chunk;
  batch_slice slice;
};

std::vector<std::uint64_t> order_of(const pipeline_bench& bench) {
  if (!bench.order.empty())
    return bench.order;
  std::vector<std::uint64_t> ids(bench.data.size());
  std::iota(ids.begin(), ids.end(), std::uint64_t{0});
  return ids;
}

batch_layout layout_of(const pipeline_bench& bench) {
  const auto shape = bench.samples->shape();
  return {bench.batch_size,
          static_cast<std::uint32_t>(shape.channels),
          static_cast<std::uint32_t>(shape.height),
          static_cast<std::uint32_t>(shape.width),
          bench.channels_last,
          bench.type};
}

batch_ref batch_at(const pipeline_bench& bench, std::uint64_t index, std::uint64_t num_samples) {
  const auto num_batches = (num_samples + bench.batch_size - 1) / bench.batch_size;
  batch_ref ref;
  ref.id = bench.epoch * num_batches + index;
  ref.epoch = bench.epoch;
  ref.index = index;
  ref.first_position = index * bench.batch_size;
  ref.num_samples =
    static_cast<std::uint32_t>(std::min<std::uint64_t>(bench.batch_size, num_samples - ref.first_position));
  ref.last_in_epoch = index + 1 == num_batches;
  ref.epoch_samples = num_samples;
  return ref;
}

std::shared_ptr<encoded_chunk> chunk_for(const pipeline_bench& bench, const batch_slice& slice,
                                         const std::vector<std::uint64_t>& ids) {
  auto chunk = std::make_shared<encoded_chunk>();
  chunk->batch = slice.batch().id;
  chunk->epoch = bench.epoch;
  chunk->position = slice.position();
  chunk->first_slot = slice.first();
  for (std::uint32_t i = 0; i < slice.count(); ++i) {
    const auto& sample = bench.data.at(ids[slice.position() + i]);
    chunk->samples.push_back(sample);
    if (sample.bytes.empty())
      chunk->unreadable.push_back({sample.id, slice.first() + i, {}, "cannot be read", "loader", bench.epoch});
  }
  return chunk;
}

std::vector<work_item> all_work(const pipeline_bench& bench, const company& people) {
  const auto ids = order_of(bench);
  std::vector<work_item> work;
  for (std::uint64_t index = 0; index * bench.batch_size < ids.size(); ++index)
    for (auto& slice : people.mint(layout_of(bench)).split(batch_at(bench, index, ids.size()), bench.chunk_size)) {
      auto chunk = chunk_for(bench, slice, ids);
      work.push_back({std::move(chunk), std::move(slice)});
    }
  return work;
}

void read_slots(const handed_on& from, std::vector<filled_slot>& slots) {
  const auto& slice = from.slice;
  for (std::uint32_t i = 0; i < slice.count(); ++i) {
    auto& slot = slots[slice.position() + i];
    const auto is_here = [&](const bad_sample& bad) { return bad.slot == slice.first() + i; };
    const auto bad = std::find_if(from.bad.begin(), from.bad.end(), is_here);
    slot = {slice.sample_id(i), slice.label(i), {}, bad == from.bad.end() ? "" : bad->reason};
    if (!slot.bad.empty())
      continue;
    slot_floats floats(slice, i);
    slot.pixels.assign(floats.values().begin(), floats.values().end());
  }
}

/// @pre the company has run
pipeline_result result_of(const pipeline_bench& bench, company& people) {
  const auto ids = order_of(bench);
  auto& memory = people.memory();
  pipeline_result result;
  for (const auto id : ids)
    result.slots.push_back({id, bench.data.at(id).label, {}, "was not handed on"});
  for (const auto& each : memory.filled)
    read_slots(each, result.slots);
  result.failures = memory.failures;
  result.wanted = memory.wanted;
  result.num_dropped = memory.dropped.size();
  result.num_lost = people.end();
  return result;
}

std::string instance_name(const char* role, const component_info& kind, std::uint32_t i) {
  return role + (" " + kind.name) + "#" + std::to_string(i);
}

void fill(const pipeline_bench& bench, const work_item& work, std::vector<bad_sample>& bad) {
  const auto& chunk = *work.chunk;
  bad = chunk.unreadable;
  for (std::uint32_t i = 0; i < work.slice.count(); ++i) {
    const auto& sample = chunk.samples[i];
    work.slice.set_sample(i, sample.id, sample.label, sample.weight);
    if (!sample.bytes.empty())
      if (auto made = bench.samples->fill(sample, bench.epoch, work.slice, i); !made)
        bad.push_back({sample.id, work.slice.first() + i, {}, to_string(made.error()), "augmenter", bench.epoch});
  }
}

} // namespace

pipeline_result pipeline_bench::run(const augmenter_kind& kind, const settings& given) const {
  company people(on_failure);
  people.memory().data = data;
  for (auto& work : all_work(*this, people))
    people.serve({std::move(work.chunk), lease<batch_slice>{std::move(work.slice)}});
  for (std::uint32_t i = 0; i < num_instances; ++i) {
    augmenter_role role;
    people.introduce(role, kind, instance_name("augmenter", kind, i), values_of(kind.parameters, given));
    role.seed = seed;
    role.loader = people.loader();
    role.next = people.next();
    role.samples = samples;
    role.num_samples = data.size();
    people.keep(kind.spawn(people.system(), std::move(role)));
  }
  people.run(shuffle);
  return result_of(*this, people);
}

pipeline_result pipeline_bench::run(const stage_kind& kind, const settings& given) const {
  company people(on_failure);
  people.memory().data = data;
  std::vector<stage_actor> stages;
  for (std::uint32_t i = 0; i < num_instances; ++i) {
    stage_role role;
    people.introduce(role, kind, instance_name("stage", kind, i), values_of(kind.parameters, given));
    role.seed = seed;
    role.loader = people.loader();
    role.next = people.next();
    stages.push_back(people.keep(kind.spawn(people.system(), std::move(role))));
  }
  std::size_t turn = 0;
  for (auto& work : all_work(*this, people)) {
    slice_filled message{{}, {}, work.chunk->batch};
    fill(*this, work, message.bad);
    message.slice = lease<batch_slice>{std::move(work.slice)};
    caf::anon_send(stages[turn++ % stages.size()], std::move(message));
  }
  people.run(shuffle);
  return result_of(*this, people);
}

} // namespace troupe::testing
