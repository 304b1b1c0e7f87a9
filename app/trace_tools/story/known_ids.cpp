#include "app/trace_tools/story/known_ids.hpp"

#include <algorithm>

namespace troupe {

namespace {

void add(std::uint64_t id, id_range& to) {
  if (id != no_id)
    to = to ? std::pair{std::min(to->first, id), std::max(to->second, id)} : std::pair{id, id};
}

std::string range_text(const char* what, const id_range& range) {
  if (!range)
    return std::string{"no "} + what;
  return std::string{what} + " " + std::to_string(range->first) + " to " + std::to_string(range->second);
}

const char* plural(subject_kind kind) {
  switch (kind) {
  case subject_kind::sample:
  case subject_kind::file:
    return "samples";
  case subject_kind::batch:
    return "batches";
  case subject_kind::step:
    return "steps";
  case subject_kind::checkpoint:
    return "checkpoints";
  case subject_kind::message:
    break;
  }
  return "messages";
}

void take(const trace_record& record, subject_kind kind, found_ids& to) {
  const bool is_sample = record.kind == trace_kind::sample;
  if (kind == subject_kind::message) {
    if (record.kind == trace_kind::message)
      add(record.message, to.ids);
  } else if (kind == subject_kind::batch) {
    add(record.batch, to.ids);
  } else if (kind == subject_kind::step || kind == subject_kind::checkpoint) {
    if (!is_sample)
      add(kind == subject_kind::step ? record.step : record.version, to.ids);
  } else if (is_sample) {
    add(record.sample, to.ids);
    add(to_sample(record).epoch + 1, to.epochs);
  }
}

} // namespace

std::string found_ids::text() const {
  return range_text(what, ids) + (epochs ? " of " + range_text("epochs", epochs) : std::string{});
}

found_ids known_ids(const recorded_trace& trace, subject_kind kind) {
  found_ids found{plural(kind), {}, {}};
  for (const auto& process : trace.processes)
    visit_records(process, [&](const trace_record& record) { take(record, kind, found); });
  return found;
}

} // namespace troupe
