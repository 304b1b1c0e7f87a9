/// The project's message types and verbs, as CAF needs to know them.
#pragma once

#include "messages/checkpoint.hpp"
#include "messages/flow.hpp"
#include "messages/metric.hpp"
#include "messages/run_events.hpp"

#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/type_id.hpp>

#include <cstdint>

// Ours are 300 to 999; plugins start at 1000. Verbs have at most 10 letters.
CAF_BEGIN_TYPE_ID_BLOCK(troupe, 300)
CAF_ADD_ATOM(troupe, troupe, next_atom, "next")         // the next chunk, please
CAF_ADD_ATOM(troupe, troupe, describe_atom, "describe") // open the data set and say what is in it
CAF_ADD_ATOM(troupe, troupe, status_atom, "status")     // how are you?
CAF_ADD_ATOM(troupe, troupe, finish_atom, "finish")     // write what you have, then report and wait
CAF_ADD_ATOM(troupe, troupe, internal_atom, "internal") // to oneself
CAF_ADD_ATOM(troupe, troupe, weigh_atom, "weigh")       // how are samples to be drawn?
CAF_ADD_ATOM(troupe, troupe, keep_atom, "keep")         // what has to be remembered?
CAF_END_TYPE_ID_BLOCK(troupe)

// None of these crosses a process boundary: they carry memory by reference.
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::chunk_ready)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::chunk_done)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::chunk_wanted)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::chunk_read)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::replacement_wanted)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::slice_filled)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::slice_dropped)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::batch_ready)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::buffer_returned)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::serve_range)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::samples_wanted)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::samples_found)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::samples_to_read)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::sampling_settled)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::dataset_opened)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::actor_status)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::snapshot_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::step_completed)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::step_report_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::sampling_answer)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::kept_state)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::plugin_failed)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::end_wanted)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::validation_report)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::checkpoint_saved)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::checkpoint_failed)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::stop_training)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::trainer_ready)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::training_ended)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::buffers_minted)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::snapshot_judged)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::validator_ready)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::batch_rejected)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::bad_sample)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::bad_sample_found)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::notice)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::saver_finished)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::close_log)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::logger_finished)
