#include "actors/glue/register_messages.hpp"

#include "actors/glue/message_types.hpp"
#include "messages/relay_protocol.hpp"
#include "messages/supervisor_protocol.hpp"
#include "messages/trace_ids.hpp"
#include "messages/tracer_protocol.hpp"
#include "messages/trainer_protocol.hpp"

namespace troupe {

namespace {

trace_ids ids_of(const chunk_ready& x) {
  return troupe::ids_of(x.chunk);
}
trace_ids ids_of(const chunk_done& x) {
  return {.batch = x.batch};
}
trace_ids ids_of(const chunk_wanted& x) {
  return {.sample = x.first_sample, .batch = x.batch};
}
trace_ids ids_of(const chunk_read& x) {
  return troupe::ids_of(x.chunk);
}
trace_ids ids_of(const replacement_wanted& x) {
  return {.batch = x.batch};
}
trace_ids ids_of(const slice_filled& x) {
  return {.batch = x.batch};
}
trace_ids ids_of(const batch_ready& x) {
  return troupe::ids_of(x.batch);
}
trace_ids ids_of(const batch_rejected& x) {
  return troupe::ids_of(x.batch);
}
trace_ids ids_of(const bad_sample& x) {
  return {.sample = x.id};
}
trace_ids ids_of(const bad_sample_found& x) {
  return {.sample = x.sample.id};
}
trace_ids ids_of(const snapshot_judged& x) {
  return {.step = x.step, .version = x.version};
}
trace_ids ids_of(const step_report_ptr& x) {
  return x ? troupe::ids_of(x->step) : trace_ids{};
}
trace_ids ids_of(const samples_wanted& x) {
  return {.sample = x.ids.empty() ? no_id : x.ids.front()};
}
trace_ids ids_of(const samples_found& x) {
  return {.sample = x.samples.empty() ? no_id : x.samples.front().id};
}
trace_ids ids_of(const plugin_failed& x) {
  return {.sample = x.sample};
}
trace_ids ids_of(const training_ended& x) {
  return {.step = x.steps};
}

} // namespace

namespace {

/// What travels around the data loop, and its failures.
void register_flow() {
  const auto with_ids = []<class T>(std::string_view name, const T*) {
    register_message_type(typeid(T), name, [](const void* x) { return ids_of(*static_cast<const T*>(x)); });
  };
  with_ids("chunk_ready", static_cast<const chunk_ready*>(nullptr));
  with_ids("chunk_done", static_cast<const chunk_done*>(nullptr));
  with_ids("chunk_wanted", static_cast<const chunk_wanted*>(nullptr));
  with_ids("chunk_read", static_cast<const chunk_read*>(nullptr));
  with_ids("replacement_wanted", static_cast<const replacement_wanted*>(nullptr));
  with_ids("slice_filled", static_cast<const slice_filled*>(nullptr));
  with_ids("batch_ready", static_cast<const batch_ready*>(nullptr));
  with_ids("batch_rejected", static_cast<const batch_rejected*>(nullptr));
  with_ids("bad_sample", static_cast<const bad_sample*>(nullptr));
  with_ids("bad_sample_found", static_cast<const bad_sample_found*>(nullptr));
  with_ids("snapshot_judged", static_cast<const snapshot_judged*>(nullptr));
  with_ids("step_report", static_cast<const step_report_ptr*>(nullptr));
  with_ids("samples_wanted", static_cast<const samples_wanted*>(nullptr));
  with_ids("samples_found", static_cast<const samples_found*>(nullptr));
  with_ids("plugin_failed", static_cast<const plugin_failed*>(nullptr));
  with_ids("training_ended", static_cast<const training_ended*>(nullptr));
}

} // namespace

void register_messages() {
  register_flow();
  register_message_type<step_completed>("step_completed");
  register_message_type<validation_report>("validation_report");
  register_message_type<checkpoint_saved>("checkpoint_saved");
  register_message_type<checkpoint_failed>("checkpoint_failed");
  register_message_type<snapshot_ptr>("snapshot");
  register_message_type<slice_dropped>("slice_dropped");
  register_message_type<buffer_returned>("buffer_returned");
  register_message_type<serve_range>("serve_range");
  register_message_type<dataset_opened>("dataset_opened");
  register_message_type<actor_status>("actor_status");
  register_message_type<stop_training>("stop_training");
  register_message_type<begin_training>("begin_training");
  register_message_type<trainer_ready>("trainer_ready");
  register_message_type<validator_ready>("validator_ready");
  register_message_type<buffers_minted>("buffers_minted");
  register_message_type<notice>("notice");
  register_message_type<saver_finished>("saver_finished");
  register_message_type<close_log>("close_log");
  register_message_type<logger_finished>("logger_finished");
  register_message_type<signal_received>("signal_received");
  register_message_type<samples_to_read>("samples_to_read");
  register_message_type<sampling_settled>("sampling_settled");
  register_message_type<sampling_answer>("sampling_answer");
  register_message_type<kept_state>("kept_state");
  register_message_type<end_wanted>("end_wanted");
  register_message_type<listeners_now>("listeners_now");
  register_message_type<stages_now>("stages_now");
  register_message_type<flight_written>("flight_written");
  register_message_type<augmenter_actor>("augmenter");
  register_message_type<collator_actor>("collator");
  register_message_type<loader_actor>("loader");
  register_message_type<reader_actor>("reader");
}

} // namespace troupe
