/// A loader among stubs: the test says which augmenter asks when, and what becomes of its chunks.
#pragma once

#include "actors/loader/loader_actor.hpp"
#include "tests/support/stub_company.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/deterministic_system.hpp"

namespace troupe::test {

using place = std::pair<std::uint64_t, std::uint32_t>; ///< Batch and first slot.

[[nodiscard]] inline place place_of(const chunk_ptr& chunk) {
  return {chunk->batch, chunk->first_slot};
}

[[nodiscard]] inline std::vector<std::uint64_t> ids_in(const chunk_ptr& chunk) {
  std::vector<std::uint64_t> ids;
  for (const auto& sample : chunk->samples)
    ids.push_back(sample.id);
  return ids;
}

/// Twelve samples of 64 bytes in three batches of four, in chunks of two.
[[nodiscard]] inline loader_config twelve_samples() {
  loader_config config;
  config.data.dataset = "synthetic";
  config.data.size = 12;
  config.data.shape = {1, 8, 8};
  config.data.num_classes = 3;
  config.batch_size = 4;
  config.chunk_size = 2;
  return config;
}

/// A loader among stubs; `open` must come first.
struct loader_stage {
  deterministic_system actors;
  stub<supervisor_actor, supervisor_memory> supervisor = stub_supervisor(actors);
  stub<collator_actor, collator_memory> collator = stub_collator(actors);
  stub<augmenter_actor, augmenter_memory> a = stub_augmenter(actors), b = stub_augmenter(actors);
  loader_actor loader;
  std::shared_ptr<buffer_home> home;
  // How samples are drawn; before `open`.
  bool sampling_changes = false;
  std::vector<sample_weights> sampling;

  ~loader_stage() {
    if (home)
      home->close();
  }

  dataset_opened open(const loader_config& config = twelve_samples()) {
    loader =
      actors.spawn(troupe::loader, loader_setup{config, "loader", supervisor.handle, sampling_changes, sampling});
    home = home_at(loader);
    auto opened = actors.ask<dataset_opened>(loader, describe_atom_v);
    REQUIRE(opened);
    caf::anon_send(loader, collator.handle);
    return *opened;
  }

  void serve(data_position first = {}, std::uint64_t end_epoch = 1) {
    caf::anon_send(loader, serve_range{first, end_epoch});
    actors.run();
  }

  void give_buffers(int num) {
    for (int i = 0; i < num; ++i)
      caf::anon_send(loader, buffer_returned{lease<batch_buffer>{mint(home, {4, 1, 8, 8, false})}});
    actors.run();
  }

  void ask(const stub<augmenter_actor, augmenter_memory>& who, int times = 1) {
    for (int i = 0; i < times; ++i)
      caf::anon_send(loader, next_atom_v, who.handle);
    actors.run();
  }

  /// `who` reports its newest chunk done and hands the slice on.
  void finish_newest(const stub<augmenter_actor, augmenter_memory>& who) {
    const auto& chunk = who->chunks.back();
    caf::anon_send(collator.handle, slice_filled{lease<batch_slice>{std::move(who->slices.back())}, {}, chunk->batch});
    caf::anon_send(loader, chunk_done{chunk->batch, chunk->position, {}, {}});
    actors.run();
  }

  /// `who` loses its newest slice, in the middle of its work if it has `begun`.
  void lose_newest(const stub<augmenter_actor, augmenter_memory>& who, bool begun) {
    if (begun)
      who->slices.back().begin();
    who->slices.back() = {};
    actors.run();
  }

  /// `who` reports its newest chunk done and hands the slice on to somebody, who dies in the middle of its work.
  void finish_newest_for_nothing(const stub<augmenter_actor, augmenter_memory>& who, const std::string& doomed) {
    const auto& chunk = who->chunks.back();
    caf::anon_send(loader, chunk_done{chunk->batch, chunk->position, {}, {}});
    actors.run();
    who->slices.back().begin(doomed);
    who->slices.back() = {};
    actors.run();
  }
};

} // namespace troupe::test
