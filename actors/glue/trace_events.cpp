#include "actors/glue/trace_events.hpp"

#include "actors/glue/trace_recorder.hpp"

#include <bit>
#include <utility>

namespace troupe {

namespace {

/// Completes a record by what is being handled, and puts it.
void put_event(trace_recorder& recorder, trace_kind kind, std::string_view name, trace_record record) noexcept {
  const auto current = current_message();
  record.message = current.message;
  record.root = current.root;
  record.receiver = current.name;
  record.name = name.empty() ? 0 : recorder.map().strings().intern(name);
  record.kind = kind;
  if (record.enqueued_ns == 0)
    record.enqueued_ns = trace_now_ns();
  recorder.put(record);
}

/// libstdc++'s steady_clock is CLOCK_MONOTONIC, as are the records' times.
std::int64_t to_ns(std::chrono::steady_clock::time_point time) noexcept {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
}

} // namespace

void trace_link(std::span<const std::uint64_t> parents) noexcept {
  auto* recorder = trace_recorder::active();
  if (recorder == nullptr || current_message().message == 0)
    return;
  for (auto parent : parents)
    put_event(*recorder, trace_kind::link, {}, {.cause = parent});
}

void trace_mark(std::string_view name, const trace_ids& ids) noexcept {
  auto* recorder = trace_recorder::active();
  if (recorder == nullptr)
    return;
  trace_record record;
  put_ids(record, ids);
  put_event(*recorder, trace_kind::mark, name, record);
}

void trace_span(std::string_view name, std::chrono::steady_clock::time_point from,
                std::chrono::steady_clock::time_point until, const trace_ids& ids) noexcept {
  auto* recorder = trace_recorder::active();
  if (recorder == nullptr)
    return;
  trace_record record{.enqueued_ns = to_ns(from), .dequeued_ns = to_ns(from), .ended_ns = to_ns(until)};
  put_ids(record, ids);
  put_event(*recorder, trace_kind::span, name, record);
}

void trace_value(std::string_view name, double value, const trace_ids& ids) noexcept {
  auto* recorder = trace_recorder::active();
  if (recorder == nullptr)
    return;
  trace_record record;
  put_ids(record, ids);
  record.cause = std::bit_cast<std::uint64_t>(value);
  put_event(*recorder, trace_kind::value, name, record);
}

void trace_sample(const recorded_sample& sample) noexcept {
  if (auto* recorder = trace_recorder::active())
    put_event(*recorder, trace_kind::sample, "sample", to_record(sample));
}

void trace_progress(std::uint64_t sample) noexcept {
  auto* recorder = trace_recorder::active();
  const auto place = current_message().place;
  if (recorder == nullptr || place == 0)
    return;
  auto actor = recorder->map().actor(place);
  if (auto now = actor.current()) {
    now->ids.sample = sample;
    actor.begin(*now);
  }
}

} // namespace troupe
