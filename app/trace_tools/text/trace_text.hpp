/// How the trace tools write numbers and tables.
#pragma once

#include "actors/support/figures.hpp"

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace troupe {

/// "3.1 ms": three digits and the unit that fits.
[[nodiscard]] std::string time_text(std::uint64_t ns);
/// The same for seconds; below 0: 0.
[[nodiscard]] std::string seconds_text(double seconds);
/// "12.5 %"
[[nodiscard]] std::string share_text(double share);
/// "1,203,441"
[[nodiscard]] std::string count_text(std::uint64_t count);
/// "0x00000000000000ff"
[[nodiscard]] std::string hash_text(std::uint64_t hash);

/// A time since 1970 in UTC, in the form of strftime.
[[nodiscard]] std::string utc_text(std::int64_t realtime_ns, const char* form);

/// "killed by SIGABRT (6)"
[[nodiscard]] std::string killed_text(int signal);

/// A table whose columns are as wide as their widest cell. The first row is the heading.
/// @param num_text_columns The first so many are flush left, the others flush right.
void print_table(const std::vector<std::vector<std::string>>& rows, std::size_t num_text_columns, std::ostream& out);

/// Writes JSON, indented; names and paths are bytes: what is no UTF-8 in them is replaced.
void print_json(const nlohmann::ordered_json& value, std::ostream& out);

} // namespace troupe
