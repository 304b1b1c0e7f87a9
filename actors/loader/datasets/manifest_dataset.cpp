#include "actors/loader/datasets/manifest_dataset.hpp"

#include "actors/loader/datasets/delimited_text.hpp"
#include "actors/loader/datasets/file_list_dataset.hpp"
#include "actors/loader/datasets/file_names.hpp"
#include "actors/loader/datasets/fingerprint.hpp"
#include "actors/loader/datasets/sample_file.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

namespace troupe {

namespace {

/// Where the columns are; those that are not there have no value.
struct columns {
  std::size_t count = 0;
  std::size_t path = 0;
  std::size_t label = 0;
  std::optional<std::size_t> split;
  std::optional<std::size_t> weight;
};

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

std::string in_quotes(const std::string& text) {
  constexpr std::size_t max_shown = 80;
  const auto shown = printable_path(text);
  return '"' + (shown.size() > max_shown ? shown.substr(0, max_shown) + "..." : shown) + '"';
}

class manifest_reader {
public:
  manifest_reader(std::string path, const dataset_config& config, const std::vector<std::string>& classes)
    : path_(std::move(path)), split_(config.split), classes_(classes) {
    out_.root =
      config.root.empty() ? std::filesystem::path(path_).parent_path().string() : absolute_path({}, config.root);
  }

  expected<file_list> read(std::string_view text) {
    const bool tabs = std::filesystem::path(path_).extension() == ".tsv";
    delimited_text table(text, tabs ? '\t' : guess_delimiter(text));
    std::vector<std::string> fields;
    auto more = table.next(fields);
    if (!more)
      return fail(more.error().context);
    auto header = read_header(fields, table.line());
    if (!header)
      return std::move(header).error();
    for (more = table.next(fields); more && *more; more = table.next(fields))
      if (auto ok = add_row(*header, fields, table.line()); !ok)
        return ok.error();
    if (!more)
      return fail(more.error().context);
    return finish();
  }

private:
  [[nodiscard]] failure fail(const std::string& what) const {
    return {ec::bad_data, "loader: " + printable_path(path_) + ": " + what};
  }
  [[nodiscard]] failure fail(std::uint64_t line, const std::string& what) const {
    return fail("line " + std::to_string(line) + ": " + what);
  }

  expected<columns> read_header(const std::vector<std::string>& fields, std::uint64_t line) {
    columns out;
    out.count = fields.size();
    std::string found;
    const auto find = [&](const std::string& name) -> std::optional<std::size_t> {
      const auto i = std::find_if(fields.begin(), fields.end(), [&](const auto& x) { return x == name; });
      return i == fields.end() ? std::nullopt : std::optional(static_cast<std::size_t>(i - fields.begin()));
    };
    const auto blank = std::find_if(fields.begin(), fields.end(), [](const auto& x) { return trimmed(x) != x; });
    if (blank != fields.end())
      return fail(line,
                  "the column " + in_quotes(*blank)
                    + " has blanks around its name, expected none around commas: they would be part of the values");
    for (const auto& field : fields)
      found += (found.empty() ? "" : ", ") + in_quotes(field);
    for (auto [name, place] : {std::pair{"path", &out.path}, std::pair{"label", &out.label}}) {
      const auto column = find(name);
      if (!column)
        return fail(line, std::string("has no column \"") + name + "\", found "
                            + (found.empty() ? "an empty file" : "the columns " + found)
                            + ", expected a header row with path, label and perhaps split and weight");
      *place = *column;
    }
    out.split = find("split");
    out.weight = find("weight");
    if (!split_.empty() && !out.split)
      return fail(line, "has no column \"split\" to look for " + in_quotes(split_) + " in, found the columns " + found);
    return out;
  }

  expected<void> add_row(const columns& at, const std::vector<std::string>& fields, std::uint64_t line) {
    if (fields.size() != at.count)
      return fail(line, "has " + std::to_string(fields.size()) + " fields, expected " + std::to_string(at.count)
                          + " as in the header");
    const auto& path = fields[at.path];
    const auto& label = fields[at.label];
    if (path.empty() || path.find('\0') != std::string::npos)
      return fail(line, path.empty() ? "the path is empty, expected that of an image" : "the path has a zero byte");
    if (label.empty())
      return fail(line, "the label of " + in_quotes(path) + " is empty, expected a class name or id");
    if (!split_.empty() && fields[*at.split] != split_) {
      other_splits_.insert(fields[*at.split]);
      if (classes_.empty()) // Classes of other splits count, so that all splits have the same ids.
        labels_.add(label, 0);
      return {};
    }
    if (at.weight)
      if (auto ok = add_weight(fields[*at.weight], line); !ok)
        return ok;
    out_.files.push_back(path);
    labels_.push_back(label);
    lines_.push_back(line);
    return {};
  }

  expected<void> add_weight(const std::string& text, std::uint64_t line) {
    float weight = 1;
    const auto* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, weight);
    if (!text.empty() && (error != std::errc() || rest != end || !(weight > 0) || !std::isfinite(weight)))
      return fail(line, "the weight is " + in_quotes(text) + ", expected a number above 0");
    out_.weights.push_back(weight);
    return {};
  }

  expected<file_list> finish() {
    if (out_.files.empty() && !other_splits_.empty())
      return fail("no row has the split " + in_quotes(split_) + ", found " + in_quotes(*other_splits_.begin())
                  + (other_splits_.size() > 1 ? " and " + std::to_string(other_splits_.size() - 1) + " others" : ""));
    if (out_.files.empty())
      return fail("has no rows behind its header, expected one for each image");
    auto classes = make_class_table(labels_, label_style::names_or_ids, classes_, path_, [this](std::uint64_t id) {
      return "line " + std::to_string(lines_[id]) + ": " + in_quotes(std::string(out_.files[id]));
    });
    if (!classes)
      return std::move(classes).error();
    for (auto text : labels_.of_samples())
      out_.labels.push_back(classes->ids[text]);
    out_.sizes = sizes_of(out_.root, out_.files);
    note_missing();
    out_.notices.insert(out_.notices.end(), classes->notices.begin(), classes->notices.end());
    out_.fingerprint = fingerprint_builder()
                         .add(classes->names)
                         .add(out_.labels)
                         .add(out_.files)
                         .add(out_.sizes)
                         .add(out_.weights)
                         .finish("manifest", out_.files.size(), classes->num_classes);
    out_.classes = std::move(*classes);
    return std::move(out_);
  }

  void note_missing() {
    const auto count = std::count(out_.sizes.begin(), out_.sizes.end(), 0);
    const auto first = std::find(out_.sizes.begin(), out_.sizes.end(), 0) - out_.sizes.begin();
    if (count > 0)
      out_.notices.push_back(std::to_string(count) + (count == 1 ? " file is" : " files are")
                             + " missing or empty and will be bad samples, e.g. "
                             + printable_path(out_.files[static_cast<std::size_t>(first)]));
  }

  std::string path_;
  std::string split_;
  const std::vector<std::string>& classes_;
  file_list out_;
  label_list labels_;
  std::vector<std::uint64_t> lines_;
  std::set<std::string> other_splits_;
};

} // namespace

expected<std::unique_ptr<dataset>> open_manifest_dataset(const dataset_config& config,
                                                         const std::vector<std::string>& classes) {
  if (config.file.empty())
    return failure{ec::bad_config,
                   "loader: data set \"manifest\" has no `file`, expected the path of a CSV or TSV file"};
  const auto path = absolute_path(config.root, config.file);
  const auto file = read_sample_file(path);
  if (!file)
    return file.error();
  const std::string_view text(reinterpret_cast<const char*>(file->bytes.data()), file->bytes.size());
  auto list = manifest_reader(path, config, classes).read(text);
  if (!list)
    return std::move(list).error();
  return make_file_list_dataset(std::move(*list));
}

} // namespace troupe
