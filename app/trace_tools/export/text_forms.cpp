#include "app/trace_tools/export/text_forms.hpp"

#include "actors/tracer/recorded_trace.hpp"

#include <nlohmann/json.hpp>

namespace troupe {

std::string utf8_text(std::string_view text) {
  return nlohmann::json::parse(json_text(text)).get<std::string>();
}

std::string json_text(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string csv_text(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos)
    return std::string{text};
  std::string quoted = "\"";
  for (const char c : text)
    quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

std::string mermaid_text(std::string_view text) {
  std::string result;
  for (const char c : utf8_text(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f)
      result += ' ';
    else if (std::string_view{"#;<>&\"%{}\\`|$~*"}.find(c) != std::string_view::npos)
      result += '#' + std::to_string(byte) + ';';
    else
      result += c;
  }
  return result;
}

formed_names::formed_names(const recorded_trace& trace, std::string (*form)(std::string_view))
  : other_(form("(other)")) {
  for (const auto& process : trace.processes) {
    auto& names = names_.emplace_back();
    for (std::uint32_t i = 0; i < process.names.size(); ++i)
      names.push_back(form(process.name(i)));
  }
}

const std::string& formed_names::of(std::uint32_t process, std::uint32_t name) const noexcept {
  return name < names_[process].size() ? names_[process][name] : other_;
}

} // namespace troupe
