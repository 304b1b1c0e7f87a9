#include "actors/tracer/recorded_trace.hpp"

#include "actors/tracer/process_reader.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>

namespace troupe {

namespace fs = std::filesystem;

namespace {

std::optional<std::string> between(std::string_view name, std::string_view prefix, std::string_view suffix) {
  if (!name.starts_with(prefix) || !name.ends_with(suffix) || name.size() <= prefix.size() + suffix.size())
    return std::nullopt;
  return std::string{name.substr(prefix.size(), name.size() - prefix.size() - suffix.size())};
}

expected<std::map<std::string, process_files>> find_files(const std::string& folder) {
  std::map<std::string, process_files> found;
  std::error_code error;
  for (fs::directory_iterator entry{folder, error}; !error && entry != fs::directory_iterator{};
       entry.increment(error)) {
    const auto name = entry->path().filename().string();
    if (auto id = between(name, "run-", ".trc"))
      found[id->substr(0, id->find('-'))].segments.push_back(entry->path().string());
    else if ((id = between(name, "rings-", ".bin")))
      found[*id].rings = entry->path().string();
  }
  if (error && error != std::errc::no_such_file_or_directory)
    return failure{ec::io_error, "trace: cannot list " + folder + ": " + error.message()};
  if (found.empty())
    return failure{ec::not_found, "trace: no trace in " + folder + ": expected run-*.trc or rings-*.bin"};
  for (auto& each : found)
    std::sort(each.second.segments.begin(), each.second.segments.end());
  return found;
}

} // namespace

const char* to_string(process_state state) noexcept {
  switch (state) {
  case process_state::finished:
    return "finished";
  case process_state::running:
    return "running";
  case process_state::died:
    return "died";
  }
  return "unknown";
}

double recorded_process::seconds() const noexcept {
  return since_start(seen_ns);
}

const std::string& recorded_process::name(std::uint32_t number) const noexcept {
  static const std::string other = "(other)";
  return number < names.size() && !names[number].empty() ? names[number] : other;
}

double recorded_process::since_start(std::int64_t ns) const noexcept {
  return static_cast<double>(std::max<std::int64_t>(ns - started_ns, 0)) * 1e-9;
}

std::uint64_t recorded_trace::recorded() const noexcept {
  std::uint64_t total = 0;
  for (const auto& process : processes)
    total += process.recorded;
  return total;
}

std::uint64_t recorded_trace::dropped() const noexcept {
  std::uint64_t total = 0;
  for (const auto& process : processes)
    total += process.dropped;
  return total;
}

expected<recorded_trace> open_trace(const std::string& folder) {
  auto files = find_files(folder);
  if (!files)
    return files.error();
  recorded_trace trace;
  for (const auto& [id, paths] : *files)
    if (auto process = read_process(id, paths, trace.problems))
      trace.processes.push_back(std::move(*process));
  if (trace.processes.empty())
    return failure{ec::corrupt, trace.problems.empty() ? "trace: " + folder + ": unreadable" : trace.problems.front()};
  std::stable_sort(trace.processes.begin(), trace.processes.end(),
                   [](const auto& a, const auto& b) { return a.realtime_ns < b.realtime_ns; });
  return trace;
}

expected<recorded_process> open_flight_recorder(const std::string& path) {
  auto contents = read_trace_file(path);
  if (!contents)
    return contents.error();
  recorded_process process;
  process.id = between(fs::path(path).filename().string(), "flight-", ".trc").value_or("");
  process.id = process.id.substr(0, process.id.find('-'));
  process.state = process_state::running;
  take_file(path, std::move(*contents), process);
  process.full = false;
  return process;
}

std::vector<std::string> find_flight_recorders(const std::string& folder) {
  std::vector<std::pair<fs::file_time_type, std::string>> found;
  std::error_code error;
  for (fs::directory_iterator entry{folder, error}; !error && entry != fs::directory_iterator{}; entry.increment(error))
    if (between(entry->path().filename().string(), "flight-", ".trc"))
      found.emplace_back(entry->last_write_time(error), entry->path().string());
  std::sort(found.begin(), found.end());
  std::vector<std::string> paths;
  for (auto& each : found)
    paths.push_back(std::move(each.second));
  return paths;
}

namespace {

/// Positions of a ring's records, from the first to the one before the last.
struct position_range {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

using ring_ranges = std::map<std::uint32_t, std::vector<position_range>>;

void add_range(std::vector<position_range>& to, position_range range) {
  if (!to.empty() && to.back().last == range.first)
    to.back().last = range.last;
  else
    to.push_back(range);
}

/// What of a ring is in no file: it was not written yet, or could not be.
void visit_rest(const trace_ring& ring, const std::vector<position_range>& in_files,
                const process_record_visitor& visit) {
  std::vector<trace_record> records;
  std::uint64_t next = 0;
  for (const auto& range : in_files) {
    ring.read(next, records, range.first);
    next = range.last;
  }
  ring.read(next, records);
  for (const auto& record : records)
    visit(record);
}

} // namespace

void visit_records(const recorded_process& process, const process_record_visitor& visit) {
  ring_ranges in_files;
  for (const auto& path : process.files) {
    const auto contents = read_trace_file(path, [&](const record_batch& batch) {
      add_range(in_files[batch.ring], {batch.position, batch.position + batch.records.size()});
      for (const auto& record : batch.records)
        visit(record);
    });
    static_cast<void>(contents); // What is damaged was told of when the trace was opened.
  }
  if (process.rings.empty())
    return;
  const auto map = trace_map::open(process.rings);
  if (!map)
    return;
  for (std::size_t i = 0; i < (*map)->header().num_rings; ++i)
    if ((*map)->ring_used(i))
      visit_rest((*map)->ring(i), in_files[static_cast<std::uint32_t>(i)], visit);
}

} // namespace troupe
