#include "app/config/parameter_keys.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <variant>

namespace troupe {

namespace {

template <class T>
codec<parameter_value> as_parameter(codec<T> values) {
  auto read = [inner = values.read](const node& x, const std::string& path,
                                    problem_list& problems) -> std::optional<parameter_value> {
    auto value = inner(x, path, problems);
    return value ? std::optional<parameter_value>{std::move(*value)} : std::nullopt;
  };
  // A value of another kind, in a config made in code, becomes a text that no parameter takes.
  auto write = [inner = values.write](const parameter_value& x) {
    const auto* value = std::get_if<T>(&x);
    return value ? inner(*value) : std::string{"{}"};
  };
  return {std::move(values.spec), std::move(read), std::move(write)};
}

/// Returns the whole number next to `bound` within it; what lies outside of 64 bits is the end of them.
std::int64_t whole_bound(double bound) {
  constexpr double two_to_63 = 9223372036854775808.0;
  if (bound >= two_to_63)
    return std::numeric_limits<std::int64_t>::max();
  if (bound < -two_to_63)
    return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(bound);
}

/// Makes the codec for the kind of the default value.
struct codec_maker {
  const parameter_spec& spec;

  codec<parameter_value> operator()(double) const { return as_parameter(number({.low = spec.low, .high = spec.high})); }
  codec<parameter_value> operator()(std::int64_t) const {
    return as_parameter(whole<std::int64_t>(whole_bound(std::ceil(spec.low)), whole_bound(std::floor(spec.high))));
  }
  codec<parameter_value> operator()(bool) const { return as_parameter(boolean()); }
  codec<parameter_value> operator()(const std::string&) const {
    return as_parameter(spec.choices.empty() ? text("a text") : one_of(spec.choices));
  }
  codec<parameter_value> operator()(const std::vector<double>&) const {
    return as_parameter(list_of(number({.low = spec.low, .high = spec.high}), 0, spec.max_items));
  }
};

} // namespace

codec<parameter_value> parameter_codec(const parameter_spec& spec) {
  return std::visit(codec_maker{spec}, spec.default_value);
}

std::string sentence(std::string text) {
  if (text.empty() || text.back() != '.')
    text += '.';
  return text;
}

} // namespace troupe
