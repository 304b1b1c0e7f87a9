#include "actors/tracer/process_reader.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <map>
#include <sys/types.h>
#include <unistd.h>

namespace troupe {

namespace {

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

using positions = std::map<std::uint32_t, std::uint64_t>; // By ring.

std::uint64_t sum_of(const positions& numbers) {
  std::uint64_t total = 0;
  for (const auto& each : numbers)
    total += each.second;
  return total;
}

} // namespace

bool take_file(const std::string& path, trace_file_contents from, recorded_process& to) {
  to.files.push_back(path);
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

namespace {

/// The newest time that a ring's last record speaks of.
std::int64_t last_time_in(const trace_ring& ring) {
  std::vector<trace_record> newest;
  ring.read(ring.head() - std::min<std::uint64_t>(ring.head(), 1), newest);
  std::int64_t last_ns = 0;
  for (const auto& record : newest)
    last_ns = std::max({last_ns, record.enqueued_ns, record.ended_ns});
  return last_ns;
}

void take_names(const trace_map& map, recorded_process& to) {
  std::map<std::uint32_t, std::string> names;
  for (std::uint32_t number = 1; number < max_trace_strings; ++number)
    if (auto text = map.strings().text(number); !text.empty())
      names[number] = std::move(text);
  put_names(names, to);
}

/// Of a process that did not end in order: the mapping is newer than the files, whatever they say.
void take_rings(const trace_map& map, positions next, recorded_process& to) {
  const auto& header = map.header();
  put_header(header_of(map), to);
  to.stats = map.merged_stats();
  to.dropped = map.dropped();
  to.actors = map.actor_states();
  to.fatal_signal = static_cast<int>(header.fatal_signal.load());
  to.last_words.assign(header.last_words.data(),
                       std::min<std::size_t>(header.last_words_bytes.load(), header.last_words.size()));
  to.seen_ns = std::max(to.seen_ns, header.last_seen_ns.load());
  for (std::size_t i = 0; i < header.num_rings; ++i) {
    if (!map.ring_used(i))
      continue;
    auto& known = next[static_cast<std::uint32_t>(i)];
    known = std::max(known, map.ring(i).head());
    to.seen_ns = std::max(to.seen_ns, last_time_in(map.ring(i)));
  }
  to.recorded = sum_of(next);
}

/// The last sign of life of a process of which nothing but records is left.
void take_times(recorded_process& to) {
  visit_records(to, [&](const trace_record& record) {
    to.seen_ns = std::max({to.seen_ns, record.enqueued_ns, record.ended_ns});
  });
}

/// The lock tells where there is a mapping; without one it is a guess: a process of that number runs here.
bool is_running(const recorded_process& process, const process_files& files) {
  if (!files.rings.empty())
    return trace_map::is_held(files.rings);
  std::array<char, 64> host{};
  gethostname(host.data(), host.size() - 1);
  return process.host == host.data() && process.pid > 0
         && (kill(static_cast<pid_t>(process.pid), 0) == 0 || errno == EPERM);
}

/// What is known of a process after its trace files.
struct files_state {
  bool ended = false;
  positions first; ///< The number of the oldest record that is left, and
  positions next;  ///< the one after the newest.
  std::uint32_t first_segment = 1;
};

files_state take_files(const process_files& files, recorded_process& to, std::vector<std::string>& problems) {
  files_state state;
  for (const auto& path : files.segments) {
    auto contents = read_trace_file(path);
    if (!contents) {
      problems.push_back(contents.error().context);
      continue;
    }
    problems.insert(problems.end(), contents->problems.begin(), contents->problems.end());
    if (to.files.empty())
      state.first_segment = contents->header.segment;
    state.first.insert(contents->first_position.begin(), contents->first_position.end());
    for (const auto& [ring, position] : contents->next_position)
      state.next[ring] = position;
    state.ended = take_file(path, std::move(*contents), to);
  }
  return state;
}

} // namespace

std::optional<recorded_process> read_process(const std::string& id, const process_files& files,
                                             std::vector<std::string>& problems) {
  recorded_process process;
  process.id = id;
  const auto state = take_files(files, process, problems);
  if (!files.rings.empty()) {
    if (auto map = trace_map::open(files.rings)) {
      process.rings = files.rings;
      take_names(**map, process);
      if (!state.ended)
        take_rings(**map, state.next, process);
      if (const auto lost = (*map)->header().rings_in_memory.load(); lost > 0 && !state.ended)
        problems.push_back(files.rings + ": there was no room for the rings of " + std::to_string(lost)
                           + " threads: of what they held, only the trace files know");
    } else {
      problems.push_back(map.error().context);
    }
  }
  if (process.files.empty() && process.rings.empty())
    return std::nullopt;
  if (state.ended)
    return process;
  process.state = is_running(process, files) ? process_state::running : process_state::died;
  if (process.full && state.first_segment > 1)
    process.cut = sum_of(state.first);
  if (process.rings.empty())
    take_times(process);
  return process;
}

} // namespace troupe
