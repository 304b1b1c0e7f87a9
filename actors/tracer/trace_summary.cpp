#include "actors/tracer/trace_summary.hpp"

#include "actors/glue/trace_map.hpp"
#include "actors/tracer/trace_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>
#include <sys/types.h>
#include <unistd.h>
#include <utility>

namespace troupe {

namespace fs = std::filesystem;

namespace {

using summary_key = std::pair<std::string, std::string>;

/// The files of one process; one of them may be missing.
struct process_files {
  std::string trace;
  std::string rings;
};

/// What the files of one process say.
struct process_trace {
  traced_process process;
  std::int64_t started_ns = 0; ///< CLOCK_REALTIME
  stats_map stats;
  std::map<std::uint32_t, std::string> strings;
};

std::optional<std::string> nonce_in(std::string_view name, std::string_view prefix, std::string_view suffix) {
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
    if (auto nonce = nonce_in(name, "run-", ".trc"))
      found[*nonce].trace = entry->path().string();
    else if ((nonce = nonce_in(name, "rings-", ".bin")))
      found[*nonce].rings = entry->path().string();
  }
  if (error && error != std::errc::no_such_file_or_directory)
    return failure{ec::io_error, "trace: cannot list " + folder + ": " + error.message()};
  if (found.empty())
    return failure{ec::not_found, "trace: no trace in " + folder + ": expected run-*.trc or rings-*.bin"};
  return found;
}

/// Only a guess across machines: a process of that number runs here.
bool is_running(const traced_process& process) {
  std::array<char, 64> host{};
  gethostname(host.data(), host.size() - 1);
  return process.host == host.data() && process.pid > 0
         && (kill(static_cast<pid_t>(process.pid), 0) == 0 || errno == EPERM);
}

double seconds_between(std::int64_t from_ns, std::int64_t until_ns) {
  return static_cast<double>(std::max<std::int64_t>(until_ns - from_ns, 0)) * 1e-9;
}

void put_header(const trace_file_header& from, process_trace& to) {
  to.process.host = from.host;
  to.process.pid = from.process;
  to.started_ns = from.realtime_ns;
}

void take_file(trace_file_contents from, process_trace& to) {
  put_header(from.header, to);
  to.strings = std::move(from.strings);
  to.process.recorded = from.num_records;
  if (from.stats) {
    to.process.seconds = seconds_between(from.header.monotonic_ns, from.stats->at_ns);
    to.stats = std::move(from.stats->stats);
  }
  if (from.end) {
    to.process.recorded = from.end->recorded;
    to.process.dropped = from.end->dropped;
  }
}

/// The mapping is newer than the file, whatever the file says.
void take_rings(const trace_map& map, process_trace& to) {
  const auto& header = map.header();
  put_header(header_of(map), to);
  to.stats = map.merged_stats();
  to.process.dropped = map.dropped();
  to.process.recorded = 0;
  auto last_ns = header.last_seen_ns.load();
  std::vector<trace_record> newest;
  for (std::size_t i = 0; i < header.num_rings; ++i) {
    if (!map.ring_used(i))
      continue;
    const auto ring = map.ring(i);
    to.process.recorded += ring.head();
    newest.clear();
    ring.read(ring.head() - std::min<std::uint64_t>(ring.head(), 1), newest);
    for (const auto& record : newest)
      last_ns = std::max({last_ns, record.enqueued_ns, record.ended_ns});
  }
  to.process.seconds = seconds_between(header.monotonic_ns, last_ns);
  for (std::uint32_t number = 1; number < max_trace_strings; ++number)
    if (auto text = map.strings().text(number); !text.empty())
      to.strings[number] = std::move(text);
}

/// Nothing if neither file can be read; `problems` says why.
std::optional<process_trace> read_process(const std::string& nonce, const process_files& files,
                                          std::vector<std::string>& problems) {
  process_trace trace;
  trace.process.id = nonce;
  bool any = false;
  bool ended = false;
  if (!files.trace.empty()) {
    if (auto contents = read_trace_file(files.trace)) {
      problems.insert(problems.end(), contents->problems.begin(), contents->problems.end());
      any = true;
      ended = contents->end.has_value();
      take_file(std::move(*contents), trace);
    } else {
      problems.push_back(contents.error().context);
    }
  }
  if (!ended && !files.rings.empty()) {
    if (auto map = trace_map::open(files.rings)) {
      any = true;
      take_rings(**map, trace);
    } else {
      problems.push_back(map.error().context);
    }
  }
  if (!any)
    return std::nullopt;
  if (!ended)
    trace.process.state = is_running(trace.process) ? process_state::running : process_state::died;
  return trace;
}

std::string text_of(const process_trace& trace, std::uint32_t number) {
  const auto found = trace.strings.find(number);
  return found == trace.strings.end() ? "(other)" : found->second;
}

} // namespace

expected<trace_summary> summarize_trace(const std::string& folder) {
  auto files = find_files(folder);
  if (!files)
    return files.error();
  trace_summary summary;
  std::vector<process_trace> traces;
  for (const auto& [nonce, paths] : *files)
    if (auto trace = read_process(nonce, paths, summary.problems))
      traces.push_back(std::move(*trace));
  if (traces.empty())
    return failure{ec::corrupt,
                   summary.problems.empty() ? "trace: " + folder + ": unreadable" : summary.problems.front()};
  std::stable_sort(traces.begin(), traces.end(),
                   [](const auto& a, const auto& b) { return a.started_ns < b.started_ns; });
  std::map<summary_key, message_stats> merged;
  for (auto& trace : traces) {
    for (const auto& [key, stats] : trace.stats)
      merged[{text_of(trace, key.receiver), text_of(trace, key.type)}].merge(stats);
    summary.seconds += trace.process.seconds;
    summary.recorded += trace.process.recorded;
    summary.dropped += trace.process.dropped;
    summary.processes.push_back(std::move(trace.process));
  }
  for (auto& [key, stats] : merged)
    summary.rows.push_back({key.first, key.second, stats});
  return summary;
}

} // namespace troupe
