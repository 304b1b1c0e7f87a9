#include "app/plugins/parameter_checks.hpp"

#include "app/plugins/offer_checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace troupe {

namespace {

/// Keys that stand beside a component's own.
constexpr std::array<std::string_view, 3> reserved{"instances", "validation", "on_failure"};

/// Says what is wrong with a default, by its kind; empty: nothing.
struct default_checker {
  const parameter_spec& spec;

  std::string operator()(double x) const {
    if (std::isnan(x))
      return "its default is not a number";
    if (x < spec.low || x > spec.high)
      return fmt::format("its default {} is not within {}..{}", x, spec.low, spec.high);
    return {};
  }
  std::string operator()(std::int64_t x) const { return (*this)(static_cast<double>(x)); }
  std::string operator()(bool) const { return {}; }
  std::string operator()(const std::string& x) const {
    const auto& words = spec.choices;
    if (words.empty() || std::find(words.begin(), words.end(), x) != words.end())
      return {};
    return fmt::format("its default \"{}\" is none of its choices {}", x, fmt::join(words, ", "));
  }
  std::string operator()(const std::vector<double>& list) const {
    if (list.size() > spec.max_items)
      return fmt::format("its default has {} numbers, expected at most {}", list.size(), spec.max_items);
    for (const auto x : list)
      if (auto problem = (*this)(x); !problem.empty())
        return problem;
    return {};
  }
};

void check_parameter(const parameter_spec& spec, const parameter_list& list, std::vector<std::string>& out) {
  const auto add = [&](std::string_view what) { out.push_back(fmt::format("parameter \"{}\": {}", spec.name, what)); };
  const auto same = [&spec](const parameter_spec& x) { return x.name == spec.name; };
  if (!is_snake_case(spec.name))
    add("expected a name of lower-case letters, digits and underscores, a letter first");
  if (std::find(reserved.begin(), reserved.end(), spec.name) != reserved.end())
    add(fmt::format("is called like a key of Troupe's, expected none of {}", fmt::join(reserved, ", ")));
  if (std::count_if(list.begin(), list.end(), same) > 1)
    add("is there twice");
  if (!(spec.low <= spec.high)) {
    add(fmt::format("its bounds are {}..{}", spec.low, spec.high));
    return;
  }
  if (const auto problem = std::visit(default_checker{spec}, spec.default_value); !problem.empty())
    add(problem);
}

} // namespace

std::vector<std::string> parameter_problems(const parameter_list& list) {
  std::vector<std::string> out;
  for (const auto& each : list)
    check_parameter(each, list, out);
  return out;
}

} // namespace troupe
