#include "actors/support/components/parameters.hpp"

#include <stdexcept>

namespace troupe {

parameters::parameters(const parameter_list& list) {
  for (const auto& each : list)
    values_.emplace(each.name, each.default_value);
}

template <class T>
const T& parameters::at(std::string_view name, const char* kind) const {
  const auto found = values_.find(std::string{name});
  if (found == values_.end())
    throw std::invalid_argument("there is no parameter \"" + std::string{name} + "\"");
  const auto* value = std::get_if<T>(&found->second);
  if (value == nullptr)
    throw std::invalid_argument("parameter \"" + std::string{name} + "\" is not " + kind);
  return *value;
}

double parameters::number(std::string_view name) const {
  return at<double>(name, "a number");
}

std::int64_t parameters::whole(std::string_view name) const {
  return at<std::int64_t>(name, "a whole number");
}

bool parameters::flag(std::string_view name) const {
  return at<bool>(name, "a truth value");
}

const std::string& parameters::text(std::string_view name) const {
  return at<std::string>(name, "a text");
}

const std::vector<double>& parameters::numbers(std::string_view name) const {
  return at<std::vector<double>>(name, "a list of numbers");
}

} // namespace troupe
