/// Checks of parameters that several transforms share. All errors are bad_config, with the value and what was expected.
#pragma once

#include "actors/augmenter/transforms/transform_config.hpp"
#include "actors/support/expected.hpp"
#include "actors/support/image_shape.hpp"
#include "actors/support/imaging/resize.hpp"

#include <opencv2/core/types.hpp>
#include <string>
#include <vector>

namespace troupe {

/// A closed range of numbers to draw from.
struct value_range {
  double low = 0;
  double high = 0;
};

/// Returns the failure "`name` is `value`, expected `expected`".
[[nodiscard]] failure bad_parameter(const std::string& name, const std::string& value, const std::string& expected);

/// "[0.5, 2]"
[[nodiscard]] std::string text_of(const std::vector<double>& numbers);

/// Refuses numbers outside of `limits`, and NaN.
[[nodiscard]] expected<void> check_number(const std::string& name, double x, const value_range& limits);

/// Refuses whole numbers outside of low..high.
[[nodiscard]] expected<void> check_whole(const std::string& name, std::int64_t x, std::int64_t low, std::int64_t high);

/// Returns the range [low, high] out of two numbers, in order and within `limits`.
[[nodiscard]] expected<value_range> range_of(const std::string& name, const std::vector<double>& x,
                                             const value_range& limits);

/// Returns the range of two numbers, or -d..d for one number d >= 0; within `limits`.
[[nodiscard]] expected<value_range> range_around_zero(const std::string& name, const std::vector<double>& x,
                                                      const value_range& limits);

/// Returns the size, with sides of 1..32767 pixels; a square for one number.
[[nodiscard]] expected<cv::Size> size_of(const std::string& name, const size_config& x);

/// Returns the filter of that name; bicubic only if `with_bicubic`.
[[nodiscard]] expected<interpolation> interpolation_of(const std::string& name, bool with_bicubic);

/// Refuses all but 8 bits per channel, and all but 1 or 3 channels.
[[nodiscard]] expected<void> check_colours(const image_shape& input);

/// Returns a value of 0..255, as a config gives it, for pixels of `bits`.
[[nodiscard]] inline double pixel_value(double x, int bits) noexcept {
  return bits == 16 ? x * 257 : x;
}

} // namespace troupe
