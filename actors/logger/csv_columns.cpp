#include "actors/logger/csv_columns.hpp"

#include "actors/support/file_io.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <vector>

namespace troupe {

namespace {

constexpr std::uint64_t max_file_bytes = std::uint64_t{1} << 32;

bool has_all(const csv_fields& columns, const csv_fields& kept) {
  return std::all_of(kept.begin(), kept.end(),
                     [&](const auto& each) { return std::count(columns.begin(), columns.end(), each) > 0; });
}

/// A name beside `path` that nothing has yet: "validation.csv.1".
std::string free_name(const std::string& path) {
  std::error_code ignored;
  for (int number = 1;; ++number)
    if (auto name = path + '.' + std::to_string(number); !std::filesystem::exists(name, ignored))
      return name;
}

/// Where each of `columns` is in `old`; its size where it is not.
std::vector<std::size_t> places_in(const csv_fields& old, const csv_fields& columns) {
  std::vector<std::size_t> places;
  for (const auto& column : columns)
    places.push_back(static_cast<std::size_t>(std::find(old.begin(), old.end(), column) - old.begin()));
  return places;
}

/// The table under its new header. @pre `text` begins with the header `old`
std::string laid_out_anew(std::string_view text, const csv_record& old, const csv_fields& columns) {
  const auto places = places_in(old.fields, columns);
  auto out = csv_line(columns);
  text.remove_prefix(old.num_bytes);
  while (const auto record = first_csv_record(text)) {
    text.remove_prefix(record->num_bytes);
    if (record->fields.size() != old.fields.size())
      continue;
    csv_fields row;
    for (const auto place : places)
      row.push_back(place < record->fields.size() ? record->fields[place] : "nan");
    out += csv_line(row);
  }
  return out;
}

failure cannot_change(const std::string& path, const failure& why) {
  return {ec::io_error, "logger: " + path + ": its columns cannot be changed: " + why.context};
}

} // namespace

expected<std::optional<std::string>> change_csv_columns(const std::string& path, const csv_fields& columns,
                                                        const csv_fields& kept) {
  const auto text = read_file(path, max_file_bytes);
  if (!text)
    return text.error().code == ec::not_found ? expected<std::optional<std::string>>(std::nullopt)
                                              : cannot_change(path, text.error());
  const auto header = first_csv_record(*text);
  if (!header || header->fields == columns || !has_all(header->fields, kept))
    return std::optional<std::string>{};
  const auto copy = free_name(path);
  for (const auto& [name, bytes] : {std::pair(copy, *text), std::pair(path, laid_out_anew(*text, *header, columns))})
    if (auto written = replace_file(name, bytes); !written)
      return cannot_change(path, written.error());
  return std::optional(copy);
}

} // namespace troupe
