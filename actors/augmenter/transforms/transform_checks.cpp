#include "actors/augmenter/transforms/transform_checks.hpp"

#include <array>
#include <cstdio>

namespace troupe {

namespace {

/// The shortest of a few digits: 0.5, not 0.500000.
std::string text_of(double x) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", x);
  return text.data();
}

std::string text_of(const value_range& x) {
  return text_of(x.low) + ".." + text_of(x.high);
}

} // namespace

failure bad_parameter(const std::string& name, const std::string& value, const std::string& expected) {
  return {ec::bad_config, name + " is " + value + ", expected " + expected};
}

std::string text_of(const std::vector<double>& numbers) {
  std::string result = "[";
  for (const auto x : numbers)
    result.append(result.size() > 1 ? ", " : "").append(text_of(x));
  return result + "]";
}

expected<void> check_number(const std::string& name, double x, const value_range& limits) {
  if (!(x >= limits.low && x <= limits.high))
    return bad_parameter(name, text_of(x), text_of(limits));
  return {};
}

expected<void> check_whole(const std::string& name, std::int64_t x, std::int64_t low, std::int64_t high) {
  if (x < low || x > high)
    return bad_parameter(name, std::to_string(x), std::to_string(low) + ".." + std::to_string(high));
  return {};
}

expected<value_range> range_of(const std::string& name, const std::vector<double>& x, const value_range& limits) {
  if (x.size() != 2 || !(limits.low <= x[0] && x[0] <= x[1] && x[1] <= limits.high))
    return bad_parameter(name, text_of(x), "[low, high] in order, within " + text_of(limits));
  return value_range{x[0], x[1]};
}

expected<value_range> range_around_zero(const std::string& name, const std::vector<double>& x,
                                        const value_range& limits) {
  if (x.size() != 1)
    return range_of(name, x, limits);
  if (!(x[0] >= 0 && x[0] <= limits.high))
    return bad_parameter(name, text_of(x), "one number of 0.." + text_of(limits.high) + ", or [low, high]");
  return value_range{-x[0], x[0]};
}

expected<cv::Size> size_of(const std::string& name, const size_config& x) {
  if (!x.given())
    return failure{ec::bad_config, name + " is missing, expected one number of pixels or [height, width]"};
  if (auto ok = check_whole(name, x.height, 1, max_image_side); !ok)
    return ok.error();
  if (!x.is_pair())
    return cv::Size(static_cast<int>(x.height), static_cast<int>(x.height));
  if (auto ok = check_whole(name, x.width, 1, max_image_side); !ok)
    return ok.error();
  return cv::Size(static_cast<int>(x.width), static_cast<int>(x.height));
}

expected<interpolation> interpolation_of(const std::string& name, bool with_bicubic) {
  if (name == "nearest")
    return interpolation::nearest;
  if (name == "bilinear")
    return interpolation::bilinear;
  if (name == "bicubic" && with_bicubic)
    return interpolation::bicubic;
  return bad_parameter("interpolation", "\"" + name + "\"",
                       with_bicubic ? "nearest, bilinear or bicubic" : "nearest or bilinear");
}

expected<void> check_colours(const image_shape& input) {
  if (input.bits != 8)
    return failure{ec::bad_config,
                   "the image has " + std::to_string(input.bits) + " bits per channel; works on 8-bit pixels only"};
  if (input.channels != 1 && input.channels != 3)
    return failure{ec::bad_config, "the image has " + std::to_string(input.channels) + " channels, expected 1 or 3"};
  return {};
}

} // namespace troupe
