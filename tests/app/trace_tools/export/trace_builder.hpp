/// Traces for tests of the export: records with times and ids of the test's own choice.
#pragma once

#include "actors/glue/trace_recorder.hpp"
#include "actors/tracer/recorded_trace.hpp"
#include "actors/tracer/trace_drain.hpp"
#include "app/trace_tools/export/trace_export.hpp"
#include "tests/support/scratch_folder.hpp"

#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace troupe::test {

inline constexpr std::int64_t us = 1000;

/// A process's trace in the making. Times are nanoseconds since its start; 0: never.
class trace_builder {
public:
  explicit trace_builder(ring_policy policy = ring_policy::keep_all) {
    auto recorder =
      trace_recorder::start({.folder = folder_.path(), .policy = policy, .num_rings = 2, .ring_capacity = 8192});
    if (!recorder)
      throw std::runtime_error(recorder.error().context);
    recorder_ = std::move(*recorder);
    drain_.emplace(*recorder_, folder_.path());
  }

  [[nodiscard]] std::uint32_t name(std::string_view text) { return recorder_->map().strings().intern(text); }

  void put(trace_record record) {
    const auto start = recorder_->map().header().monotonic_ns;
    for (auto* time : {&record.enqueued_ns, &record.dequeued_ns, &record.ended_ns})
      *time += *time == 0 ? 0 : start;
    recorder_->put(record);
    if (++num_records_ % 4096 == 0)
      drain_->drain();
  }

  /// A message that was sent at `at`, waited and was handled.
  trace_record message(std::uint64_t id, std::string_view type, std::string_view from, std::string_view to,
                       std::int64_t at, std::int64_t wait, std::int64_t handling, std::uint64_t cause = 0) {
    return {.message = id,
            .cause = cause,
            .enqueued_ns = at,
            .dequeued_ns = at + wait,
            .ended_ns = at + wait + handling,
            .sender = from.empty() ? 0 : name(from),
            .receiver = name(to),
            .name = name(type)};
  }

  trace_record event(trace_kind kind, std::string_view what, std::string_view actor, std::int64_t at) {
    trace_record record{.enqueued_ns = at, .receiver = name(actor), .name = name(what)};
    record.kind = kind;
    return record;
  }

  /// Ends the process at `end_ns`, and reads what its files hold.
  recorded_trace finish(std::int64_t end_ns) {
    drain_->finish(recorder_->map().header().monotonic_ns + end_ns);
    auto trace = open_trace(folder_.path());
    if (!trace)
      throw std::runtime_error(trace.error().context);
    trace->processes.front().host = "box";
    trace->processes.front().pid = 7;
    return std::move(*trace);
  }

private:
  scratch_folder folder_;
  std::unique_ptr<trace_recorder> recorder_;
  std::optional<trace_drain> drain_;
  std::uint64_t num_records_ = 0;
};

struct exported {
  std::string text;
  export_report report;
};

inline exported export_text(const recorded_trace& trace, const export_options& options) {
  std::ostringstream out;
  const auto report = export_trace(trace, options, out);
  if (!report)
    throw std::runtime_error(report.error().context);
  return {out.str(), *report};
}

} // namespace troupe::test
