#include "app/trace_tools/export/actor_order.hpp"

#include "app/trace_tools/analysis/actor_role.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <string_view>
#include <tuple>

namespace troupe {

namespace {

constexpr std::array<std::string_view, 12> roles = {"supervisor", "loader",    "reader",   "augmenter",
                                                    "relay",      "stage",     "collator", "trainer",
                                                    "listener",   "validator", "saver",    "logger"};

using place = std::tuple<bool, std::size_t, bool, std::string, int, std::string>;

place place_of(const std::string& actor) {
  const auto role = role_of(actor);
  const auto known = std::find(roles.begin(), roles.end(), role.role);
  return {known == roles.end(),   static_cast<std::size_t>(known - roles.begin()),
          role.in_validation,     role.part,
          role.index.value_or(0), actor};
}

} // namespace

std::vector<std::uint32_t> actor_places(const recorded_process& process) {
  std::vector<std::uint32_t> numbers(process.names.size());
  std::iota(numbers.begin(), numbers.end(), 0U);
  if (!numbers.empty())
    std::sort(numbers.begin() + 1, numbers.end(),
              [&](auto a, auto b) { return place_of(process.names[a]) < place_of(process.names[b]); });
  std::vector<std::uint32_t> places(numbers.size());
  for (std::uint32_t i = 0; i < numbers.size(); ++i)
    places[numbers[i]] = i;
  return places;
}

std::vector<std::vector<std::uint32_t>> actor_places(const recorded_trace& trace) {
  std::vector<std::vector<std::uint32_t>> all;
  for (const auto& process : trace.processes)
    all.push_back(actor_places(process));
  return all;
}

} // namespace troupe
