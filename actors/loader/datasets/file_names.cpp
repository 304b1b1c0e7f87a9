#include "actors/loader/datasets/file_names.hpp"

#include "actors/support/imaging/image_format.hpp"

#include <cstddef>

namespace troupe {

namespace {

/// Returns how many bytes the UTF-8 character at the start of `text` has; 0 if there is none (RFC 3629). Of what the
/// first two bytes can be, overlong forms, surrogates and numbers above 10FFFF are left out.
std::size_t utf8_length(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const auto first = byte(0);
  if (first < 0x80)
    return 1;
  if (first >= 0xC2 && first <= 0xDF)
    return follows(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const bool allowed = first == 0xE0 ? byte(1) >= 0xA0 : first == 0xED ? byte(1) <= 0x9F : true;
    return allowed && follows(1) && follows(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const bool allowed = first == 0xF0 ? byte(1) >= 0x90 : first == 0xF4 ? byte(1) <= 0x8F : true;
    return allowed && follows(1) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

void add_escaped(char byte, std::string& out) {
  constexpr std::string_view digits = "0123456789abcdef";
  const auto value = static_cast<unsigned char>(byte);
  out.append("\\x").append(1, digits[value >> 4]).append(1, digits[value & 15]);
}

} // namespace

bool is_image_name(std::string_view name) noexcept {
  const auto dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || name[0] == '.')
    return false;
  return promised_format(name) != image_format::unknown;
}

bool is_clutter(std::string_view name) noexcept {
  return name.substr(0, 1) == "." || name == "__MACOSX";
}

std::string_view base_name(std::string_view path) noexcept {
  return path.substr(path.rfind('/') + 1); // No slash: npos + 1 is 0.
}

std::string printable_path(std::string_view path) {
  std::string out;
  while (!path.empty()) {
    const auto length = utf8_length(path);
    const bool control = static_cast<unsigned char>(path[0]) < 0x20 || path[0] == 0x7F;
    if (length == 0 || control)
      add_escaped(path[0], out);
    else
      out += path.substr(0, length);
    path.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

} // namespace troupe
