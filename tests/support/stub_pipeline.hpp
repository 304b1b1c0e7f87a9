/// Neighbours in the data loop that only keep what they are told, and the buffers that travel through it.
#pragma once

#include "messages/augmenter_protocol.hpp"
#include "messages/batch_buffer.hpp"
#include "messages/collator_protocol.hpp"
#include "messages/loader_protocol.hpp"
#include "messages/run_events.hpp"

#include <caf/send.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "tests/support/deterministic_system.hpp"

namespace troupe::test {

/// A stub actor and its memory. Declare it after the actor system: what it holds may send messages when it goes.
template <class Handle, class Memory>
struct stub {
  Handle handle;
  std::shared_ptr<Memory> memory;
  Memory* operator->() const noexcept { return memory.get(); }
};

/// What a loader was told. It keeps the buffers.
struct loader_memory {
  std::vector<serve_range> ranges;
  std::vector<batch_buffer> buffers;
  std::vector<augmenter_actor> asked; ///< Who asked for a chunk, in order.
  std::vector<chunk_done> done;
  std::vector<batch_slice> dropped;
  std::vector<batch_slice> replacing; ///< Slots of bad samples.
  std::vector<samples_wanted> wanted; ///< It finds none.
  std::vector<sampling_settled> settled;
};

inline stub<loader_actor, loader_memory> stub_loader(deterministic_system& actors) {
  auto memory = std::make_shared<loader_memory>();
  auto handle = actors.spawn([memory]() -> loader_actor::behavior_type {
    return {
      [](describe_atom) { return dataset_opened{}; },
      [](const collator_actor&) {},
      [memory](const serve_range& x) { memory->ranges.push_back(x); },
      [memory](buffer_returned& x) {
        if (auto buffer = x.buffer.take()) {
          buffer->adopt();
          memory->buffers.push_back(std::move(*buffer));
        }
      },
      [memory](next_atom, const augmenter_actor& who) { memory->asked.push_back(who); },
      [](next_atom, const reader_actor&) {},
      [](const chunk_read&) {},
      [memory](const chunk_done& x) { memory->done.push_back(x); },
      [memory](slice_dropped& x) {
        if (auto slice = x.slice.take())
          memory->dropped.push_back(std::move(*slice));
      },
      [memory](replacement_wanted& x) {
        if (auto slice = x.slice.take())
          memory->replacing.push_back(std::move(*slice));
      },
      [memory](const samples_wanted& x) {
        memory->wanted.push_back(x);
        return samples_found{x.epoch, {}, {}};
      },
      [memory](const sampling_settled& x) { memory->settled.push_back(x); },
      [](status_atom) { return actor_status{}; },
    };
  });
  return {handle, memory};
}

/// The chunks that an augmenter was given. It keeps the slices.
struct augmenter_memory {
  std::vector<chunk_ptr> chunks;
  std::vector<batch_slice> slices; ///< By chunk.
};

inline stub<augmenter_actor, augmenter_memory> stub_augmenter(deterministic_system& actors) {
  auto memory = std::make_shared<augmenter_memory>();
  auto handle = actors.spawn([memory]() -> augmenter_actor::behavior_type {
    return {
      [memory](chunk_ready& x) {
        auto slice = x.slice.take();
        memory->chunks.push_back(x.chunk);
        memory->slices.push_back(slice ? std::move(*slice) : batch_slice{});
      },
      [](status_atom) { return actor_status{}; },
    };
  });
  return {handle, memory};
}

/// The slices that a collator was given. It keeps them.
struct collator_memory {
  std::vector<batch_slice> slices;
  std::vector<std::vector<bad_sample>> bad; ///< By slice.
};

inline stub<collator_actor, collator_memory> stub_collator(deterministic_system& actors) {
  auto memory = std::make_shared<collator_memory>();
  auto handle = actors.spawn([memory]() -> collator_actor::behavior_type {
    return {
      [memory](slice_filled& x) {
        if (auto slice = x.slice.take()) {
          memory->slices.push_back(std::move(*slice));
          memory->bad.push_back(x.bad);
        }
      },
      [](status_atom) { return actor_status{}; },
    };
  });
  return {handle, memory};
}

/// The batches that a consumer was given. It keeps the buffers.
struct sink_memory {
  std::vector<batch_ref> batches;
  std::vector<batch_buffer> buffers;        ///< By batch.
  std::vector<std::vector<bad_sample>> bad; ///< By batch.
};

inline stub<batch_sink, sink_memory> stub_sink(deterministic_system& actors) {
  auto memory = std::make_shared<sink_memory>();
  auto handle = actors.spawn([memory]() -> batch_sink::behavior_type {
    return {[memory](batch_ready& x) {
      if (auto buffer = x.buffer.take()) {
        memory->batches.push_back(x.batch);
        memory->buffers.push_back(std::move(*buffer));
        memory->bad.push_back(x.bad);
      }
    }};
  });
  return {handle, memory};
}

/// A home as the consumer of a pipeline makes it: what is dropped goes to the loader.
inline std::shared_ptr<buffer_home> home_at(const loader_actor& loader) {
  return std::make_shared<buffer_home>(
    [loader](batch_slice x) { caf::anon_send(loader, slice_dropped{lease<batch_slice>{std::move(x)}}); },
    [loader](batch_buffer x) { caf::anon_send(loader, buffer_returned{lease<batch_buffer>{std::move(x)}}); });
}

inline batch_buffer mint(const std::shared_ptr<buffer_home>& home, const batch_layout& layout) {
  const auto num_bytes = layout.capacity * layout.bytes_per_sample();
  return {home, layout, std::shared_ptr<std::byte>{new std::byte[num_bytes]{}, std::default_delete<std::byte[]>{}}};
}

/// The reference of batch `id` where an epoch has `per_epoch` of them.
inline batch_ref ref_of(std::uint64_t id, std::uint64_t per_epoch, std::uint32_t num_samples) {
  batch_ref ref;
  ref.id = id;
  ref.epoch = id / per_epoch;
  ref.index = id % per_epoch;
  ref.num_samples = num_samples;
  ref.last_in_epoch = ref.index + 1 == per_epoch;
  ref.first_position = ref.index * num_samples;
  ref.epoch_samples = per_epoch * num_samples;
  ref.next = {(id + 1) / per_epoch, (id + 1) % per_epoch};
  return ref;
}

} // namespace troupe::test
