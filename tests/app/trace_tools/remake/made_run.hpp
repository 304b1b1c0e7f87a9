/// A run folder whose trace is recorded by loader, augmenter and collator logic, without actors: all its batches are
/// known.
#pragma once

#include "actors/augmenter/fill_slice.hpp"
#include "actors/collator/assembly.hpp"
#include "actors/loader/chunk_reading.hpp"
#include "actors/tracer/recorded_trace.hpp"
#include "actors/tracer/trace_drain.hpp"
#include "app/config/load_config.hpp"
#include "app/data_report/data_report.hpp"
#include "app/trace_tools/remake/lone_buffer.hpp"
#include "tests/support/scratch_folder.hpp"

#include <bit>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tests/support/doctest.hpp"

namespace troupe::test {

/// Slices of a batch for samples of `set`.
inline std::vector<batch_slice> make_slices(const opened_set& set, const batch_ref& batch, std::uint32_t batch_size,
                                            std::uint32_t chunk_size) {
  const auto& shape = *set.transforms;
  auto buffer = make_lone_buffer({batch_size, static_cast<std::uint32_t>(shape.output_channels()),
                                  static_cast<std::uint32_t>(shape.output_height()),
                                  static_cast<std::uint32_t>(shape.output_width())});
  return std::move(buffer).split(batch, chunk_size);
}

/// `<scratch>/runs/run`, started in `<scratch>`.
class made_run {
public:
  /// `config` is the inside of a YAML map, without the section `run`.
  explicit made_run(const std::string& config) {
    std::filesystem::create_directories(folder() + "/trace");
    put_file(folder() + "/config.yaml", "{run: {seed: 9, dir: runs}, " + config + "}");
  }

  [[nodiscard]] std::string folder() const { return scratch_ / "runs/run"; }
  [[nodiscard]] const scratch_folder& scratch() const { return scratch_; }

  [[nodiscard]] recorded_trace trace() const {
    auto out = open_trace(folder() + "/trace");
    REQUIRE_MESSAGE(out, to_string(out.error()));
    return *out;
  }

private:
  scratch_folder scratch_;
};

/// A process of a run: what it records is in the trace when it is gone.
class made_process {
public:
  /// May change a record before it is put.
  using hand = std::function<void(trace_record&)>;

  explicit made_process(const made_run& run, bool full = true) : full_(full), recorder_(start(run, full)) {
    drain_ = std::make_unique<trace_drain>(*recorder_, run.folder() + "/trace");
    now_ = recorder_->map().header().monotonic_ns;
  }
  made_process(const made_process&) = delete;
  made_process& operator=(const made_process&) = delete;
  ~made_process() { drain_->finish(now_); }

  /// Serves batches of a training epoch, from `first` on: what an augmenter, the collator and the trainer have to do.
  void serve(const run_config& config, std::uint64_t epoch, std::uint64_t first = 0, const hand& change = {});

  /// Records one message and returns its id.
  std::uint64_t message(const std::string& receiver, const std::string& type, const trace_ids& ids,
                        trace_outcome outcome = trace_outcome::handled) {
    trace_record record{
      .message = recorder_->next_message_id(), .enqueued_ns = tick(), .dequeued_ns = tick(), .ended_ns = tick()};
    put_ids(record, ids);
    record.receiver = name(receiver);
    record.name = name(type);
    record.outcome = outcome;
    recorder_->put(record);
    return record.message;
  }

  void loss(std::uint64_t batch, std::uint64_t step, double value) {
    trace_record record{.cause = std::bit_cast<std::uint64_t>(value), .enqueued_ns = tick()};
    record.batch = batch;
    record.step = step;
    record.receiver = name("trainer");
    record.name = name("loss");
    record.kind = trace_kind::value;
    recorder_->put(record);
  }

  /// Handles one chunk as an augmenter of that name does.
  slice_outcome augment(const std::string& who, const opened_set& set, std::uint64_t seed, const encoded_chunk& chunk,
                        const batch_slice& slice, const hand& change = {});

  std::set<std::uint64_t> unread; ///< Batches that the trainer leaves in its mailbox, to be set before.
  std::map<std::uint64_t, std::vector<std::uint64_t>> batches; ///< By id: the samples that the trainer got.
  std::set<std::uint64_t> bad;                                 ///< Samples that could not be made.
  std::vector<std::uint64_t> chunks;                           ///< Messages to augmenters.

private:
  static std::unique_ptr<trace_recorder> start(const made_run& run, bool full) {
    auto out = trace_recorder::start({.folder = run.folder() + "/trace",
                                      .policy = full ? ring_policy::keep_all : ring_policy::keep_newest,
                                      .num_rings = 2,
                                      .ring_capacity = 4096});
    REQUIRE_MESSAGE(out, to_string(out.error()));
    return std::move(*out);
  }

  std::int64_t tick() { return now_ += 1000; }
  std::uint32_t name(const std::string& text) { return recorder_->map().strings().intern(text); }
  void serve_batch(const opened_set& set, const run_config& config, const batch_ref& batch, chunk_maker& maker,
                   assembly& collator, const hand& change);

  class sample_recorder;

  bool full_;
  std::unique_ptr<trace_recorder> recorder_;
  std::unique_ptr<trace_drain> drain_;
  std::int64_t now_ = 0;
};

class made_process::sample_recorder final : public sample_observer {
public:
  sample_recorder(made_process& to, std::uint64_t message, std::uint32_t actor, const encoded_chunk& chunk,
                  const hand& change)
    : to_(to), message_(message), actor_(actor), chunk_(chunk), change_(change) {}

  [[nodiscard]] bool wants_hash() const override { return true; }
  void begins(std::uint64_t) override {}
  void made(const made_sample& sample) override {
    auto record = to_record({sample.id, chunk_.batch, chunk_.epoch, sample.slot, sample.pixel_hash, sample.bytes,
                             to_.tick(), to_.tick(), sample.bad});
    record.message = message_;
    record.receiver = actor_;
    if (change_)
      change_(record);
    to_.recorder_->put(record);
  }

private:
  made_process& to_;
  std::uint64_t message_;
  std::uint32_t actor_;
  const encoded_chunk& chunk_;
  const hand& change_;
};

inline slice_outcome made_process::augment(const std::string& who, const opened_set& set, std::uint64_t seed,
                                           const encoded_chunk& chunk, const batch_slice& slice, const hand& change) {
  chunks.push_back(message(who, "chunk_ready", ids_of(chunk)));
  sample_recorder observer(*this, chunks.back(), name(who), chunk, change);
  return fill_slice(*set.transforms, seed, chunk, slice, full_ ? &observer : nullptr);
}

inline void made_process::serve_batch(const opened_set& set, const run_config& config, const batch_ref& batch,
                                      chunk_maker& maker, assembly& collator, const hand& change) {
  std::deque<batch_slice> empty;
  for (auto& slice : make_slices(set, batch, config.pipeline.batch_size, /*chunk_size=*/3))
    empty.push_back(std::move(slice));
  while (!empty.empty()) {
    auto slice = std::move(empty.front());
    empty.pop_front();
    slice.adopt();
    const auto chunk =
      maker.reading_of(maker.request({batch.id, batch.epoch, slice.position(), slice.first(), slice.count()}))();
    auto filled = augment("augmenter#0", set, config.run.seed, chunk, slice, change);
    for (const auto& each : filled.bad)
      bad.insert(each.id);
    auto outcome = collator.add(std::move(slice), std::move(filled.bad));
    for (auto& wanted : outcome.wanted)
      empty.push_back(std::move(wanted));
    for (auto& ready : outcome.ready) {
      const auto whole = ready.buffer.take();
      const auto ids = whole->sample_ids().first(ready.batch.num_samples);
      batches[ready.batch.id] = {ids.begin(), ids.end()};
      if (!unread.contains(ready.batch.id))
        message("trainer", "batch_ready", {.batch = ready.batch.id});
    }
  }
}

inline void made_process::serve(const run_config& config, std::uint64_t epoch, std::uint64_t first,
                                const hand& change) {
  const auto set = open_training_set(config);
  REQUIRE_MESSAGE(set, to_string(set.error()));
  const auto plan = epoch_plan::make(set->data->num_samples(), config.pipeline.batch_size, config.pipeline.drop_last,
                                     /*shuffle=*/true, config.run.seed);
  REQUIRE(plan);
  chunk_maker maker(set->data, *plan, /*shuffle=*/true, nullptr);
  assembly collator(config.pipeline.bad_samples == bad_sample_policy::replace, plan->batch(epoch, first).id,
                    {epoch, first});
  for (auto index = first; index < plan->batches_per_epoch(); ++index)
    serve_batch(*set, config, plan->batch(epoch, index), maker, collator, change);
}

} // namespace troupe::test
