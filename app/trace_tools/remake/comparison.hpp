/// Samples that were made again, beside what the trace says of them.
#pragma once

#include "app/trace_tools/remake/run_data.hpp"

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace troupe {

struct comparison {
  std::uint64_t num_samples = 0;
  std::uint64_t num_checked = 0;        ///< Their hashes were recorded.
  std::uint64_t num_same = 0;           ///< Of those.
  std::string change;                   ///< Of the data since the run; empty: none is known.
  std::vector<std::string> differences; ///< A line for each sample that is not as it was, or cannot be made.

  [[nodiscard]] bool differs() const noexcept { return !differences.empty(); }
};

/// Compares each sample's hash with the recorded one. Of those that differ it tells whether their files have changed
/// since `since_realtime_ns` (since 1970; 0: not known). `change`: as `run_data::change` tells.
[[nodiscard]] comparison compare(const std::vector<remade_sample>& samples, std::int64_t since_realtime_ns,
                                 const std::string& change);

/// What has changed since the run; "reproduced exactly: 128 of 128 samples", or what differs, a line each. `why_unchecked` tells why there are samples
/// without hashes.
void print_text(const comparison& found, const std::string& why_unchecked, std::ostream& out);

/// A table of the samples: slot, id, class, file, and what was drawn for them.
void print_samples(const std::vector<remade_sample>& samples, std::ostream& out);

/// Adds "data_change" (null: none), "num_samples", "num_checked", "num_same", "differences" and "samples" to a JSON object. Hashes are texts,
/// "0x..."
void add_json(const comparison& found, const std::vector<remade_sample>& samples, nlohmann::ordered_json& to);

} // namespace troupe
