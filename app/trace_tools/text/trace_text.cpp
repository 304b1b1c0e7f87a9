#include "app/trace_tools/text/trace_text.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <nlohmann/json.hpp>
#include <ostream>
#include <span>

namespace troupe {

namespace {

/// Three digits of a number and the unit that fits.
std::string scaled(double value, std::span<const char* const> units) {
  std::size_t unit = 0;
  for (; value >= 999.5 && unit + 1 < units.size(); ++unit)
    value /= 1000;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), value >= 99.95 || unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
  return text.data();
}

} // namespace

std::string time_text(std::uint64_t ns) {
  static constexpr std::array units = {"ns", "us", "ms", "s"};
  return scaled(static_cast<double>(ns), units);
}

std::string seconds_text(double seconds) {
  return time_text(static_cast<std::uint64_t>(std::max(seconds, 0.0) * 1e9 + 0.5));
}

std::string share_text(double share) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f %%", share * 100);
  return text.data();
}

std::string count_text(std::uint64_t count) {
  auto text = std::to_string(count);
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3)
    text.insert(static_cast<std::size_t>(at), ",");
  return text;
}

std::string hash_text(std::uint64_t hash) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "0x%016llx", static_cast<unsigned long long>(hash));
  return text.data();
}

std::string utc_text(std::int64_t realtime_ns, const char* form) {
  const auto seconds = static_cast<std::time_t>(realtime_ns / 1'000'000'000);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  std::array<char, 64> text{};
  std::strftime(text.data(), text.size(), form, &parts);
  return text.data();
}

std::string killed_text(int signal) {
  const auto* name = sigabbrev_np(signal);
  return "killed by " + (name != nullptr ? std::string{"SIG"} + name : std::string{"signal"}) + " ("
         + std::to_string(signal) + ")";
}

void print_table(const std::vector<std::vector<std::string>>& rows, std::size_t num_text_columns, std::ostream& out) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - row[i].size(), ' ');
      line += (i == 0 ? "" : "  ") + (i < num_text_columns ? row[i] + padding : padding + row[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
  }
}

void print_json(const nlohmann::ordered_json& value, std::ostream& out) {
  out << value.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
}

} // namespace troupe
