#include "app/trace_tools/story/batch_trail.hpp"

#include <algorithm>

namespace troupe {

void batch_trails::take(const trace_record& record) {
  if (record.batch == no_id)
    return;
  if (record.kind == trace_kind::message) {
    take_message(record);
  } else if (record.kind == trace_kind::sample) {
    if (auto* trail = trail_of(record))
      trail->samples.push_back(record);
  } else if (record.kind == trace_kind::span) {
    const bool waits = record.name == names_->waits_for_batch || record.name == names_->waits_for_first_batch;
    if (waits || record.name == names_->trains)
      if (auto* trail = trail_of(record))
        (waits ? trail->waited : trail->trains) = record;
  } else if (record.kind == trace_kind::value) {
    take_step(record);
  }
}

void batch_trails::take_message(const trace_record& record) {
  if (record.name == names_->step_completed) {
    take_step(record);
    return;
  }
  const auto& n = *names_;
  const bool of_chunk = record.name == n.chunk_wanted || record.name == n.chunk_read || record.name == n.chunk_ready
                        || record.name == n.slice_filled || record.name == n.chunk_done;
  if (!of_chunk && record.name != n.batch_ready)
    return;
  auto* trail = trail_of(record);
  if (trail == nullptr)
    return;
  if (of_chunk)
    trail->chunks.push_back(record);
  else
    trail->ready = record;
}

batch_trail* batch_trails::trail_of(const trace_record& record) {
  const batch_key key{names_->of_validation(record.receiver), record.batch};
  if (!key.of_validation && key.batch >= first_ && key.batch <= last_)
    return &trails_[key];
  const auto found = trails_.find(key);
  return found == trails_.end() ? nullptr : &found->second;
}

void batch_trails::take_step(const trace_record& record) {
  if (record.kind == trace_kind::value && record.receiver != names_->trainer)
    return;
  for (auto& [key, trail] : trails_) {
    if (key.of_validation)
      return; // They come after those of training.
    if (record.batch > key.batch)
      trail.first_of_next = std::min(trail.first_of_next, record.batch);
    else if (trail.first_of_step == no_id || record.batch >= trail.first_of_step)
      put_step(record, trail);
  }
}

void batch_trails::put_step(const trace_record& record, batch_trail& trail) {
  if (record.batch != trail.first_of_step) {
    trail.first_of_step = record.batch;
    trail.step.reset();
    trail.loss.reset();
    trail.learning_rate.reset();
  }
  if (record.kind == trace_kind::message)
    trail.step = record;
  else if (record.name == names_->loss)
    trail.loss = recorded_value(record);
  else if (record.name == names_->learning_rate)
    trail.learning_rate = recorded_value(record);
}

void batch_trails::settle() {
  for (auto& [key, trail] : trails_) {
    if (!trail.step || trail.first_of_step == key.batch || trail.first_of_next != no_id)
      continue;
    // No later step says where this one ends: what it was made of came before its end.
    if (trail.ready && trail.ready->dequeued_ns <= trail.step->enqueued_ns)
      continue;
    trail.step.reset();
    trail.loss.reset();
    trail.learning_rate.reset();
  }
}

const batch_trail* batch_trails::find(const batch_key& key) const {
  const auto found = trails_.find(key);
  return found == trails_.end() || found->second.empty() ? nullptr : &found->second;
}

} // namespace troupe
