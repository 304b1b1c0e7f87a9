/// A trainer among stubs, and batches that are functions of their ids.
#pragma once

#include "actors/trainer/trainer_actor.hpp"
#include "tests/support/stub_company.hpp"
#include "tests/support/toy_batch.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "tests/support/deterministic_system.hpp"

namespace troupe::test {

/// An mlp, and epochs of six batches of four samples.
struct trainer_stage {
  static constexpr std::uint64_t per_epoch = 6;
  static constexpr std::uint32_t batch_size = 4;
  static constexpr int num_buffers = 3;
  inline static const model_io io{1, 8, 8, 3};

  deterministic_system actors;
  stub<loader_actor, loader_memory> loader = stub_loader(actors);
  stub<logger_actor, logger_memory> logger = stub_logger(actors);
  stub<saver_actor, saver_memory> saver = stub_saver(actors);
  stub<supervisor_actor, supervisor_memory> supervisor = stub_supervisor(actors);
  stub<validator_actor, validator_memory> validator = stub_validator(actors);
  trainer_setup setup = make_setup();
  trainer_actor trainer;
  std::uint64_t next_id = 0; ///< Of the batch to be fed next.

  /// Builds the model and opens the flow.
  void begin() {
    trainer = actors.spawn(troupe::trainer, setup);
    actors.run();
    REQUIRE(supervisor->trainers.size() == 1);
    REQUIRE(supervisor->trainers[0].error.code == ec::none);
    caf::anon_send(trainer, begin_training{loader.handle, validator.handle});
    actors.run();
  }

  /// Sends the next batch in a buffer that the loader has, and does not run.
  void post(float factor = 1) {
    REQUIRE_FALSE(loader->buffers.empty());
    auto buffer = std::move(loader->buffers.front());
    loader->buffers.erase(loader->buffers.begin());
    toy_batch samples(io, batch_size, next_id);
    std::transform(samples.pixels.begin(), samples.pixels.end(), buffer.floats(), [=](float x) { return factor * x; });
    std::copy(samples.labels.begin(), samples.labels.end(), buffer.labels().begin());
    const auto ref = ref_of(next_id++, per_epoch, batch_size);
    caf::anon_send(trainer, batch_ready{ref, lease<batch_buffer>{std::move(buffer)}, {}});
  }

  /// Sends batches and runs after each.
  void feed(int num, float factor = 1) {
    for (int i = 0; i < num; ++i) {
      post(factor);
      actors.run();
    }
  }

  /// The next batch, without a good sample.
  void feed_all_bad() {
    auto buffer = std::move(loader->buffers.front());
    loader->buffers.erase(loader->buffers.begin());
    std::vector<bad_sample> bad(batch_size);
    const auto ref = ref_of(next_id++, per_epoch, 0);
    caf::anon_send(trainer, batch_ready{ref, lease<batch_buffer>{std::move(buffer)}, std::move(bad)});
    actors.run();
  }

  void stop(stop_reason reason = stop_reason::signal, bool save = true) {
    caf::anon_send<caf::message_priority::high>(trainer, stop_training{reason, save});
    actors.run();
  }

  void judge(const snapshot_ptr& judged) {
    caf::anon_send(trainer, snapshot_judged{judged->tag.version, judged->tag.step, false});
    actors.run();
  }

  /// Buffers that the loader has, or that came back too late to be of use.
  [[nodiscard]] std::uint64_t buffers_at_home() const {
    return loader->buffers.size() + supervisor->minted.at(0).home->retired();
  }

  /// What the trainer said at its end, once.
  [[nodiscard]] const training_ended& ended() const {
    REQUIRE(supervisor->ended.size() == 1);
    return supervisor->ended[0];
  }

  [[nodiscard]] trainer_setup make_setup() const {
    trainer_setup out;
    out.config.model = {.name = "mlp", .dropout = 0.25, .hidden = 8};
    out.config.compute.device = "cpu";
    out.config.epochs = 1;
    out.config.metrics_every = 2;
    out.io = io;
    out.run = "test";
    out.batches_per_epoch = per_epoch;
    out.layout = {batch_size, 1, 8, 8, true};
    out.prefetch_batches = num_buffers;
    out.logger = logger.handle;
    out.saver = saver.handle;
    out.supervisor = supervisor.handle;
    return out;
  }
};

[[nodiscard]] inline std::vector<std::uint64_t> steps_of(const std::vector<snapshot_ptr>& snapshots) {
  std::vector<std::uint64_t> steps;
  for (const auto& each : snapshots)
    steps.push_back(each->tag.step);
  return steps;
}

[[nodiscard]] inline bool all_finite(const std::vector<named_tensor>& tensors) {
  return std::all_of(tensors.begin(), tensors.end(), [](const named_tensor& each) {
    if (each.value.type != dtype::f32)
      return true;
    const auto* x = reinterpret_cast<const float*>(each.value.bytes.get());
    return std::all_of(x, x + each.value.num_elements(), [](float y) { return std::isfinite(y); });
  });
}

} // namespace troupe::test
