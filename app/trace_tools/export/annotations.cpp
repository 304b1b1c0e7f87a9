#include "app/trace_tools/export/annotations.hpp"

namespace troupe {

annotations::annotations(const timeline_event& event, const trace_record& record) {
  if (record.message != 0)
    add(annotation_key::message, record.message);
  if (event.kind == event_kind::wait)
    return;
  if (record.sender != 0)
    add(annotation_key::from, record.sender);
  if (record.kind == trace_kind::sample)
    add_sample(to_sample(record));
  else if (record.kind != trace_kind::spawn && record.kind != trace_kind::exit)
    add_subject(event, record);
}

void annotations::add_subject(const timeline_event& event, const trace_record& record) noexcept {
  add_id(annotation_key::sample, record.sample);
  add_id(annotation_key::batch, record.batch);
  add_id(annotation_key::step, record.step);
  add_id(annotation_key::version, record.version);
  if (record.bytes != 0)
    add(annotation_key::bytes, record.bytes);
  if (event.kind == event_kind::handling && record.dequeued_ns > record.enqueued_ns)
    add(annotation_key::wait_us, static_cast<std::uint64_t>(record.dequeued_ns - record.enqueued_ns));
  if (record.outcome != trace_outcome::handled)
    add(annotation_key::outcome, static_cast<std::uint64_t>(record.outcome));
}

void annotations::add_id(annotation_key key, std::uint64_t number) noexcept {
  if (number != no_id)
    add(key, number);
}

void annotations::add_sample(const recorded_sample& sample) noexcept {
  add_id(annotation_key::sample, sample.sample);
  add_id(annotation_key::batch, sample.batch);
  add(annotation_key::bytes, sample.bytes);
  if (sample.bad)
    add(annotation_key::outcome, static_cast<std::uint64_t>(trace_outcome::threw));
  add_id(annotation_key::epoch, sample.epoch);
  add_id(annotation_key::slot, sample.slot);
  add(annotation_key::pixel_hash, sample.pixel_hash);
}

} // namespace troupe
