#include "actors/logger/csv_text.hpp"

#include <charconv>
#include <cmath>
#include <utility>

namespace troupe {

namespace {

void append_field(std::string& line, std::string_view field) {
  if (field.find_first_of(",\"\r\n") == std::string_view::npos) {
    line += field;
    return;
  }
  line += '"';
  for (const char c : field) {
    if (c == '"')
      line += '"';
    line += c;
  }
  line += '"';
}

} // namespace

std::string csv_line(const csv_fields& fields) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0)
      line += ',';
    append_field(line, fields[i]);
  }
  line += '\n';
  return line;
}

std::optional<csv_record> first_csv_record(std::string_view text) {
  csv_record record;
  std::string field;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (c == '"' && quoted && next == '"') {
      field += '"';
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (quoted || (c != ',' && c != '\n' && !(c == '\r' && next == '\n'))) {
      field += c;
    } else if (c != '\r') {
      record.fields.push_back(std::exchange(field, {}));
      record.num_bytes = i + 1;
      if (c == '\n')
        return record;
    }
  }
  return std::nullopt;
}

std::string csv_number(double value) {
  if (std::isnan(value))
    return "nan";
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

} // namespace troupe
