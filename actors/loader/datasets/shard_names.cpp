#include "actors/loader/datasets/shard_names.hpp"

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace troupe {

namespace {

constexpr std::uint64_t max_names = 1'000'000;

/// A range in the middle of a name.
struct range {
  std::string_view before;
  std::string_view after;
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  std::size_t digits = 0;
};

std::optional<std::uint64_t> number_of(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// Returns the first range of the name.
std::optional<range> find_range(std::string_view name) {
  for (auto open = name.find('{'); open != std::string_view::npos; open = name.find('{', open + 1)) {
    const auto close = name.find('}', open);
    const auto dots = name.find("..", open);
    if (close == std::string_view::npos || dots == std::string_view::npos || dots > close)
      continue;
    const auto low = number_of(name.substr(open + 1, dots - open - 1));
    const auto high = number_of(name.substr(dots + 2, close - dots - 2));
    if (low && high)
      return range{name.substr(0, open), name.substr(close + 1), *low, *high, dots - open - 1};
  }
  return std::nullopt;
}

expected<void> expand(const std::string& front, std::string_view name, std::vector<std::string>& out) {
  const auto found = find_range(name);
  if (!found) {
    out.push_back(front + std::string(name));
    return {};
  }
  if (found->low > found->high || found->high - found->low >= max_names - out.size())
    return failure{ec::bad_config, "loader: shards \"" + front + std::string(name) + "\": the range "
                                     + std::to_string(found->low) + ".." + std::to_string(found->high)
                                     + ", expected a rising one; at most " + std::to_string(max_names) + " shards"};
  for (auto number = found->low; number <= found->high; ++number) {
    auto digits = std::to_string(number);
    if (digits.size() < found->digits)
      digits.insert(0, found->digits - digits.size(), '0');
    if (auto ok = expand(front + std::string(found->before) + digits, found->after, out); !ok)
      return ok;
  }
  return {};
}

} // namespace

expected<std::vector<std::string>> expand_shard_names(const std::vector<std::string>& patterns) {
  std::vector<std::string> out;
  for (const auto& pattern : patterns)
    if (auto ok = expand({}, pattern, out); !ok)
      return ok.error();
  return out;
}

} // namespace troupe
