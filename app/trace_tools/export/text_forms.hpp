/// Names, which may be any bytes, as the formats take them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

struct recorded_trace;

/// The same text as UTF-8: what is none is replaced by U+FFFD.
[[nodiscard]] std::string utf8_text(std::string_view text);

/// A JSON string with its quotes: UTF-8, control characters escaped.
[[nodiscard]] std::string json_text(std::string_view text);

/// A cell of a CSV file, quoted where that is necessary (RFC 4180). Any bytes.
[[nodiscard]] std::string csv_text(std::string_view text);

/// Text for Mermaid: on one line, and without a character that means something there.
[[nodiscard]] std::string mermaid_text(std::string_view text);

/// The names of all processes of a trace in one form, made once.
class formed_names {
public:
  formed_names(const recorded_trace& trace, std::string (*form)(std::string_view));
  /// @param process Index in the trace.
  [[nodiscard]] const std::string& of(std::uint32_t process, std::uint32_t name) const noexcept;

private:
  std::vector<std::vector<std::string>> names_;
  std::string other_;
};

} // namespace troupe
