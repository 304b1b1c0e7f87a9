#include "app/trace_tools/report/run_files.hpp"

#include "actors/logger/csv_text.hpp"
#include "actors/support/file_io.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>

namespace troupe {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::uint64_t max_file_bytes = 1ull << 30;

std::optional<std::string> content(const std::string& path, run_files& out) {
  auto text = read_file(path, max_file_bytes);
  if (text)
    return std::move(*text);
  if (text.error().code != ec::not_found)
    out.problems.push_back(to_string(text.error()));
  return std::nullopt;
}

/// One row of a CSV file, by column.
class csv_row {
public:
  csv_row(const std::map<std::string, std::size_t>& columns, const csv_fields& fields)
    : columns_(columns), fields_(fields) {}

  [[nodiscard]] std::string text(const std::string& column) const {
    const auto place = columns_.find(column);
    return place == columns_.end() || place->second >= fields_.size() ? std::string{} : fields_[place->second];
  }

  /// Nothing if it is no number.
  template <class Number>
  [[nodiscard]] std::optional<Number> number(const std::string& column) const {
    const auto digits = text(column);
    Number value{};
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc{} && end == digits.data() + digits.size() ? std::optional{value} : std::nullopt;
  }

private:
  const std::map<std::string, std::size_t>& columns_;
  const csv_fields& fields_;
};

void visit_csv(std::string_view text, const std::function<void(const csv_row&)>& visit) {
  const auto header = first_csv_record(text);
  if (!header)
    return;
  std::map<std::string, std::size_t> columns;
  for (std::size_t i = 0; i < header->fields.size(); ++i)
    columns.emplace(header->fields[i], i);
  text.remove_prefix(header->num_bytes);
  while (const auto row = first_csv_record(text)) {
    visit({columns, row->fields});
    text.remove_prefix(row->num_bytes);
  }
}

void visit_csv_file(const std::string& path, run_files& out, const std::function<void(const csv_row&)>& visit) {
  if (const auto text = content(path, out))
    visit_csv(*text, visit);
}

template <class Value>
Value value_of(const json& object, const char* key) {
  const auto place = object.find(key);
  if (place == object.end())
    return {};
  if constexpr (std::is_arithmetic_v<Value>)
    return place->is_number() ? place->get<Value>() : Value{};
  else
    return place->is_string() ? place->get<Value>() : Value{};
}

std::optional<run_account> outcome_of(const std::string& text) {
  const auto found = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!found.is_object())
    return std::nullopt;
  run_account out{.status = value_of<std::string>(found, "status"),
                  .reason = value_of<std::string>(found, "reason"),
                  .version = value_of<std::string>(found, "version"),
                  .git = value_of<std::string>(found, "git"),
                  .steps = value_of<std::uint64_t>(found, "steps"),
                  .samples = value_of<std::uint64_t>(found, "samples_trained"),
                  .wall_seconds = value_of<double>(found, "wall_seconds"),
                  .samples_per_second = value_of<double>(found, "samples_per_second")};
  if (const auto books = found.find("checkpoints"); books != found.end() && books->is_object()) {
    out.durable = value_of<std::uint64_t>(*books, "durable");
    out.superseded = value_of<std::uint64_t>(*books, "superseded");
    out.failed = value_of<std::uint64_t>(*books, "failed");
  }
  return out;
}

void read_outcome(const std::string& path, run_files& out) {
  const auto text = content(path, out);
  if (!text)
    return;
  out.outcome = outcome_of(*text);
  if (!out.outcome)
    out.problems.push_back(path + ": no JSON object");
}

void find_checkpoints(const std::string& folder, run_files& out) {
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    unsigned long long step = 0, version = 0;
    if (std::sscanf(entry.path().filename().c_str(), "step-%llu-v%llu-", &step, &version) == 2)
      out.checkpoints.push_back({step, version});
  }
  std::sort(out.checkpoints.begin(), out.checkpoints.end(),
            [](const auto& a, const auto& b) { return a.version < b.version; });
}

} // namespace

run_files read_run_files(const std::string& folder, std::size_t max_bad) {
  run_files out;
  out.folder = folder;
  std::error_code none;
  auto place = fs::weakly_canonical(folder + "/.", none);
  if (!place.has_filename())
    place = place.parent_path();
  out.name = place.filename().string();
  read_outcome(folder + "/summary.json", out);
  visit_csv_file(folder + "/metrics.csv", out, [&](const csv_row& row) {
    if (const auto step = row.number<std::uint64_t>("step"))
      if (const auto loss = row.number<double>("loss"))
        out.losses.push_back({*step, *loss});
  });
  visit_csv_file(folder + "/validation.csv", out, [&](const csv_row& row) {
    if (const auto step = row.number<std::uint64_t>("step"))
      if (const auto top1 = row.number<double>("top1"))
        out.validations.push_back({*step, *top1});
  });
  visit_csv_file(folder + "/bad_samples.csv", out, [&](const csv_row& row) {
    if (out.num_bad++ < max_bad)
      out.bad.push_back({row.text("sample"), row.text("epoch"), row.text("stage"), row.text("reason")});
  });
  find_checkpoints(folder + "/checkpoints", out);
  return out;
}

} // namespace troupe
