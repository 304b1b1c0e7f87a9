#include "app/config/nearest.hpp"

#include <algorithm>

namespace troupe {

namespace {

/// Longer than any name that is worth a guess.
constexpr std::size_t max_name_bytes = 64;

} // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  const auto width = b.size() + 1;
  std::vector<std::size_t> cost((a.size() + 1) * width);
  const auto at = [&cost, width](std::size_t i, std::size_t j) -> std::size_t& { return cost[i * width + j]; };
  for (std::size_t i = 0; i <= a.size(); ++i)
    at(i, 0) = i;
  for (std::size_t j = 0; j <= b.size(); ++j)
    at(0, j) = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  return at(a.size(), b.size());
}

std::size_t tolerated_edits(std::string_view name) noexcept {
  return std::max<std::size_t>(1, name.size() / 3);
}

std::string nearest(std::string_view name, const std::vector<std::string>& names) {
  if (name.size() > max_name_bytes)
    return {};
  std::string best;
  auto best_distance = tolerated_edits(name) + 1;
  for (const auto& candidate : names)
    if (const auto distance = edit_distance(name, candidate); distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  return best;
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const auto& name : names) {
    if (!out.empty())
      out += ", ";
    out += name;
  }
  return out;
}

} // namespace troupe
