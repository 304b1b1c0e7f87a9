/// Other columns for a table that is there already: a run may be resumed with other figures than it began with.
#pragma once

#include "actors/logger/csv_text.hpp"
#include "actors/support/expected.hpp"

#include <optional>
#include <string>

namespace troupe {

/// Gives the CSV file at `path` these columns, atomically: fields of columns that it has stay, those of others are
/// "nan". The file as it was stays beside it. Returns the name of that copy, or nothing where nothing was to be done:
/// there is no such file, it has these columns already, or lacks one of `kept` and so is another table than ours. Rows
/// with another number of fields than the header and a last one without line end are left out. Fails with `io_error`.
[[nodiscard]] expected<std::optional<std::string>>
change_csv_columns(const std::string& path, const csv_fields& columns, const csv_fields& kept);

} // namespace troupe
