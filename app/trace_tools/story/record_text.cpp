#include "app/trace_tools/story/record_text.hpp"

#include "app/trace_tools/text/trace_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace troupe {

namespace {

using json = nlohmann::ordered_json;

std::optional<std::uint64_t> between(std::int64_t from, std::int64_t until) {
  if (from == 0 || until == 0)
    return std::nullopt;
  return static_cast<std::uint64_t>(std::max<std::int64_t>(until - from, 0));
}

void add_part(std::string& to, const std::string& part) {
  to += (to.empty() ? "" : ", ") + part;
}

/// Who did it, or who told whom, and what it is called.
std::string subject_of(const recorded_process& process, const trace_record& record) {
  const auto& receiver = process.name(record.receiver);
  switch (record.kind) {
  case trace_kind::message:
    return (record.sender == 0 ? "(anonymous)" : process.name(record.sender)) + " -> " + receiver + ": "
           + process.name(record.name);
  case trace_kind::link:
    return receiver + ": message " + std::to_string(record.message) + " was made of message "
           + std::to_string(record.cause) + " too";
  case trace_kind::spawn:
    return receiver + ": got its name";
  case trace_kind::exit:
    return receiver + ": ended: " + process.name(record.name);
  case trace_kind::value:
    return receiver + ": " + process.name(record.name) + " " + value_text(recorded_value(record));
  case trace_kind::sample:
    return receiver + (record.outcome == trace_outcome::threw ? ": could NOT make sample " : ": made sample ")
           + std::to_string(record.sample);
  case trace_kind::mark:
  case trace_kind::span:
    break;
  }
  return receiver + ": " + process.name(record.name);
}

std::string times_text(const trace_record& record) {
  std::string text;
  if (const auto wait = wait_of(record))
    add_part(text, "waited " + time_text(*wait));
  if (const auto handling = handling_of(record))
    add_part(text, (record.kind == trace_kind::message ? "handled in " : "took ") + time_text(*handling));
  if (record.kind == trace_kind::message && record.outcome != trace_outcome::handled)
    add_part(text, std::string{"outcome: "} + to_string(record.outcome));
  return text;
}

json json_sample(const trace_record& record) {
  const auto sample = to_sample(record);
  return {{"epoch", sample.epoch + 1},
          {"slot", sample.slot},
          {"pixel_hash", hash_text(sample.pixel_hash)},
          {"bad", sample.bad}};
}

/// A sample's epoch and slot are no such ids.
trace_ids ids_of(const trace_record& record) {
  const bool is_sample = record.kind == trace_kind::sample;
  return {record.sample, record.batch, is_sample ? no_id : record.step, is_sample ? no_id : record.version, 0};
}

} // namespace

bool has_all_records(const recorded_process& process) noexcept {
  return process.full && process.dropped == 0 && process.cut == 0;
}

json ids_json(const trace_ids& ids) {
  json out = json::object();
  const auto put = [&](const char* name, std::uint64_t id) {
    if (id != no_id)
      out[name] = id;
  };
  put("sample", ids.sample);
  put("batch", ids.batch);
  put("step", ids.step);
  put("version", ids.version);
  return out;
}

const char* kind_text(trace_kind kind) noexcept {
  constexpr std::array names = {"message", "link", "mark", "spawn", "exit", "span", "value", "sample"};
  static_assert(names.size() == num_trace_kinds);
  const auto index = static_cast<std::size_t>(kind);
  return index < names.size() ? names[index] : "unknown";
}

std::optional<std::uint64_t> wait_of(const trace_record& record) noexcept {
  return record.kind == trace_kind::message ? between(record.enqueued_ns, record.dequeued_ns) : std::nullopt;
}

std::optional<std::uint64_t> handling_of(const trace_record& record) noexcept {
  return between(record.dequeued_ns, record.ended_ns);
}

std::int64_t last_ns_of(const trace_record& record) noexcept {
  return std::max({record.enqueued_ns, record.dequeued_ns, record.ended_ns});
}

std::string value_text(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", value);
  return text.data();
}

std::string moment_text(const recorded_process& process, std::int64_t ns) {
  return fixed_text(process.since_start(ns), 6) + " s";
}

std::string ids_text(const trace_record& record) {
  std::string text;
  const auto put = [&](const char* name, std::uint64_t id) {
    if (id != no_id)
      add_part(text, name + std::to_string(id));
  };
  const auto ids = ids_of(record);
  if (record.kind != trace_kind::sample)
    put("sample ", ids.sample);
  put("batch ", ids.batch);
  put("step ", ids.step);
  put("snapshot ", ids.version);
  return text;
}

std::string record_text(const recorded_process& process, const trace_record& record) {
  auto text = subject_of(process, record);
  if (const auto ids = ids_text(record); !ids.empty())
    text += " (" + ids + ")";
  if (record.bytes > 0 && record.kind != trace_kind::spawn && record.kind != trace_kind::exit)
    text += ", " + bytes_text(static_cast<double>(record.bytes));
  if (const auto times = times_text(record); !times.empty())
    text += "; " + times;
  return text;
}

json record_json(const recorded_process& process, const trace_record& record) {
  json out = {{"process", process.id},
              {"kind", kind_text(record.kind)},
              {"name", process.name(record.name)},
              {"actor", process.name(record.receiver)}};
  if (record.kind == trace_kind::message)
    out["sender"] = record.sender == 0 ? json(nullptr) : json(process.name(record.sender));
  out["message"] = record.message;
  if (record.kind == trace_kind::message || record.kind == trace_kind::link)
    out["cause"] = record.cause;
  out["root"] = record.root;
  out["at_ns"] = record.enqueued_ns - process.started_ns;
  if (const auto wait = wait_of(record))
    out["wait_ns"] = *wait;
  if (const auto handling = handling_of(record))
    out["handling_ns"] = *handling;
  if (record.kind == trace_kind::message)
    out["outcome"] = to_string(record.outcome);
  if (record.kind == trace_kind::value)
    out["value"] =
      std::isfinite(recorded_value(record)) ? json(recorded_value(record)) : json(value_text(recorded_value(record)));
  if (record.kind == trace_kind::sample)
    out.update(json_sample(record));
  out.update(ids_json(ids_of(record)));
  if (record.bytes > 0)
    out["bytes"] = record.bytes;
  return out;
}

std::string why_missing(const recorded_process& process) {
  std::string text;
  const auto add = [&](const std::string& reason) { text += (text.empty() ? "" : "; ") + reason; };
  if (!process.full)
    add("only the newest records are kept with trace.mode: flight; set trace.mode: full");
  if (process.dropped > 0)
    add(count_text(process.dropped) + " records were dropped");
  if (process.cut > 0)
    add("the oldest " + count_text(process.cut) + " records were cut off (trace.max_size)");
  if (process.state == process_state::died)
    add("the process died, maybe before it came to that");
  if (process.state == process_state::running)
    add("the process still runs, and may not have come to that yet");
  return text.empty() ? "it did not happen" : text;
}

} // namespace troupe
