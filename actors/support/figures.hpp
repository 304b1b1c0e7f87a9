/// Figures and texts as a person reads them on the terminal.
#pragma once

#include <string>
#include <string_view>

namespace troupe {

/// `value` with that many decimals: "0.2861". "nan" and "inf" as they are.
[[nodiscard]] std::string fixed_text(double value, int num_decimals);

/// A number whose size nobody knows beforehand, such as a learning rate: four significant digits, "0.05", "3.2e-06".
[[nodiscard]] std::string short_text(double value);

/// A share of 0..1 as "93.41 %".
[[nodiscard]] std::string percent_text(double share);

/// Whole seconds as "0:07", "12:34", "1:02:03" or "3d 4:05:06". "?" for what is negative or not finite.
[[nodiscard]] std::string duration_text(double seconds);

/// `bytes` as "812 B", "1.7 MB" or "3.0 GB" (powers of 1000).
[[nodiscard]] std::string bytes_text(double bytes);

/// `text` with every control character replaced by '?': safe on a terminal, and one line. UTF-8 stays.
[[nodiscard]] std::string printable(std::string_view text);

} // namespace troupe
