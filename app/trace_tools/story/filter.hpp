/// `troupe trace filter`: records of a run, by who, what and how long.
#pragma once

#include "actors/tracer/recorded_trace.hpp"

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

/// By what the largest records are found.
enum class filter_order : std::uint8_t { time, wait, handling, value, bytes };

/// A record must meet all of them.
struct filter_options {
  std::string actor = "*"; ///< Pattern as of a shell; of the sender or the receiver.
  std::string type = "*";  ///< Pattern; of message types, marks, spans, values, reasons of exits.
  std::optional<trace_kind> kind = {};
  std::optional<trace_outcome> outcome = {};
  std::optional<std::uint64_t> sample = {};
  std::optional<std::uint64_t> batch = {};
  std::optional<std::uint64_t> step = {};
  std::optional<std::uint64_t> version = {};
  std::optional<std::uint64_t> min_wait_ns = {};
  std::optional<std::uint64_t> min_handling_ns = {};
  std::optional<std::uint64_t> after_ns = {}; ///< Since the start of the process.
  std::optional<std::uint64_t> before_ns = {};
  filter_order order = filter_order::time; ///< `time`: the first ones; else the largest ones.
  std::size_t limit = 50;
};

struct filtered_record {
  std::size_t process = 0; ///< Index in the trace.
  trace_record record;
};

struct filter_result {
  const recorded_trace* trace = nullptr;
  filter_order order = filter_order::time;
  std::vector<filtered_record> records; ///< In time order, or the largest first.
  std::uint64_t num_matches = 0;        ///< With those that are left out.
};

/// Looks through all records of `trace`, which must outlive the result. Keeps no more than `limit` of them.
[[nodiscard]] filter_result filter(const recorded_trace& trace, const filter_options& options);

void print_text(const filter_result& result, std::ostream& out);
void print_json(const filter_result& result, std::ostream& out);

} // namespace troupe
