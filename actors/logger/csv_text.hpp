/// CSV as RFC 4180 has it: records of fields, quoted where they must be.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

using csv_fields = std::vector<std::string>;

/// One record with its line end ("\n"). Fields with a comma, a quote or a line break are quoted.
[[nodiscard]] std::string csv_line(const csv_fields& fields);

/// A record and the bytes it took, line end included.
struct csv_record {
  csv_fields fields;
  std::size_t num_bytes = 0;
};

/// The first record of `text`; ends at "\n" or "\r\n" outside quotes. Nothing where the line end is missing: the record
/// is torn, or `text` is empty.
[[nodiscard]] std::optional<csv_record> first_csv_record(std::string_view text);

/// The shortest text that reads back as exactly `value`; "nan", "inf" or "-inf" where it is none.
[[nodiscard]] std::string csv_number(double value);

} // namespace troupe
