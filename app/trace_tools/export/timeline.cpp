#include "app/trace_tools/export/timeline.hpp"

#include "app/trace_tools/export/mailbox_depths.hpp"
#include "app/trace_tools/export/track_lanes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace troupe {

namespace {

/// Flows are told apart by the message at which they end; what a batch was made of, by the message that it was made of.
constexpr std::uint64_t link_flow = std::uint64_t{1} << 62;

std::uint64_t message_key(std::uint32_t process, std::uint64_t message) noexcept {
  return std::uint64_t{process} << 48 | message;
}

/// Where to find the messages that have a slice.
using message_index = std::vector<std::pair<std::uint64_t, std::uint32_t>>;

bool was_handled(const trace_record& record) noexcept {
  return record.kind == trace_kind::message && record.dequeued_ns != 0 && record.ended_ns != 0;
}

void add_message(const trace_record& record, std::uint32_t index, std::vector<timeline_event>& to) {
  if (!was_handled(record)) {
    to.push_back({record.enqueued_ns, 0, index, 0, event_kind::unhandled});
    return;
  }
  // An arrow needs a slice that is longer than nothing.
  const auto extent = std::max<std::int64_t>(record.ended_ns - record.dequeued_ns, 1);
  to.push_back({record.dequeued_ns, extent, index, 0, event_kind::handling});
  if (record.dequeued_ns > record.enqueued_ns)
    to.push_back({record.enqueued_ns, record.dequeued_ns - record.enqueued_ns, index, 0, event_kind::wait});
}

void add_record(const trace_record& record, std::uint32_t index, std::vector<timeline_event>& to) {
  const auto add_slice = [&](event_kind kind) {
    to.push_back({record.dequeued_ns, std::max<std::int64_t>(record.ended_ns - record.dequeued_ns, 0), index, 0, kind});
  };
  switch (record.kind) {
  case trace_kind::message:
    return add_message(record, index, to);
  case trace_kind::span:
    return add_slice(event_kind::span);
  case trace_kind::sample:
    return add_slice(event_kind::sample);
  case trace_kind::value:
    to.push_back(
      {record.enqueued_ns, 0, index, 0, std::isfinite(recorded_value(record)) ? event_kind::value : event_kind::mark});
    return;
  case trace_kind::mark:
  case trace_kind::spawn:
  case trace_kind::exit:
    to.push_back({record.enqueued_ns, 0, index, 0, event_kind::mark});
    return;
  case trace_kind::link:
    return;
  }
}

bool drawn_before(const timeline_event& a, const timeline_event& b) noexcept {
  if (a.at_ns != b.at_ns)
    return a.at_ns < b.at_ns;
  if (is_slice(a.kind) && is_slice(b.kind) && a.extent != b.extent)
    return a.extent > b.extent;
  return a.kind < b.kind;
}

message_index index_messages(const std::vector<selected_record>& records) {
  message_index index;
  for (std::uint32_t i = 0; i < records.size(); ++i)
    if (was_handled(records[i].record))
      index.emplace_back(message_key(records[i].process, records[i].record.message), i);
  std::sort(index.begin(), index.end());
  return index;
}

const std::uint32_t* find(const message_index& index, std::uint32_t process, std::uint64_t message) noexcept {
  const auto key = message_key(process, message);
  const auto place = std::lower_bound(index.begin(), index.end(), std::pair{key, std::uint32_t{0}});
  return place != index.end() && place->first == key ? &place->second : nullptr;
}

/// Puts slices that would overlap into different lanes, and samples into that of their message.
void assign_lanes(timeline& line, const message_index& index) {
  track_lanes lanes;
  std::vector<std::uint32_t> lane_of(line.records.size(), 0);
  for (auto& event : line.events) {
    if (!is_slice(event.kind))
      continue;
    const auto& [record, process] = line.records[event.record];
    const auto* parent = event.kind == event_kind::sample ? find(index, process, record.message) : nullptr;
    if (parent != nullptr && line.records[*parent].record.dequeued_ns <= event.at_ns
        && event.at_ns + event.extent <= line.records[*parent].record.ended_ns)
      event.lane = lane_of[*parent];
    else
      event.lane = lanes.place(line.track_of(event), event.at_ns, event.at_ns + event.extent);
    if (event.kind == event_kind::handling)
      lane_of[event.record] = event.lane;
  }
}

/// The arrow that a record stands for, if both of its ends are there.
void add_flow(const timeline& line, const message_index& index, std::uint32_t number, std::vector<timeline_flow>& to) {
  const auto& [record, process] = line.records[number];
  const bool is_link = record.kind == trace_kind::link;
  if (record.cause == 0 || record.cause == record.message || !(is_link || was_handled(record)))
    return;
  const auto* from = find(index, process, record.cause);
  const auto* target = is_link ? find(index, process, record.message) : &number;
  if (from == nullptr || target == nullptr || (is_link && line.records[*target].record.cause == record.cause))
    return;
  const auto id = message_key(process, is_link ? record.cause : record.message) | (is_link ? link_flow : 0);
  to.push_back({id, *from, *target});
}

void add_flows(timeline& line, const message_index& index) {
  for (std::uint32_t i = 0; i < line.records.size(); ++i)
    add_flow(line, index, i, line.flows);
  line.flows_by_to = line.flows;
  std::stable_sort(line.flows.begin(), line.flows.end(), [](const auto& a, const auto& b) { return a.from < b.from; });
  std::stable_sort(line.flows_by_to.begin(), line.flows_by_to.end(),
                   [](const auto& a, const auto& b) { return a.to < b.to; });
}

template <std::uint32_t timeline_flow::*End>
std::span<const timeline_flow> equal_range(const std::vector<timeline_flow>& flows, std::uint32_t record) noexcept {
  const auto first = std::lower_bound(flows.begin(), flows.end(), record,
                                      [](const auto& flow, std::uint32_t number) { return flow.*End < number; });
  auto last = first;
  while (last != flows.end() && (*last).*End == record)
    ++last;
  return {first, last};
}

} // namespace

timeline_track timeline::track_of(const timeline_event& event) const noexcept {
  const auto& [record, process] = records[event.record];
  switch (event.kind) {
  case event_kind::span:
    return {process, record.receiver, track_kind::span, record.name, event.lane};
  case event_kind::value:
    return {process, record.receiver, track_kind::value, record.name, 0};
  case event_kind::wait:
    return {process, record.receiver, track_kind::queue, 0, event.lane};
  case event_kind::depth:
    return {process, record.receiver, track_kind::depth, 0, 0};
  default:
    return {process, record.receiver, track_kind::handling, 0, event.lane};
  }
}

std::string timeline::special_label(const timeline_event& event) const {
  const auto& record = record_of(event);
  const auto& name = process_of(event).name(record.name);
  if (event.kind == event_kind::unhandled)
    return name + " (" + to_string(record.outcome) + ")";
  if (event.kind != event_kind::mark || record.kind == trace_kind::mark)
    return {};
  if (record.kind == trace_kind::spawn)
    return "starts";
  return record.kind == trace_kind::exit ? "ends: " + name
                                         : name + " is " + (std::isnan(recorded_value(record)) ? "NaN" : "infinite");
}

std::span<const timeline_flow> timeline::flows_from(const timeline_event& event) const noexcept {
  return equal_range<&timeline_flow::from>(flows, event.record);
}

std::span<const timeline_flow> timeline::flows_to(const timeline_event& event) const noexcept {
  return equal_range<&timeline_flow::to>(flows_by_to, event.record);
}

timeline make_timeline(const recorded_trace& trace, std::vector<selected_record> records, const actor_filter& actors) {
  timeline line{.trace = &trace, .records = std::move(records), .events = {}, .flows = {}, .flows_by_to = {}};
  for (std::uint32_t i = 0; i < line.records.size(); ++i)
    add_record(line.records[i].record, i, line.events);
  add_mailbox_depths(line.records, actors, line.events);
  std::stable_sort(line.events.begin(), line.events.end(), drawn_before);
  const auto index = index_messages(line.records);
  assign_lanes(line, index);
  add_flows(line, index);
  return line;
}

} // namespace troupe
