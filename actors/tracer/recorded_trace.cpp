#include "actors/tracer/recorded_trace.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <sys/types.h>
#include <unistd.h>

namespace troupe {

namespace fs = std::filesystem;

namespace {

/// The files of one process; either may be missing.
struct process_files {
  std::vector<std::string> segments; ///< Oldest first.
  std::string rings;
};

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

/// Only a guess across machines: a process of that number runs here.
bool is_running(const recorded_process& process) {
  std::array<char, 64> host{};
  gethostname(host.data(), host.size() - 1);
  return process.host == host.data() && process.pid > 0
         && (kill(static_cast<pid_t>(process.pid), 0) == 0 || errno == EPERM);
}

void put_header(const trace_file_header& from, recorded_process& to) {
  to.host = from.host;
  to.pid = from.process;
  to.num_cpus = from.num_cpus;
  to.full = from.full;
  to.realtime_ns = from.realtime_ns;
  to.started_ns = from.monotonic_ns;
  to.seen_ns = std::max(to.seen_ns, from.monotonic_ns);
}

void put_names(const std::map<std::uint32_t, std::string>& from, recorded_process& to) {
  for (const auto& [number, text] : from) {
    if (number >= max_trace_strings)
      continue;
    if (number >= to.names.size())
      to.names.resize(number + 1);
    to.names[number] = text;
  }
}

/// True if the process ended in order.
bool take_segment(trace_file_contents from, recorded_process& to) {
  put_header(from.header, to);
  put_names(from.strings, to);
  to.recorded += from.num_records;
  if (from.stats) {
    to.seen_ns = std::max(to.seen_ns, from.stats->at_ns);
    to.stats = std::move(from.stats->stats);
  }
  if (from.moment) {
    to.actors = std::move(from.moment->actors);
    to.reason = std::move(from.moment->reason);
  }
  if (!from.end)
    return false;
  to.recorded = from.end->recorded;
  to.dropped = from.end->dropped;
  to.cut = from.end->cut;
  return true;
}

/// The mapping is newer than the files, whatever they say.
void take_rings(const trace_map& map, recorded_process& to) {
  const auto& header = map.header();
  put_header(header_of(map), to);
  to.stats = map.merged_stats();
  to.dropped = map.dropped();
  to.recorded = 0;
  to.actors = actor_states(map);
  to.fatal_signal = static_cast<int>(header.fatal_signal.load());
  to.last_words.assign(header.last_words.data(),
                       std::min<std::size_t>(header.last_words_bytes.load(), header.last_words.size()));
  to.seen_ns = std::max(to.seen_ns, header.last_seen_ns.load());
  std::vector<trace_record> newest;
  for (std::size_t i = 0; i < header.num_rings; ++i) {
    if (!map.ring_used(i))
      continue;
    const auto ring = map.ring(i);
    to.recorded += ring.head();
    newest.clear();
    ring.read(ring.head() - std::min<std::uint64_t>(ring.head(), 1), newest);
    for (const auto& record : newest)
      to.seen_ns = std::max({to.seen_ns, record.enqueued_ns, record.ended_ns});
  }
  std::map<std::uint32_t, std::string> names;
  for (std::uint32_t number = 1; number < max_trace_strings; ++number)
    if (auto text = map.strings().text(number); !text.empty())
      names[number] = std::move(text);
  put_names(names, to);
}

/// Nothing if no file of it can be read; `problems` says why.
std::optional<recorded_process> read_process(const std::string& id, const process_files& files,
                                             std::vector<std::string>& problems) {
  recorded_process process;
  process.id = id;
  bool any = false;
  bool ended = false;
  for (const auto& path : files.segments) {
    auto contents = read_trace_file(path);
    if (!contents) {
      problems.push_back(contents.error().context);
      continue;
    }
    problems.insert(problems.end(), contents->problems.begin(), contents->problems.end());
    process.files.push_back(path);
    ended = take_segment(std::move(*contents), process);
    any = true;
  }
  if (!ended && !files.rings.empty()) {
    if (auto map = trace_map::open(files.rings)) {
      process.rings = files.rings;
      take_rings(**map, process);
      any = true;
    } else {
      problems.push_back(map.error().context);
    }
  }
  if (!any)
    return std::nullopt;
  if (!ended)
    process.state = is_running(process) ? process_state::running : process_state::died;
  return process;
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
  process.files.push_back(path);
  process.state = process_state::running;
  take_segment(std::move(*contents), process);
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

void visit_records(const recorded_process& process, const process_record_visitor& visit) {
  std::map<std::uint32_t, std::uint64_t> next_position;
  for (const auto& path : process.files) {
    const auto contents = read_trace_file(path, [&](const record_batch& batch) {
      for (const auto& record : batch.records)
        visit(record);
    });
    if (contents)
      for (const auto& [ring, position] : contents->next_position)
        next_position[ring] = position;
  }
  if (process.rings.empty())
    return;
  const auto map = trace_map::open(process.rings);
  if (!map)
    return;
  std::vector<trace_record> records;
  for (std::size_t i = 0; i < (*map)->header().num_rings; ++i) {
    if (!(*map)->ring_used(i))
      continue;
    records.clear();
    (*map)->ring(i).read(next_position[static_cast<std::uint32_t>(i)], records);
    for (const auto& record : records)
      visit(record);
  }
}

} // namespace troupe
