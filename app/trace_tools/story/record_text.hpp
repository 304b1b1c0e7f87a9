/// How the stories write one record: as a line, and as JSON.
#pragma once

#include "actors/tracer/recorded_trace.hpp"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace troupe {

/// "message", "mark" ...
[[nodiscard]] const char* kind_text(trace_kind kind) noexcept;

/// Nanoseconds from enqueue to dequeue; nothing if it was never taken up, or is no message.
[[nodiscard]] std::optional<std::uint64_t> wait_of(const trace_record& record) noexcept;

/// Nanoseconds that it was handled for, that a span lasted, or that a sample took; nothing if it never came to an end.
[[nodiscard]] std::optional<std::uint64_t> handling_of(const trace_record& record) noexcept;

/// When it ended, else when it was taken up, else when it was sent.
[[nodiscard]] std::int64_t last_ns_of(const trace_record& record) noexcept;

/// A measured value: six significant digits.
[[nodiscard]] std::string value_text(double value);

/// "12.345678 s" since the start of the process.
[[nodiscard]] std::string moment_text(const recorded_process& process, std::int64_t ns);

/// "sample 4, batch 17, step 3, snapshot 2": what it is about; empty: nothing. A sample's slot and epoch are no such ids.
[[nodiscard]] std::string ids_text(const trace_record& record);

/// "loader -> augmenter#1: chunk_ready (sample 4, batch 17), 61.0 kB; waited 12.0 us, handled in 3.1 ms"
[[nodiscard]] std::string record_text(const recorded_process& process, const trace_record& record);

/// All that a record says, with names for numbers. Times are nanoseconds since the start of the process.
[[nodiscard]] nlohmann::ordered_json record_json(const recorded_process& process, const trace_record& record);

/// Nothing that the process recorded is gone, as far as it got.
[[nodiscard]] bool has_all_records(const recorded_process& process) noexcept;

/// The ids that there are, by name.
[[nodiscard]] nlohmann::ordered_json ids_json(const trace_ids& ids);

/// Reasons for which a record of `process` may be missing, in words; "it did not happen" if there are none.
[[nodiscard]] std::string why_missing(const recorded_process& process);

} // namespace troupe
