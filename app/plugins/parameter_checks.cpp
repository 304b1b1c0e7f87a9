#include "app/plugins/parameter_checks.hpp"

#include "app/plugins/snake_case.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <variant>

namespace troupe {

namespace {

constexpr std::size_t max_text_bytes = 4096;

/// What keeps a config from giving the text; empty: nothing.
std::string text_problem(const std::string& text) {
  if (text.size() > max_text_bytes)
    return fmt::format("has {} bytes, expected at most {}", text.size(), max_text_bytes);
  if (std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }))
    return "has a control character, expected none";
  try {
    static_cast<void>(nlohmann::json(text).dump());
  } catch (const nlohmann::json::exception&) {
    return "is not UTF-8";
  }
  return {};
}

/// Says what is wrong with a default, by its kind; empty: nothing.
struct default_checker {
  const parameter_spec& spec;

  std::string operator()(double x) const {
    if (!std::isfinite(x))
      return fmt::format("its default is {}, expected a finite number", x);
    if (x < spec.low || x > spec.high)
      return fmt::format("its default {} is not within {}..{}", x, spec.low, spec.high);
    return {};
  }
  std::string operator()(std::int64_t x) const { return (*this)(static_cast<double>(x)); }
  std::string operator()(bool) const { return {}; }
  std::string operator()(const std::string& x) const {
    if (const auto problem = text_problem(x); !problem.empty())
      return "its default " + problem;
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

/// Whether there is a value of its kind within the bounds.
bool has_room(const parameter_spec& spec) {
  const bool whole = std::holds_alternative<std::int64_t>(spec.default_value);
  return whole ? std::ceil(spec.low) <= std::floor(spec.high) : spec.low <= spec.high;
}

void check_parameter(const parameter_spec& spec, const parameter_list& list, std::vector<std::string>& out) {
  const auto add = [&](std::string_view what) { out.push_back(fmt::format("parameter \"{}\": {}", spec.name, what)); };
  const auto same = [&spec](const parameter_spec& x) { return x.name == spec.name; };
  if (!is_snake_case(spec.name))
    add(name_rule);
  if (std::count_if(list.begin(), list.end(), same) > 1)
    add("is there twice");
  for (const auto& word : spec.choices)
    if (const auto problem = text_problem(word); !problem.empty())
      add("a choice " + problem);
  if (!has_room(spec)) {
    add(fmt::format("its bounds are {}..{}, with nothing between them", spec.low, spec.high));
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
