#include "app/data_report/report_text.hpp"

#include "actors/support/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace troupe {

namespace {

constexpr std::size_t max_classes = 50, max_empty_classes = 10, max_copies = 10, max_bad = 20, max_name_width = 40;

/// "1,234,567"
std::string count_text(std::uint64_t count) {
  auto text = std::to_string(count);
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3)
    text.insert(static_cast<std::size_t>(at), 1, ',');
  return text;
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count_text(count), noun, count == 1 ? "" : "s");
}

std::string size_text(const image_size& size) {
  return fmt::format("{} x {}", size.width, size.height);
}

/// The report as it grows. A line is a title, in a column of its own, and what there is to say.
class page {
public:
  void heading(const std::string& text) {
    fmt::format_to(std::back_inserter(text_), "{}{}\n", text_.empty() ? "" : "\n", printable(text));
  }
  void line(std::string_view title, const std::string& text) {
    fmt::format_to(std::back_inserter(text_), "  {:<15} {}\n", title, printable(text));
  }
  void entry(const std::string& text) { text_ += "    " + printable(text) + "\n"; }

  /// Says that a list of `size` entries has more than the `shown` ones.
  void more(std::size_t size, std::size_t shown, std::string_view hint = "") {
    if (size > shown)
      entry(fmt::format("... and {} more{}", count_text(size - shown), hint));
  }

  [[nodiscard]] std::string take() { return std::move(text_); }

private:
  std::string text_;
};

void add_balance(page& out, const std::vector<class_row>& classes) {
  const auto fewer = [](auto& a, auto& b) { return a.num_samples < b.num_samples; };
  std::vector<class_row> filled;
  std::string empty;
  std::size_t num_empty = 0;
  for (const auto& each : classes)
    if (each.num_samples > 0)
      filled.push_back(each);
    else if (num_empty++ < max_empty_classes)
      empty += (empty.empty() ? "" : ", ") + each.name;
  if (filled.size() > 1) {
    const auto [smallest, largest] = std::minmax_element(filled.begin(), filled.end(), fewer);
    out.line("balance",
             fmt::format("largest {} ({}), smallest {} ({}): {:.1f} to 1", largest->name,
                         count_text(largest->num_samples), smallest->name, count_text(smallest->num_samples),
                         static_cast<double>(largest->num_samples) / static_cast<double>(smallest->num_samples)));
  }
  if (num_empty > 0)
    out.line("without samples",
             empty
               + (num_empty > max_empty_classes ? fmt::format(" and {} more", count_text(num_empty - max_empty_classes))
                                                : ""));
}

void add_classes(page& out, const std::vector<class_row>& classes, bool all) {
  out.line("classes", count_text(classes.size()));
  const auto shown = all ? classes.size() : std::min(classes.size(), max_classes);
  std::size_t width = 4;
  for (std::size_t id = 0; id < shown; ++id)
    width = std::clamp(classes[id].name.size(), width, max_name_width);
  out.entry(fmt::format("{:>6}  {:<{}}  {:>11}", "id", "name", width, "samples"));
  for (std::size_t id = 0; id < shown; ++id)
    out.entry(fmt::format("{:>6}  {:<{}}  {:>11}", id, classes[id].name, width, count_text(classes[id].num_samples)));
  out.more(classes.size(), shown, " (--all-classes shows them)");
  add_balance(out, classes);
}

void add_kinds(page& out, const image_statistics& images) {
  std::string kinds;
  const auto add = [&](std::uint64_t count, const char* what) {
    if (count > 0)
      kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", count_text(count), what);
  };
  add(images.num_single_channel, "grey or palette");
  add(images.num_alpha, "with alpha");
  add(images.num_cmyk, "CMYK");
  add(images.num_deep, "of more than 8 bits");
  add(images.num_turned, "turned by EXIF");
  if (!kinds.empty())
    out.line("among them", kinds);
  if (images.num_misnamed > 0)
    out.line("misnamed", fmt::format("{} with the extension of another format, such as {}",
                                     counted(images.num_misnamed, "file"), images.misnamed_example));
}

void add_sizes(page& out, const image_statistics& images) {
  if (images.num_sizes == 1) {
    out.line("width x height", "all " + size_text(images.smallest));
    return;
  }
  out.line("width x height", fmt::format("smallest {}, median {}, largest {}", size_text(images.smallest),
                                         size_text(images.median), size_text(images.largest)));
  std::string frequent;
  for (const auto& each : images.frequent)
    frequent +=
      fmt::format("{}{} ({})", frequent.empty() ? "" : ", ", size_text(each.size), count_text(each.num_samples));
  out.line("sizes", fmt::format("{}, most frequent {}", count_text(images.num_sizes), frequent));
}

void add_images(page& out, const image_statistics& images) {
  if (images.num_samples == 0)
    return;
  add_sizes(out, images);
  std::string formats;
  for (const auto& each : images.formats)
    formats += fmt::format("{}{} {}", formats.empty() ? "" : ", ", each.name, count_text(each.num_samples));
  out.line("formats", formats);
  add_kinds(out, images);
}

std::string joined(const std::vector<std::string>& names) {
  constexpr std::size_t max_names = 4;
  std::string out;
  for (std::size_t i = 0; i < std::min(names.size(), max_names); ++i)
    out += (i == 0 ? "" : " = ") + names[i];
  return names.size() > max_names ? fmt::format("{} = {} more", out, count_text(names.size() - max_names)) : out;
}

void add_copies(page& out, const std::vector<copies_of_one>& copies) {
  if (copies.empty()) {
    out.line("duplicates", "none");
    return;
  }
  std::uint64_t num_samples = 0, num_differing = 0;
  for (const auto& group : copies) {
    num_samples += group.names.size();
    num_differing += group.differ_in_class;
  }
  out.line("duplicates",
           fmt::format("{} that are {}{}", counted(num_samples, "sample"), counted(copies.size(), "image"),
                       num_differing > 0 ? fmt::format("; {} in more than one class", count_text(num_differing)) : ""));
  for (std::size_t i = 0; i < std::min(copies.size(), max_copies); ++i)
    out.entry(joined(copies[i].names) + (copies[i].differ_in_class ? "  (classes differ)" : ""));
  out.more(copies.size(), max_copies);
}

void add_bad(page& out, const set_report& set) {
  out.line("bad samples", set.bad.empty() ? "none"
                                          : count_text(set.bad.size())
                                              + (set.too_many_bad ? ", more than pipeline.bad_samples allows" : ""));
  for (std::size_t i = 0; i < std::min(set.bad.size(), max_bad); ++i)
    out.entry(set.bad[i].name + ": " + set.bad[i].reason);
  out.more(set.bad.size(), max_bad);
}

void add_set(page& out, const set_report& set, bool all_classes) {
  out.heading(set.name + " data: " + set.source);
  out.line("samples", count_text(set.num_samples)
                        + (set.num_examined < set.num_samples
                             ? fmt::format(", of which the first {} were looked at", count_text(set.num_examined))
                             : ""));
  for (const auto& notice : set.notices)
    out.line("note", notice);
  add_classes(out, set.classes, all_classes);
  add_images(out, set.images);
  add_copies(out, set.copies);
  add_bad(out, set);
}

void add_leaks(page& out, const std::vector<leak>& leaks) {
  if (leaks.empty()) {
    out.heading("leakage: no validation sample is among the training samples");
    return;
  }
  std::uint64_t count = 0;
  for (const auto& each : leaks)
    count += each.validation.size();
  out.heading(fmt::format("LEAKAGE: {} among the training samples: their figures say nothing",
                          counted(count, "validation sample") + (count == 1 ? " is" : " are")));
  for (std::size_t i = 0; i < std::min(leaks.size(), max_copies); ++i)
    out.entry(joined(leaks[i].validation) + " = " + joined(leaks[i].training));
  out.more(leaks.size(), max_copies);
}

void add_cost(page& out, const pipeline_cost& cost) {
  out.heading(fmt::format("time to decode and transform the training samples (measured with {} on one core)",
                          count_text(cost.num_measured)));
  const bool is_short = cost.seconds_per_sample < 1e-3;
  out.line("a sample", fmt::format("{:.{}f} {}", cost.seconds_per_sample * (is_short ? 1e6 : 1e3), is_short ? 1 : 2,
                                   is_short ? "us" : "ms"));
  out.line("an epoch", fmt::format("{} s of one core for {}", short_text(cost.core_seconds_per_epoch()),
                                   counted(cost.samples_per_epoch, "sample")));
  out.line("as planned", fmt::format("{} on {}: {} s an epoch, {} images/s", counted(cost.num_augmenters, "augmenter"),
                                     counted(cost.num_busy_cores, "core"), short_text(cost.seconds_per_epoch()),
                                     count_text(static_cast<std::uint64_t>(cost.samples_per_second()))));
}

std::string list_text(const std::vector<double>& values) {
  std::string out;
  for (const auto value : values)
    out += (out.empty() ? "" : ", ") + fixed_text(value, 4);
  return "[" + out + "]";
}

} // namespace

std::string normalize_text(const channel_statistics& channels) {
  if (channels.mean.empty())
    return {};
  return "normalize: {mean: " + list_text(channels.mean) + ", std: " + list_text(channels.std) + "}";
}

std::string to_text(const data_report& report, bool all_classes) {
  page out;
  for (const auto& set : report.sets)
    add_set(out, set, all_classes);
  if (report.sets.size() > 1)
    add_leaks(out, report.leaks);
  if (const auto normalize = normalize_text(report.channels); !normalize.empty()) {
    out.heading("mean and std of the training images, each of the same weight");
    out.entry(normalize);
    if (*std::min_element(report.channels.std.begin(), report.channels.std.end()) < 5e-5)
      out.entry("(a channel that is the same everywhere cannot be normalised: expected a std above 0)");
  }
  if (report.cost)
    add_cost(out, *report.cost);
  return out.take();
}

} // namespace troupe
