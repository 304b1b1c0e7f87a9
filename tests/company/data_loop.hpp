/// The whole data loop on the deterministic scheduler: loader, augmenters, collator, and a consumer that keeps a copy
/// of every batch and gives the buffer back.
#pragma once

#include "actors/augmenter/augmenter_actor.hpp"
#include "actors/augmenter/transform_pipeline.hpp"
#include "actors/collator/collator_actor.hpp"
#include "actors/loader/loader_actor.hpp"
#include "actors/loader/reader_actor.hpp"
#include "tests/support/stub_company.hpp"

#include <caf/scheduled_actor.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/deterministic_system.hpp"

namespace troupe::test {

/// One batch as it arrived: every byte of it.
struct batch_copy {
  std::uint64_t id = 0;
  std::vector<std::uint64_t> sample_ids;
  std::vector<std::int64_t> labels;
  std::vector<float> weights;
  std::string pixels;
  float own_share = 1;
  std::vector<std::uint64_t> bad; ///< Ids.
  data_position next;
  friend bool operator==(const batch_copy&, const batch_copy&) = default;
};

inline batch_copy copy_of(const batch_ready& ready, const batch_buffer& buffer) {
  const auto n = ready.batch.num_samples;
  const auto* pixels = reinterpret_cast<const char*>(buffer.pixels());
  batch_copy out;
  out.id = ready.batch.id;
  out.own_share = ready.batch.own_share;
  out.next = ready.batch.next;
  out.sample_ids.assign(buffer.sample_ids().begin(), buffer.sample_ids().begin() + n);
  out.labels.assign(buffer.labels().begin(), buffer.labels().begin() + n);
  out.weights.assign(buffer.weights().begin(), buffer.weights().begin() + n);
  out.pixels.assign(pixels, n * buffer.layout().bytes_per_sample());
  for (const auto& each : ready.bad)
    out.bad.push_back(each.id);
  return out;
}

struct loop_options {
  std::size_t num_augmenters = 1;
  data_position first = {};
  std::size_t consumer_throws_at = 0; ///< At its so-manieth batch, with the buffer in its hands; 0: never.
  std::string pictures = {};          ///< Folder of image files and their list.csv; empty: samples are made up.
  std::size_t num_readers = 0;
  bool replace_bad = false;
  batch_mix_config mix = {};
};

/// 21 samples: batches of 4, 4, 4, 4, 3 and 2 where all are good, in chunks of 2; two epochs.
struct data_loop {
  static constexpr std::uint64_t num_samples = 21, batches_per_epoch = 6, num_epochs = 2;
  static constexpr int num_buffers = 3;
  /// An undisturbed run handles less than 1000.
  static constexpr std::size_t max_messages = 20'000;

  explicit data_loop(const loop_options& wanted) : options(wanted) {
    loader = actors.spawn(troupe::loader, loader_setup{served(), "loader", supervisor.handle});
    const auto opened = actors.ask<dataset_opened>(loader, describe_atom_v);
    REQUIRE(opened);
    REQUIRE_MESSAGE(opened->error.code == ec::none, opened->error.context);
    home = home_at(loader);
    consumer = spawn_consumer();
    collator = spawn_collator(consumer);
    caf::anon_send(loader, collator);
    for (std::size_t i = 0; i < options.num_augmenters; ++i)
      augmenters.push_back(spawn_augmenter());
    for (std::size_t i = 0; i < options.num_readers; ++i)
      readers.push_back(spawn_reader());
  }

  [[nodiscard]] loader_config served() const {
    loader_config config;
    if (options.pictures.empty()) {
      config.data.dataset = "synthetic";
      config.data.size = num_samples;
      config.data.shape = {1, 8, 8};
      config.data.num_classes = 3;
    } else {
      config.data.dataset = "manifest";
      config.data.root = options.pictures;
      config.data.file = "list.csv";
    }
    config.batch_size = 4;
    config.chunk_size = 2;
    config.read_ahead = 2;
    return config;
  }

  collator_actor spawn_collator(const batch_sink& sink) {
    collator_setup setup;
    setup.first_batch = options.first.epoch * batches_per_epoch + options.first.batch;
    setup.first = options.first;
    setup.replace_bad = options.replace_bad;
    setup.mix = options.mix;
    setup.consumer = sink;
    setup.loader = loader;
    return actors.spawn(troupe::collator, std::move(setup));
  }

  reader_actor spawn_reader() { return actors.spawn(troupe::reader, reader_setup{"reader", loader}); }

  /// Sends the buffers on their way.
  void open_flow() {
    caf::anon_send(loader, serve_range{options.first, num_epochs});
    for (int i = 0; i < num_buffers; ++i)
      caf::anon_send(loader, buffer_returned{lease<batch_buffer>{mint(home, {4, 1, 8, 8, true})}});
  }

  augmenter_actor spawn_augmenter() {
    return actors.spawn(troupe::augmenter, augmenter_setup{transforms, 5, "augmenter", loader, collator});
  }

  /// An augmenter that dies in the middle of its first chunk.
  augmenter_actor spawn_clumsy_augmenter() {
    return actors.spawn([boss = loader](augmenter_actor::pointer self) -> augmenter_actor::behavior_type {
      self->set_exception_handler([](std::exception_ptr&) { return caf::error{caf::sec::runtime_error}; });
      self->send(boss, next_atom_v, augmenter_actor{self});
      return {
        [](chunk_ready& x) {
          auto slice = x.slice.take();
          if (!slice)
            return;
          slice->begin();
          *slice->pixels(0) = std::byte{0xff};
          throw std::runtime_error("clumsy");
        },
        [](status_atom) { return actor_status{}; },
      };
    });
  }

  /// Runs in the order that `seed` decides. The actor `victim` is killed instead of handling its `k`-th message from
  /// now on (k >= 1), and `afterwards` is called. Returns whether it came to that.
  bool run(std::uint64_t seed, const caf::actor& victim = {}, std::size_t k = 0,
           const std::function<void()>& afterwards = {}) {
    auto& scheduler = actors.scheduler();
    std::mt19937_64 engine{seed};
    std::size_t handled = 0;
    bool killed = false;
    for (std::size_t total = 0; scheduler.has_job(); ++total) {
      if (total == max_messages)
        throw std::runtime_error("data_loop: endless");
      std::swap(scheduler.jobs.front(), scheduler.jobs[engine() % scheduler.jobs.size()]);
      const auto* next = dynamic_cast<caf::scheduled_actor*>(scheduler.jobs.front());
      if (!killed && victim && next != nullptr && next->address() == victim.address() && ++handled == k) {
        killed = true;
        kill(victim);
        scheduler.run_once();
        if (afterwards)
          afterwards();
      } else {
        scheduler.run_once();
      }
    }
    return killed;
  }

  /// Everybody goes, in no particular order.
  void end(std::uint64_t seed) {
    for (const auto& each : augmenters)
      kill(caf::actor_cast<caf::actor>(each));
    for (const auto& each : readers)
      kill(caf::actor_cast<caf::actor>(each));
    kill(caf::actor_cast<caf::actor>(collator));
    kill(caf::actor_cast<caf::actor>(loader));
    kill(caf::actor_cast<caf::actor>(consumer));
    run(seed);
  }

  /// An actor that consumes what `collator` lets out.
  batch_sink spawn_consumer() {
    return actors.spawn([boss = loader, seen = seen,
                         last = options.consumer_throws_at](batch_sink::pointer self) -> batch_sink::behavior_type {
      self->set_exception_handler([](std::exception_ptr&) { return caf::error{caf::sec::runtime_error}; });
      return {[=](batch_ready& x) {
        auto buffer = x.buffer.take();
        if (!buffer)
          return;
        seen->push_back(copy_of(x, *buffer));
        if (seen->size() == last)
          throw std::runtime_error("consumer");
        self->send(boss, buffer_returned{lease<batch_buffer>{std::move(*buffer)}});
      }};
    });
  }

  static void kill(const caf::actor& whom) {
    caf::anon_send<caf::message_priority::high>(whom, caf::exit_msg{whom.address(), caf::exit_reason::kill});
  }

  [[nodiscard]] std::shared_ptr<const transform_pipeline> make_transforms() const {
    pipeline_input samples;
    samples.decode.channels = 1;
    if (options.pictures.empty()) {
      samples.channels = 1;
      samples.height = samples.width = 8;
    }
    auto made = transform_pipeline::make(
      {random_crop_config{.size = 8, .padding = 2}, random_horizontal_flip_config{}, normalize_config{{0.5}, {0.25}}},
      samples);
    REQUIRE(made);
    return std::make_shared<const transform_pipeline>(std::move(*made));
  }

  loop_options options;
  deterministic_system actors;
  stub<supervisor_actor, supervisor_memory> supervisor = stub_supervisor(actors);
  std::shared_ptr<const transform_pipeline> transforms = make_transforms();
  std::shared_ptr<std::vector<batch_copy>> seen = std::make_shared<std::vector<batch_copy>>();
  std::shared_ptr<buffer_home> home;
  loader_actor loader;
  batch_sink consumer;
  collator_actor collator;
  std::vector<augmenter_actor> augmenters;
  std::vector<reader_actor> readers;
};

} // namespace troupe::test
