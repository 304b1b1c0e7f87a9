#include "app/trace_tools/remake/comparison.hpp"

#include "app/trace_tools/text/trace_text.hpp"

#include <nlohmann/json.hpp>

#include <ostream>
#include <sys/stat.h>

namespace troupe {

namespace {

/// Whether a file was written to after that time; false for samples that are no files of their own.
bool changed_since(const std::string& path, std::int64_t realtime_ns) {
  struct stat found {};
  return realtime_ns != 0 && stat(path.c_str(), &found) == 0
         && found.st_mtim.tv_sec * 1'000'000'000LL + found.st_mtim.tv_nsec > realtime_ns;
}

std::string difference(const remade_sample& sample, std::int64_t since_realtime_ns, bool is_explained) {
  const auto who = "slot " + std::to_string(sample.slot) + ", sample " + std::to_string(sample.id)
                   + (sample.name.empty() ? "" : " (" + sample.name + ")") + ": ";
  const std::string changed =
    changed_since(sample.name, since_realtime_ns) ? "; its file was changed after the run had begun" : "";
  if (!sample.problem.empty())
    return who + "cannot be made: " + sample.problem + changed;
  const std::string guess = is_explained ? "" : "; other data, another build or another machine";
  return who + "pixels are " + hash_text(sample.pixel_hash) + ", recorded " + hash_text(*sample.recorded_hash)
         + (changed.empty() ? guess : changed);
}

std::string joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const auto& line : lines)
    out += (out.empty() ? "" : "; ") + line;
  return out;
}

const char* verdict_of(const remade_sample& sample) {
  if (!sample.problem.empty())
    return "not made";
  if (!sample.recorded_hash)
    return "unchecked";
  return sample.same() ? "same" : "DIFFERS";
}

nlohmann::ordered_json json_of(const remade_sample& sample) {
  nlohmann::ordered_json out = {
    {"slot", sample.slot},   {"id", sample.id},       {"class", sample.label},    {"name", sample.name},
    {"drawn", sample.notes}, {"pixel_hash", nullptr}, {"recorded_hash", nullptr}, {"result", verdict_of(sample)}};
  if (sample.problem.empty())
    out["pixel_hash"] = hash_text(sample.pixel_hash);
  else
    out["problem"] = sample.problem;
  if (sample.recorded_hash)
    out["recorded_hash"] = hash_text(*sample.recorded_hash);
  return out;
}

} // namespace

comparison compare(const std::vector<remade_sample>& samples, std::int64_t since_realtime_ns,
                   const std::string& change) {
  comparison out;
  out.change = change;
  for (const auto& sample : samples) {
    ++out.num_samples;
    const bool made = sample.problem.empty();
    out.num_checked += sample.recorded_hash ? 1 : 0;
    out.num_same += made && sample.same() ? 1 : 0;
    if (!made || (sample.recorded_hash && !sample.same()))
      out.differences.push_back(difference(sample, since_realtime_ns, !change.empty()));
  }
  return out;
}

void print_text(const comparison& found, const std::string& why_unchecked, std::ostream& out) {
  if (!found.change.empty())
    out << "warning: " << found.change << '\n';
  const auto num_unchecked = found.num_samples - found.num_checked;
  if (found.differs())
    out << "NOT reproduced: " << found.differences.size() << " of " << found.num_samples << " samples differ\n";
  else if (found.num_checked > 0)
    out << "reproduced exactly: " << found.num_same << " of " << found.num_samples << " samples\n";
  for (const auto& line : found.differences)
    out << "  " << line << '\n';
  if (num_unchecked > 0)
    out << (found.num_checked > 0 ? std::to_string(num_unchecked) + " samples were " : std::string())
        << "not checked: " << why_unchecked << '\n';
}

void print_samples(const std::vector<remade_sample>& samples, std::ostream& out) {
  std::vector<std::vector<std::string>> rows = {{"slot", "sample", "class", "result", "file", "drawn"}};
  for (const auto& sample : samples)
    rows.push_back({std::to_string(sample.slot), std::to_string(sample.id), sample.label, verdict_of(sample),
                    sample.name, joined(sample.notes)});
  print_table(rows, rows.front().size(), out);
}

void add_json(const comparison& found, const std::vector<remade_sample>& samples, nlohmann::ordered_json& to) {
  to["data_change"] = found.change.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(found.change);
  to["num_samples"] = found.num_samples;
  to["num_checked"] = found.num_checked;
  to["num_same"] = found.num_same;
  to["differences"] = found.differences;
  auto& list = to["samples"] = nlohmann::ordered_json::array();
  for (const auto& sample : samples)
    list.push_back(json_of(sample));
}

} // namespace troupe
