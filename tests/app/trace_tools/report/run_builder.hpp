/// Traces and run folders for tests of the report.
#pragma once

#include "actors/glue/trace_recorder.hpp"
#include "actors/tracer/recorded_trace.hpp"
#include "actors/tracer/trace_drain.hpp"
#include "tests/support/scratch_folder.hpp"

#include <bit>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace troupe::test {

inline constexpr std::int64_t ms = 1'000'000;

/// A run folder whose processes are recorded one after another. Times are nanoseconds since the start of the process.
class run_builder {
public:
  explicit run_builder(ring_policy policy = ring_policy::keep_all) : policy_(policy) {}

  [[nodiscard]] const std::string& folder() const noexcept { return folder_.path(); }
  void put(const std::string& name, std::string_view bytes) const { put_file(folder_ / name, bytes); }

  void begin() {
    const auto trace = folder_ / "trace";
    std::filesystem::create_directories(trace);
    auto recorder = trace_recorder::start({.folder = trace, .policy = policy_, .num_rings = 2, .ring_capacity = 8192});
    if (!recorder)
      throw std::runtime_error(recorder.error().context);
    recorder_ = std::move(*recorder);
    drain_.emplace(*recorder_, trace);
  }

  void end(std::int64_t at) {
    drain_->finish(recorder_->map().header().monotonic_ns + at);
    drain_.reset();
    recorder_.reset();
  }

  void message(std::string_view to, std::string_view type, std::int64_t sent, std::int64_t taken, std::int64_t done,
               trace_outcome outcome = trace_outcome::handled) {
    trace_record record{.message = recorder_->next_message_id(),
                        .enqueued_ns = sent,
                        .dequeued_ns = taken,
                        .ended_ns = done,
                        .receiver = name(to),
                        .name = name(type)};
    record.outcome = outcome;
    put(record);
  }

  void span(std::string_view actor, std::string_view what, std::int64_t from, std::int64_t until) {
    trace_record record{
      .enqueued_ns = from, .dequeued_ns = from, .ended_ns = until, .receiver = name(actor), .name = name(what)};
    record.kind = trace_kind::span;
    put(record);
  }

  void loss(std::uint64_t step, double value) { value_of("trainer", "loss", step, value); }

  void value_of(std::string_view actor, std::string_view what, std::uint64_t step, double value) {
    trace_record record{.cause = std::bit_cast<std::uint64_t>(value),
                        .enqueued_ns = ms,
                        .batch = step - 1,
                        .step = step,
                        .receiver = name(actor),
                        .name = name(what)};
    record.kind = trace_kind::value;
    put(record);
  }

  void checkpoint(std::uint64_t step, std::uint64_t version, std::uint64_t bytes) {
    trace_record record{.enqueued_ns = ms,
                        .step = step,
                        .version = version,
                        .bytes = bytes,
                        .receiver = name("saver"),
                        .name = name("checkpoint durable")};
    record.kind = trace_kind::mark;
    put(record);
  }

  void sample(std::string_view augmenter, const recorded_sample& made) {
    auto record = to_record(made);
    record.receiver = name(augmenter);
    record.name = name("sample");
    put(record);
  }

  [[nodiscard]] recorded_trace read() const {
    auto trace = open_trace(folder_ / "trace");
    if (!trace)
      throw std::runtime_error(trace.error().context);
    return std::move(*trace);
  }

private:
  [[nodiscard]] std::uint32_t name(std::string_view text) { return recorder_->map().strings().intern(text); }

  void put(trace_record record) {
    const auto start = recorder_->map().header().monotonic_ns;
    for (auto* time : {&record.enqueued_ns, &record.dequeued_ns, &record.ended_ns})
      *time += *time == 0 ? 0 : start;
    recorder_->put(record);
    if (policy_ == ring_policy::keep_all && ++num_records_ % 4096 == 0)
      drain_->drain();
  }

  ring_policy policy_;
  scratch_folder folder_;
  std::unique_ptr<trace_recorder> recorder_;
  std::optional<trace_drain> drain_;
  std::uint64_t num_records_ = 0;
};

/// A run of one process, 1 s long: `steps` batches on the trainer, a checkpoint, and messages that found nobody.
inline void record_run(run_builder& run, std::uint64_t steps) {
  run.begin();
  for (std::uint64_t i = 0; i < steps; ++i) {
    const auto at = static_cast<std::int64_t>(i) * 10 * ms;
    run.message("augmenter#0", "chunk_ready", at + 1, at + ms, at + 4 * ms);
    run.message("trainer", "batch_ready", at + 1, at + 2 * ms, at + 9 * ms);
    run.span("trainer", "trains", at + 2 * ms, at + 9 * ms);
    run.loss(i + 1, i == steps / 2 ? 9.5 : 1.0);
  }
  run.message("logger", "exit", 990 * ms, 0, 0, trace_outcome::never_handled);
  run.checkpoint(steps, 1, 2'500'000);
  run.end(1000 * ms);
}

} // namespace troupe::test
