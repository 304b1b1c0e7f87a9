/// A run's trace in the formats of other tools.
#pragma once

#include "actors/support/expected.hpp"
#include "app/trace_tools/export/record_selection.hpp"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace troupe {

enum class export_format : std::uint8_t { chrome, perfetto, mermaid, csv };

struct export_options {
  export_format format = export_format::chrome;
  record_filter filter;
  std::uint64_t max_bytes = 200'000'000;
  std::uint64_t max_arrows = 60; ///< Of a Mermaid diagram; with `filter.last` only its size counts.
};

/// Mermaid refuses longer texts.
inline constexpr std::uint64_t max_mermaid_bytes = 50'000;

struct export_report {
  std::uint64_t num_messages = 0; ///< In the file,
  std::uint64_t num_selected = 0; ///< of those that passed the filter.
  std::uint64_t num_bytes = 0;
};

/// Writes what passes the filter to `out`. Where that is more than there is room for, the newest part of it. Takes memory
/// in proportion to what it writes, however long the trace is. Errors: bad_config if not even the names find room.
[[nodiscard]] expected<export_report> export_trace(const recorded_trace& trace, const export_options& options,
                                                   std::ostream& out);

/// What is not in the file, one sentence each: cut by the room that there was, dropped by the recorder, or never kept.
[[nodiscard]] std::vector<std::string> losses(const recorded_trace& trace, const export_options& options,
                                              const export_report& report);

} // namespace troupe
