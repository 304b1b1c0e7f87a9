/// Which records of a trace are exported: those of some actors, of the last seconds, and no more than there is room for.
#pragma once

#include "actors/tracer/recorded_trace.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

struct record_filter {
  std::optional<std::chrono::nanoseconds> last; ///< Before the end of the trace; none: all of it.
  std::vector<std::string>
    actors; ///< Patterns like "augmenter#*"; records that no such actor sent or got are left out.
};

/// A record on the clock of the export: nanoseconds, 1 or more, since the first process started; 0: never came to that.
struct selected_record {
  trace_record record;
  std::uint32_t process = 0; ///< Index in the trace.

  /// The newest time of it.
  [[nodiscard]] std::int64_t last_ns() const noexcept;
};

/// The newest records of those that passed the filter, by `last_ns`.
struct record_selection {
  std::vector<selected_record> records;
  std::uint64_t num_messages = 0; ///< That passed the filter.
  std::uint64_t num_kept = 0;     ///< Messages among `records`.

  /// Leaves the newest `num_records`.
  void keep_newest(std::size_t num_records);
};

/// What a record takes of the room; 0: it has no place in the export.
using record_cost = std::function<std::uint64_t(const trace_record&)>;

/// Which actors the patterns of a filter mean.
class actor_filter {
public:
  actor_filter(const recorded_trace& trace, const std::vector<std::string>& patterns);
  [[nodiscard]] bool matches(std::uint32_t process, std::uint32_t name) const noexcept;

private:
  std::vector<std::vector<bool>> matches_;
};

/// Reads the records once. Of those that pass the filter, the newest stay whose costs add up to at most `room`; the
/// memory that it takes is that of twice as many.
[[nodiscard]] record_selection select_records(const recorded_trace& trace, const record_filter& filter,
                                              std::uint64_t room, const record_cost& cost);

} // namespace troupe
