#include "actors/plugin/testing_values.hpp"

#include <algorithm>

namespace troupe::testing {

namespace {

[[noreturn]] void refuse(const parameter_spec& spec, const std::string& why) {
  throw std::invalid_argument("parameter \"" + spec.name + "\": " + why);
}

void check_number(const parameter_spec& spec, double x) {
  if (!(x >= spec.low && x <= spec.high))
    refuse(spec, std::to_string(x) + " is not in " + std::to_string(spec.low) + ".." + std::to_string(spec.high));
}

struct checker {
  const parameter_spec& spec;

  void operator()(double x) const { check_number(spec, x); }
  void operator()(std::int64_t x) const { check_number(spec, static_cast<double>(x)); }
  void operator()(bool) const {}
  void operator()(const std::string& x) const {
    if (!spec.choices.empty() && std::find(spec.choices.begin(), spec.choices.end(), x) == spec.choices.end())
      refuse(spec, "\"" + x + "\" is not one of the choices");
  }
  void operator()(const std::vector<double>& list) const {
    if (list.size() > spec.max_items)
      refuse(spec, std::to_string(list.size()) + " items are more than " + std::to_string(spec.max_items));
    for (const double x : list)
      check_number(spec, x);
  }
};

parameter_value checked(const parameter_spec& spec, parameter_value value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value); whole && spec.default_value.index() == 0)
    value = static_cast<double>(*whole);
  if (value.index() != spec.default_value.index())
    refuse(spec, "the value is of another kind than the default");
  std::visit(checker{spec}, value);
  return value;
}

} // namespace

parameters values_of(const parameter_list& list, const settings& given) {
  parameters values(list);
  for (const auto& [name, value] : given) {
    const auto found = std::find_if(list.begin(), list.end(), [&n = name](const auto& spec) { return spec.name == n; });
    if (found == list.end())
      throw std::invalid_argument("there is no parameter \"" + name + "\"");
    values.set(name, checked(*found, value));
  }
  return values;
}

} // namespace troupe::testing
