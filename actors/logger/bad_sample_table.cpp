#include "actors/logger/bad_sample_table.hpp"

#include "actors/logger/csv_text.hpp"

#include <filesystem>

namespace troupe {

namespace {

constexpr std::uint64_t max_table_bytes = std::uint64_t{1} << 30;
const csv_fields columns{"id", "sample", "data", "epoch", "stage", "reason"};

} // namespace

expected<void> bad_sample_table::open() {
  std::string kept;
  if (std::filesystem::exists(path_)) {
    auto text = read_file(path_, max_table_bytes);
    if (!text)
      return text.error();
    auto num_kept = take_over(*text);
    if (!num_kept)
      return num_kept.error();
    kept = text->substr(0, *num_kept);
    if (kept.size() < text->size()) // A row torn by the end of an earlier process.
      if (auto mended = replace_file(path_, kept); !mended)
        return mended.error();
  }
  auto file = append_file::open(path_, append_file::mode::extend);
  if (!file)
    return file.error();
  file_.emplace(std::move(*file));
  return kept.empty() ? file_->append(csv_line(columns)) : expected<void>{};
}

expected<std::size_t> bad_sample_table::take_over(std::string_view text) {
  const failure other{ec::mismatch, path_ + ": is no table of bad samples, expected the columns " + csv_line(columns)};
  std::size_t num_kept = 0;
  while (const auto record = first_csv_record(text.substr(num_kept))) {
    if (num_kept == 0 ? record->fields != columns : record->fields.size() != columns.size())
      return other;
    if (num_kept > 0)
      known_.emplace(record->fields[2], record->fields[0]);
    num_kept += record->num_bytes;
  }
  if (num_kept == 0 && !csv_line(columns).starts_with(text))
    return other;
  return num_kept;
}

expected<void> bad_sample_table::add(const bad_sample_found& fact) {
  if (!file_)
    if (auto opened = open(); !opened)
      return opened;
  const auto& bad = fact.sample;
  const auto id = std::to_string(bad.id);
  if (known_.contains({fact.data, id}))
    return {};
  if (auto added =
        file_->append(csv_line({id, bad.name, fact.data, std::to_string(bad.epoch + 1), bad.stage, bad.reason}));
      !added)
    return added;
  known_.emplace(fact.data, id);
  return {};
}

} // namespace troupe
