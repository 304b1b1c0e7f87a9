/// The trace of a small but whole training run, made up record by record: for tests of the tools that read traces.
#pragma once

#include "actors/glue/trace_recorder.hpp"
#include "actors/tracer/trace_drain.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace troupe::test {

struct made_run_options {
  bool full = true;                 ///< Else the newest `ring_capacity` records only.
  std::size_t ring_capacity = 4096; ///< A power of two.
  std::uint64_t accumulate = 1;     ///< Batches per step.
  bool first_superseded = false;    ///< The first snapshot is not written.
  std::int64_t time_step_ns = 10'000;
  bool short_epoch =
    false; ///< 11 samples: the last batch of an epoch makes the sample before it too (`batch_ref::lead`).
  std::optional<std::uint64_t> bad = {}; ///< A sample of an epoch's first batch that cannot be made,
  bool replace_bad = false;              ///< and that the epoch's last one replaces; else the gap is closed.
  std::uint64_t first_batch = 0;         ///< A process that goes on with this batch,
  std::uint64_t end_batch = 6;           ///< or is told to stop before this one, which was made already.
};

/// 2 epochs of 3 batches of 4 samples, in chunks of 2, by 2 augmenters and a reader; after each epoch a snapshot, its
/// checkpoint and its validation on 2 samples. Epoch 0 takes the samples in order, epoch 1 from the last to the first.
/// Every message waits 2 time steps and is handled in 3.
class made_run {
public:
  static constexpr std::uint64_t batches_per_epoch = 3;
  static constexpr std::uint64_t batch_size = 4;

  explicit made_run(const std::string& folder, made_run_options options = {}) : options_(options) {
    auto started = trace_recorder::start({.folder = folder,
                                          .policy = options.full ? ring_policy::keep_all : ring_policy::keep_newest,
                                          .num_rings = 2,
                                          .ring_capacity = options.ring_capacity});
    if (!started)
      throw std::runtime_error(started.error().context);
    recorder_ = std::move(*started);
    drain_.emplace(*recorder_, folder);
    now_ = recorder_->map().header().monotonic_ns + 1'000'000;
  }

  /// All of the run; what follows is up to the caller: `finish`, or not.
  void train() {
    constexpr auto num_batches = 2 * batches_per_epoch;
    step_ = options_.first_batch / options_.accumulate;
    for (auto batch = options_.first_batch; batch < std::min(options_.end_batch, num_batches); ++batch) {
      train_batch(make_batch(batch), batch);
      if (batch % batches_per_epoch + 1 == batches_per_epoch)
        judge_and_save(batch / batches_per_epoch + 1);
    }
    if (options_.end_batch < num_batches)
      stop();
    if (options_.full)
      drain_->drain();
  }

  /// The run ends in order.
  end_block finish() { return drain_->finish(now_); }

  /// A message that is sent now. Returns its id.
  std::uint64_t send(const std::string& from, const std::string& to, const std::string& type, trace_ids ids,
                     std::uint64_t cause, trace_outcome outcome = trace_outcome::handled) {
    trace_record record{.message = recorder_->next_message_id(), .cause = cause, .root = root_of(cause)};
    put_ids(record, ids);
    record.sender = name(from);
    record.receiver = name(to);
    record.name = name(type);
    record.outcome = outcome;
    record.enqueued_ns = tick();
    if (outcome != trace_outcome::never_handled) {
      record.dequeued_ns = record.enqueued_ns + 2 * options_.time_step_ns;
      record.ended_ns = record.dequeued_ns + 3 * options_.time_step_ns;
    }
    recorder_->put(record);
    roots_[record.message] = record.root == 0 ? record.message : record.root;
    newest_[{type, ids.batch}] = record.message;
    return record.message;
  }

  void put(trace_kind kind, const std::string& actor, const std::string& what, trace_ids ids, std::uint64_t message,
           std::uint64_t cause = 0) {
    trace_record record{.message = message, .cause = cause, .root = root_of(message), .enqueued_ns = tick()};
    put_ids(record, ids);
    record.receiver = name(actor);
    record.name = name(what);
    record.kind = kind;
    if (kind == trace_kind::span) {
      record.dequeued_ns = record.enqueued_ns;
      record.ended_ns = record.enqueued_ns + options_.time_step_ns;
    }
    recorder_->put(record);
  }

  /// The newest message of that type that was about that batch.
  [[nodiscard]] std::uint64_t newest(const std::string& type, std::uint64_t batch) const {
    return newest_.at({type, batch});
  }

  /// Pixels of a training sample in an epoch.
  [[nodiscard]] static std::uint64_t pixel_hash(std::uint64_t sample, std::uint64_t epoch) {
    return 1000 * (epoch + 1) + sample;
  }
  /// The sample that a slot of a batch is made for at first.
  [[nodiscard]] std::uint64_t sample_in(std::uint64_t batch, std::uint64_t slot) const {
    const auto index = batch % batches_per_epoch;
    const auto lead = options_.short_epoch && index + 1 == batches_per_epoch ? 1 : 0;
    const auto place = index * batch_size + slot - static_cast<std::uint64_t>(lead);
    return batch < batches_per_epoch ? place : num_samples() - 1 - place;
  }
  [[nodiscard]] std::uint64_t num_samples() const {
    return batches_per_epoch * batch_size - (options_.short_epoch ? 1 : 0);
  }

  [[nodiscard]] trace_recorder& recorder() noexcept { return *recorder_; }
  [[nodiscard]] trace_drain& drain() noexcept { return *drain_; }
  [[nodiscard]] std::int64_t now() const noexcept { return now_; }
  std::uint32_t name(const std::string& text) { return recorder_->map().strings().intern(text); }

private:
  std::int64_t tick() { return now_ += options_.time_step_ns; }
  std::uint64_t root_of(std::uint64_t message) const {
    const auto found = roots_.find(message);
    return found == roots_.end() ? 0 : found->second;
  }

  void make_sample(const std::string& augmenter, std::uint64_t message, recorded_sample sample) {
    sample.begun_ns = tick();
    sample.ended_ns = sample.begun_ns + options_.time_step_ns;
    sample.bytes = 500;
    auto record = to_record(sample);
    record.message = message;
    record.root = root_of(message);
    record.receiver = name(augmenter);
    record.name = name("sample");
    recorder_->put(record);
  }

  /// The samples of `slots`, beginning with `first`, read and made. Returns the slice_filled.
  std::uint64_t fill_chunk(std::uint64_t batch, const std::string& number,
                           const std::vector<recorded_sample>& samples) {
    const auto first = samples.front().sample;
    const trace_ids ids{.sample = first, .batch = batch};
    const auto wanted = send("loader", "reader#0", "chunk_wanted", ids, returned_);
    const trace_ids full_ids{.sample = first, .batch = batch, .bytes = 1000};
    const auto read = send("reader#0", "loader", "chunk_read", full_ids, wanted);
    const auto ready = send("loader", "augmenter#" + number, "chunk_ready", full_ids, read);
    for (const auto& sample : samples)
      if (options_.full)
        make_sample("augmenter#" + number, ready, sample);
    send("augmenter#" + number, "loader", "chunk_done", {.batch = batch}, ready);
    return send("augmenter#" + number, "collator", "slice_filled", {.batch = batch}, ready);
  }

  [[nodiscard]] recorded_sample sample_for(std::uint64_t batch, std::uint64_t slot, std::uint64_t sample) const {
    const auto epoch = batch / batches_per_epoch;
    const bool bad = options_.bad == sample;
    return {.sample = sample,
            .batch = batch,
            .epoch = epoch,
            .slot = slot,
            .pixel_hash = bad ? 0 : pixel_hash(sample, epoch),
            .bad = bad};
  }

  /// Returns the batch_ready.
  std::uint64_t make_batch(std::uint64_t batch) {
    std::vector<std::uint64_t> filled;
    std::optional<recorded_sample> replacement;
    for (std::uint64_t index = 0; index < 2; ++index) {
      std::vector<recorded_sample> samples;
      for (std::uint64_t slot = index * 2; slot < index * 2 + 2; ++slot) {
        samples.push_back(sample_for(batch, slot, sample_in(batch, slot)));
        if (samples.back().bad && options_.replace_bad)
          replacement = sample_for(batch, slot, batch < batches_per_epoch ? num_samples() - 1 : 0);
      }
      filled.push_back(fill_chunk(batch, std::to_string(index), samples));
    }
    if (replacement)
      filled.push_back(fill_chunk(batch, "0", {*replacement}));
    for (const auto parent : filled)
      put(trace_kind::link, "collator", {}, {}, filled.back(), parent);
    return send("collator", "trainer", "batch_ready", {.batch = batch}, filled.back());
  }

  void train_batch(std::uint64_t ready, std::uint64_t batch) {
    put(trace_kind::span, "trainer", "waits for batch", {.batch = batch}, 0);
    trained_ = ready;
    returned_ = send("trainer", "loader", "buffer_returned", {}, ready);
    const bool completes = (batch + 1) % options_.accumulate == 0;
    step_ += completes ? 1 : 0;
    put(trace_kind::span, "trainer", "trains", {.batch = batch, .step = step_}, ready);
    if (!completes)
      return;
    const trace_ids ids{.batch = batch + 1 - options_.accumulate, .step = step_};
    put(trace_kind::value, "trainer", "loss", ids, ready,
        std::bit_cast<std::uint64_t>(1.0 / static_cast<double>(step_)));
    put(trace_kind::value, "trainer", "learning rate", ids, ready, std::bit_cast<std::uint64_t>(0.25));
    send("trainer", "logger", "step_completed", ids, ready);
  }

  /// The trainer is told to stop, saves, and gives back the batch that comes to it.
  void stop() {
    const trace_ids ids{.step = step_, .version = options_.end_batch / batches_per_epoch + 1};
    const auto told = send("supervisor", "trainer", "stop_training", {}, 0);
    const auto to_saver = send("trainer", "saver", "snapshot", ids, told);
    put(trace_kind::mark, "saver", "checkpoint durable", ids, to_saver);
    make_batch(options_.end_batch);
  }

  void judge_and_save(std::uint64_t version) {
    const trace_ids ids{.step = step_, .version = version};
    const auto to_saver = send("trainer", "saver", "snapshot", ids, trained_);
    const bool superseded = options_.first_superseded && version == 1;
    auto durable_ids = ids;
    durable_ids.bytes = superseded ? 0 : 7000;
    put(trace_kind::mark, "saver", superseded ? "checkpoint superseded" : "checkpoint durable", durable_ids, to_saver);
    if (!superseded)
      send("saver", "logger", "checkpoint_saved", durable_ids, to_saver);
    const auto to_validator = send("trainer", "validator", "snapshot", ids, trained_);
    const auto batch = version - 1; // One batch per pass.
    const auto served = send("validator", "validation loader", "serve_range", {}, to_validator);
    const auto ready = send("validation loader", "validation augmenter#0", "chunk_ready",
                            {.sample = 0, .batch = batch, .bytes = 100}, served);
    for (std::uint64_t slot = 0; slot < 2 && options_.full; ++slot)
      make_sample("validation augmenter#0", ready,
                  {.sample = slot, .batch = batch, .epoch = 0, .slot = slot, .pixel_hash = 7});
    send("validation augmenter#0", "validation loader", "chunk_done", {.batch = batch}, ready);
    const auto filled = send("validation augmenter#0", "validation collator", "slice_filled", {.batch = batch}, ready);
    const auto whole = send("validation collator", "validator", "batch_ready", {.batch = batch}, filled);
    put(trace_kind::value, "validator", "top1", ids, whole,
        std::bit_cast<std::uint64_t>(0.5 + 0.25 * static_cast<double>(version - 1)));
    put(trace_kind::value, "validator", "validation loss", ids, whole, std::bit_cast<std::uint64_t>(0.125));
    now_ += 10 * options_.time_step_ns; // The report follows the batch's handling.
    send("validator", "logger", "validation_report", ids, whole);
    send("validator", "saver", "validation_report", ids, whole);
    send("validator", "trainer", "snapshot_judged", ids, whole);
  }

  made_run_options options_;
  std::unique_ptr<trace_recorder> recorder_;
  std::optional<trace_drain> drain_;
  std::int64_t now_ = 0;
  std::uint64_t step_ = 0;
  std::uint64_t trained_ = 0;  ///< Newest batch_ready.
  std::uint64_t returned_ = 0; ///< Newest buffer_returned.
  std::map<std::uint64_t, std::uint64_t> roots_;
  std::map<std::pair<std::string, std::uint64_t>, std::uint64_t> newest_;
};

} // namespace troupe::test
