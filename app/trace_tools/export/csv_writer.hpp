/// Records as a table. One line per record, by the time when it was done with, under a line of headings (RFC 4180):
///
///   process       id of the process, 16 hex digits; message ids are unique within it
///   kind          message link mark spawn exit span value sample
///   name          type of the message; name of the mark, span or value; reason of the exit
///   sender        of a message; empty: no actor
///   receiver      of a message; else the actor that it is about
///   outcome       handled dropped threw skipped never_handled; of messages and samples
///   enqueued_ns   since the first process started; of what is no message: when it was, or began
///   dequeued_ns   empty, as any number here, where it never came to that
///   ended_ns
///   wait_ns       dequeued_ns - enqueued_ns, of messages
///   handling_ns   ended_ns - dequeued_ns: of messages in the handler, of spans and samples as a whole
///   message       id; of what is no message: of the one that was being handled
///   cause         of a message: the one that was being handled when it was sent; of a link: what `message` was made of
///   root          first message of the chain of causes
///   sample batch step version   ids that it is about
///   bytes         bulk data handed over; encoded bytes of a sample
///   flags         request response urgent, separated by "+"
///   value         of a value
///   epoch slot pixel_hash       of a sample
///   caf_id        of the actor, at spawn and exit
#pragma once

#include "app/trace_tools/export/byte_sink.hpp"
#include "app/trace_tools/export/record_selection.hpp"

namespace troupe {

/// Returns the share of the records that it got to: 1 unless `sink` had enough.
double write_csv(const recorded_trace& trace, const std::vector<selected_record>& records, byte_sink& sink);

} // namespace troupe
