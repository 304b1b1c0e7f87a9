#include "app/config/source_text.hpp"

#include "app/config/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <system_error>

namespace troupe {

namespace {

/// Returns the number of bytes of the UTF-8 sequence that `text` starts with; 0: not UTF-8. Ranges: RFC 3629, 4.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [text](std::size_t i) -> unsigned { return static_cast<unsigned char>(text[i]); };
  const auto first = byte(0);
  if (first < 0x80)
    return 1;
  const std::size_t length = first >= 0xC2 && first <= 0xDF   ? 2
                             : first >= 0xE0 && first <= 0xEF ? 3
                             : first >= 0xF0 && first <= 0xF4 ? 4
                                                              : 0;
  if (length == 0 || text.size() < length)
    return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0u) != 0x80u)
      return 0;
  const bool overlong = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
  const bool surrogate = first == 0xED && byte(1) > 0x9F;
  const bool too_large = first == 0xF4 && byte(1) > 0x8F;
  return overlong || surrogate || too_large ? 0 : length;
}

bool is_forbidden_control(unsigned char byte) {
  return (byte < 0x20 && byte != '\n' && byte != '\r' && byte != '\t') || byte == 0x7F;
}

position place(const position& start, std::string_view text, std::size_t offset) {
  if (start.line == 0)
    return start;
  const auto before = text.substr(0, offset);
  const auto newline = before.rfind('\n');
  const auto line = std::count(before.begin(), before.end(), '\n');
  const auto column = newline == std::string_view::npos ? offset : offset - newline - 1;
  return {start.source, static_cast<int>(line) + 1, static_cast<int>(column) + 1};
}

/// Returns the offset of the first tab that indents something; comments and blank lines do not count.
std::optional<std::size_t> find_indenting_tab(std::string_view text) {
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    const auto line = text.substr(begin, end - begin);
    const auto first = line.find_first_not_of(" \t\r");
    const auto tab = line.find('\t');
    if (first != std::string_view::npos && line[first] != '#' && tab < first)
      return begin + tab;
    begin = end + 1;
  }
  return std::nullopt;
}

} // namespace

expected<std::string> read_source(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found)
    return failure{ec::not_found, fmt::format("{}: no such file, expected a config", path.string())};
  if (std::filesystem::is_directory(status))
    return failure{ec::bad_config, fmt::format("{}: is a folder, expected a config file", path.string())};
  std::ifstream in{path, std::ios::binary};
  std::string text(max_source_bytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (in.bad() || (in.fail() && !in.eof()))
    return failure{ec::io_error, fmt::format("{}: cannot be read, expected a readable config file", path.string())};
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > max_source_bytes)
    return failure{ec::bad_config,
                   fmt::format("{}: is larger than {} bytes, too large for a config", path.string(), max_source_bytes)};
  return text;
}

bool check_source(std::string_view text, const position& start, problem_list& problems) {
  for (std::size_t i = 0; i < text.size();) {
    const auto length = utf8_length(text.substr(i));
    const auto byte = static_cast<unsigned char>(text[i]);
    if (length == 0) {
      problems.add(place(start, text, i), "", fmt::format("byte 0x{:02x} is not UTF-8; save the file as UTF-8", byte));
      return false;
    }
    if (is_forbidden_control(byte)) {
      problems.add(place(start, text, i), "", fmt::format("control character 0x{:02x}, expected text", byte));
      return false;
    }
    i += length;
  }
  if (const auto tab = find_indenting_tab(text)) {
    problems.add(place(start, text, *tab), "", "a tab indents this line; YAML is indented by spaces only");
    return false;
  }
  return true;
}

} // namespace troupe
