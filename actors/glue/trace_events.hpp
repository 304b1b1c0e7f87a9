/// What a handler may tell the trace besides the messages, which tell themselves: links, marks, spans, numbers, samples.
/// All of them are about the message that the calling thread is handling, cost one record, and do nothing where there is
/// no recorder. Use few different names: they are kept for the life of the process.
#pragma once

#include "actors/glue/trace_record.hpp"
#include "messages/trace_ids.hpp"

#include <chrono>
#include <cstdint>
#include <span>
#include <string_view>

namespace troupe {

/// Says that the message being handled was made of `parents` too: the messages that filled a batch, for example. What
/// the handler sends has the message being handled as its cause, and so all of them as ancestors.
void trace_link(std::span<const std::uint64_t> parents) noexcept;

/// Puts an event with a name, e.g. "checkpoint durable", into the trace.
void trace_mark(std::string_view name, const trace_ids& ids = {}) noexcept;

/// Says what the actor did between two moments: "waits for a batch".
void trace_span(std::string_view name, std::chrono::steady_clock::time_point from,
                std::chrono::steady_clock::time_point until, const trace_ids& ids = {}) noexcept;

/// Puts a number with a name, e.g. a step's "loss", into the trace.
void trace_value(std::string_view name, double value, const trace_ids& ids = {}) noexcept;

/// Puts a sample that was made into the trace.
void trace_sample(const recorded_sample& sample) noexcept;

/// Tells a watchdog which of its message's samples the actor is at.
void trace_progress(std::uint64_t sample) noexcept;

} // namespace troupe
