/// The parameters of a component: what it takes, and what a config gave it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace troupe {

/// A number, a whole number, a truth value, a text or word, or a list of numbers.
using parameter_value = std::variant<double, std::int64_t, bool, std::string, std::vector<double>>;

/// One parameter, as a config, its checks and its reference need to know it. The kind is that of `default_value`.
struct parameter_spec {
  std::string name; ///< snake_case
  std::string about;
  parameter_value default_value;
  double low = -std::numeric_limits<double>::infinity(); ///< Of numbers; included.
  double high = std::numeric_limits<double>::infinity(); ///< Of numbers; included.
  std::vector<std::string> choices = {};                 ///< The words that a text may be; empty: any.
  std::size_t max_items = 64;                            ///< Of a list.
  std::string unit = {};                                 ///< "pixels"; empty: none.

  parameter_spec& in(std::string x) {
    unit = std::move(x);
    return *this;
  }
};

using parameter_list = std::vector<parameter_spec>;

/// How a plugin writes its parameters down: `param::number("clip", 2, 0.1, 100, "Bound on the contrast.")`.
namespace param {

[[nodiscard]] inline parameter_spec number(std::string name, double value, double low, double high, std::string about) {
  return {std::move(name), std::move(about), value, low, high};
}
[[nodiscard]] inline parameter_spec whole(std::string name, std::int64_t value, std::int64_t low, std::int64_t high,
                                          std::string about) {
  return {std::move(name), std::move(about), value, static_cast<double>(low), static_cast<double>(high)};
}
[[nodiscard]] inline parameter_spec flag(std::string name, bool value, std::string about) {
  return {std::move(name), std::move(about), value};
}
[[nodiscard]] inline parameter_spec text(std::string name, std::string value, std::string about) {
  return {std::move(name), std::move(about), std::move(value)};
}
[[nodiscard]] inline parameter_spec choice(std::string name, std::string value, std::vector<std::string> words,
                                           std::string about) {
  parameter_spec spec{std::move(name), std::move(about), std::move(value)};
  spec.choices = std::move(words);
  return spec;
}
[[nodiscard]] inline parameter_spec numbers(std::string name, std::vector<double> value, double low, double high,
                                            std::string about) {
  return {std::move(name), std::move(about), std::move(value), low, high};
}

} // namespace param

/// Values by name; each parameter of the list that they were made of has one.
class parameters {
public:
  parameters() = default;
  /// Every parameter of `list` at its default.
  explicit parameters(const parameter_list& list);

  void set(const std::string& name, parameter_value value) { values_[name] = std::move(value); }
  [[nodiscard]] const std::map<std::string, parameter_value>& all() const noexcept { return values_; }

  // The value of that name. Throws std::invalid_argument if there is none, or it is of another kind.
  [[nodiscard]] double number(std::string_view name) const;
  [[nodiscard]] std::int64_t whole(std::string_view name) const;
  [[nodiscard]] bool flag(std::string_view name) const;
  [[nodiscard]] const std::string& text(std::string_view name) const;
  [[nodiscard]] const std::vector<double>& numbers(std::string_view name) const;

  friend bool operator==(const parameters&, const parameters&) = default;

private:
  template <class T>
  [[nodiscard]] const T& at(std::string_view name, const char* kind) const;

  std::map<std::string, parameter_value> values_;
};

/// A component that a config names, with its parameters.
struct component_use {
  std::string name;
  parameters values;
  friend bool operator==(const component_use&, const component_use&) = default;
};

} // namespace troupe
