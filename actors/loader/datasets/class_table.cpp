#include "actors/loader/datasets/class_table.hpp"

#include "actors/loader/datasets/file_names.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>

namespace troupe {

namespace {

constexpr std::int64_t max_classes = 100'000;
constexpr std::size_t max_named = 8; ///< A message does not list a thousand classes.

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || text.empty() || error == std::errc::invalid_argument)
    return std::nullopt;
  return error == std::errc() ? value : std::numeric_limits<std::int64_t>::max();
}

std::string list_of(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < std::min(names.size(), max_named); ++i)
    out.append(i == 0 ? "" : ", ").append(printable_path(names[i]));
  return names.size() > max_named ? out + ", ... (" + std::to_string(names.size()) + " in all)" : out;
}

/// Returns the name of the first sample whose label is at `text`.
std::string first_sample(const label_list& labels, std::uint32_t text,
                         const std::function<std::string(std::uint64_t)>& sample_name) {
  const auto& samples = labels.of_samples();
  const auto found = std::find(samples.begin(), samples.end(), text);
  return found == samples.end() ? "" : sample_name(static_cast<std::uint64_t>(found - samples.begin())) + ": ";
}

void note_empty_classes(const label_list& labels, class_table& table) {
  std::vector<std::uint64_t> counts(table.num_classes);
  for (std::uint32_t text = 0; text < labels.texts().size(); ++text)
    counts[table.ids[text]] += labels.count(text);
  std::vector<std::string> empty;
  for (std::size_t id = 0; id < counts.size(); ++id)
    if (counts[id] == 0)
      empty.push_back(table.names.empty() ? std::to_string(id) : table.names[id]);
  if (!empty.empty())
    table.notices.push_back((empty.size() == 1 ? "1 class has" : std::to_string(empty.size()) + " classes have")
                            + std::string(" no samples: ") + list_of(empty));
}

/// The table of the names, if every label is among them; else where the first one is that is not.
std::optional<std::uint32_t> map_names(const label_list& labels, class_table& table) {
  std::unordered_map<std::string_view, std::uint32_t> ids;
  for (std::uint32_t id = 0; id < table.names.size(); ++id)
    ids.emplace(table.names[id], id);
  for (std::uint32_t text = 0; text < labels.texts().size(); ++text) {
    const auto found = ids.find(labels.texts()[text]);
    if (found == ids.end())
      return text;
    table.ids.push_back(found->second);
  }
  return std::nullopt;
}

/// Such a name would break classes.txt, which has a name on each line.
bool has_control_character(const std::string& name) {
  return std::any_of(name.begin(), name.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

bool all_numbers(const label_list& labels) {
  return std::all_of(labels.texts().begin(), labels.texts().end(),
                     [](const std::string& text) { return whole_number(text).has_value(); });
}

/// Takes the labels as ids below the number of names, or of `max_classes`. Returns where one is that is not.
std::optional<std::uint32_t> map_ids(const label_list& labels, class_table& table) {
  const auto limit = table.names.empty() ? max_classes : static_cast<std::int64_t>(table.names.size());
  std::uint32_t num_ids = 0;
  table.ids.clear();
  for (std::uint32_t text = 0; text < labels.texts().size(); ++text) {
    const auto id = *whole_number(labels.texts()[text]);
    if (id < 0 || id >= limit)
      return text;
    table.ids.push_back(static_cast<std::uint32_t>(id));
    num_ids = std::max(num_ids, table.ids.back() + 1);
  }
  table.num_classes = table.names.empty() ? num_ids : static_cast<std::uint32_t>(table.names.size());
  return std::nullopt;
}

} // namespace

void label_list::push_back(std::string_view text) {
  const bool again = !of_samples_.empty() && texts_[of_samples_.back()] == text; // Most sources are sorted by class.
  if (again)
    ++counts_[of_samples_.back()];
  of_samples_.push_back(again ? of_samples_.back() : add(text, 1));
}

std::uint32_t label_list::add(std::string_view text, std::uint64_t num_samples) {
  const auto [place, added] = known_.try_emplace(std::string(text), static_cast<std::uint32_t>(texts_.size()));
  if (added) {
    texts_.emplace_back(text);
    counts_.push_back(0);
  }
  counts_[place->second] += num_samples;
  return place->second;
}

expected<class_table> make_class_table(const label_list& labels, label_style style,
                                       const std::vector<std::string>& given, const std::string& source,
                                       const std::function<std::string(std::uint64_t)>& sample_name) {
  class_table table;
  table.names = given;
  const bool ids_allowed = style == label_style::names_or_ids && all_numbers(labels);
  if (given.empty() && !ids_allowed) {
    table.names = labels.texts();
    std::sort(table.names.begin(), table.names.end());
  }
  const auto unprintable = std::find_if(table.names.begin(), table.names.end(), has_control_character);
  if (unprintable != table.names.end())
    return failure{ec::bad_data, "loader: " + printable_path(source) + ": the class \"" + printable_path(*unprintable)
                                   + "\" has a control character in its name, expected a name that fits a line"};
  auto stranger = map_names(labels, table);
  table.num_classes = static_cast<std::uint32_t>(table.names.size());
  if (stranger && ids_allowed) {
    if (const auto bad = map_ids(labels, table))
      return failure{ec::bad_data,
                     "loader: " + printable_path(source) + ": " + first_sample(labels, *bad, sample_name) + "label "
                       + labels.texts()[*bad] + ", expected a class id from 0 to "
                       + std::to_string((given.empty() ? max_classes : std::int64_t(given.size())) - 1)
                       + (given.empty() ? "" : ": there are " + std::to_string(given.size()) + " classes")};
  } else if (stranger) {
    return failure{ec::mismatch, "loader: " + printable_path(source) + ": "
                                   + first_sample(labels, *stranger, sample_name) + "class \""
                                   + printable_path(labels.texts()[*stranger])
                                   + "\" is not in the table of classes, expected one of: " + list_of(given)};
  }
  note_empty_classes(labels, table);
  return table;
}

} // namespace troupe
