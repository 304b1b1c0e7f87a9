#include "app/trace_tools/remake/selector.hpp"

#include <charconv>

namespace troupe {

expected<std::uint64_t> number_of(std::string_view what, const std::string& text) {
  const auto prefix = std::string(what) + ":";
  std::uint64_t number = 0;
  const auto* end = text.data() + text.size();
  if (text.starts_with(prefix))
    if (const auto [stop, error] = std::from_chars(text.data() + prefix.size(), end, number);
        error == std::errc{} && stop == end)
      return number;
  return failure{ec::bad_config, "\"" + text + "\", expected " + prefix + "N with a whole number N"};
}

} // namespace troupe
