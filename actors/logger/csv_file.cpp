#include "actors/logger/csv_file.hpp"

#include "actors/support/file_io.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

namespace troupe {

namespace {

std::optional<std::uint64_t> parse_step(std::string_view text) {
  std::uint64_t step = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), step);
  if (error != std::errc{} || end != text.data() + text.size())
    return std::nullopt;
  return step;
}

/// Far more than a run's rows take; a larger file is none of ours.
constexpr std::uint64_t max_file_bytes = 1ull << 32;

failure of_logger(failure why) {
  return {why.code, "logger: " + why.context};
}

/// The fields as one line of CSV without its end, for messages.
std::string one_line(const csv_fields& fields) {
  auto line = csv_line(fields);
  line.pop_back();
  return line;
}

/// What is left of a file after its repair.
struct repaired_rows {
  std::string text; ///< Header and the rows kept, byte for byte.
  std::set<std::uint64_t> steps;
  csv_repair counts;
};

/// @pre `text` has a header record of `header_bytes` bytes.
repaired_rows keep_rows_up_to(std::uint64_t last_step, std::string_view text, std::size_t header_bytes,
                              std::size_t num_columns, std::size_t step_column) {
  repaired_rows result;
  result.text = text.substr(0, header_bytes);
  auto rest = text.substr(header_bytes);
  while (rest.find('\n') != std::string_view::npos) {
    const auto record = first_csv_record(rest);
    const bool whole = record && record->fields.size() == num_columns;
    const auto step = whole ? parse_step(record->fields[step_column]) : std::nullopt;
    // Where a stray quote has no partner, only its own line is given up.
    const auto num_bytes = record ? record->num_bytes : rest.find('\n') + 1;
    if (!step) {
      ++result.counts.rows_malformed;
    } else if (*step > last_step) {
      ++result.counts.rows_cut;
    } else {
      ++result.counts.rows_kept;
      result.text += rest.substr(0, num_bytes);
      result.steps.insert(*step);
    }
    rest.remove_prefix(num_bytes);
  }
  result.counts.torn = !rest.empty();
  return result;
}

/// Reads, checks and repairs the file at `path`; `header` is its first line as we write it.
expected<repaired_rows> repair_file(const std::string& path, const csv_fields& columns, std::size_t step_column,
                                    std::uint64_t last_step) {
  auto text = read_file(path, max_file_bytes);
  if (!text)
    return of_logger(text.error());
  const auto header = csv_line(columns);
  repaired_rows rows;
  if (const auto found = first_csv_record(*text)) {
    if (found->fields != columns)
      return failure{ec::mismatch, "logger: " + path + ": has the columns '" + one_line(found->fields) + "', expected '"
                                     + one_line(columns) + "'"};
    rows = keep_rows_up_to(last_step, *text, found->num_bytes, columns.size(), step_column);
  } else if (header.starts_with(*text)) {
    rows.text = header; // The process before died while it created the file.
    rows.counts.torn = !text->empty();
  } else {
    return failure{ec::mismatch,
                   "logger: " + path + ": does not begin with a header, expected '" + one_line(columns) + "'"};
  }
  if (rows.text != *text)
    if (auto done = replace_file(path, rows.text); !done)
      return of_logger(done.error());
  return rows;
}

} // namespace

expected<csv_file> csv_file::open(std::string path, csv_fields columns, std::optional<std::uint64_t> resumed_step) {
  const auto step_at = std::find(columns.begin(), columns.end(), "step");
  if (step_at == columns.end())
    return failure{ec::bad_config, "logger: " + path + ": has no column 'step', only '" + one_line(columns) + "'"};
  const auto step_column = static_cast<std::size_t>(step_at - columns.begin());
  std::optional<repaired_rows> old;
  if (resumed_step) {
    auto repaired = repair_file(path, columns, step_column, *resumed_step);
    if (repaired)
      old = std::move(*repaired);
    else if (repaired.error().code != ec::not_found)
      return std::move(repaired).error();
  }
  auto file = append_file::open(std::move(path), old ? append_file::mode::extend : append_file::mode::create);
  if (!file)
    return std::move(file).error();
  csv_file result(std::move(*file), columns.size(), step_column);
  if (old) {
    result.steps_ = std::move(old->steps);
    result.repair_ = old->counts;
  } else if (auto done = result.file_.append(csv_line(columns)); !done) {
    return done.error();
  }
  return result;
}

expected<void> csv_file::append(const csv_fields& row) {
  if (row.size() != num_columns_)
    return failure{ec::mismatch, "logger: " + path() + ": a row of " + std::to_string(row.size()) + " fields, expected "
                                   + std::to_string(num_columns_) + ": " + one_line(row)};
  const auto step = parse_step(row[step_column_]);
  if (!step)
    return failure{ec::bad_data,
                   "logger: " + path() + ": the step is '" + row[step_column_] + "', expected a whole number"};
  if (auto done = file_.append(csv_line(row)); !done)
    return done;
  steps_.insert(*step);
  return {};
}

} // namespace troupe
