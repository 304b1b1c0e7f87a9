#include "actors/tracer/trace_drain.hpp"

#include <map>
#include <unistd.h>
#include <utility>

namespace troupe {

namespace {

/// Of so many tallies one is written where the mapping has the counts too: the file is for those that see no mapping.
constexpr std::uint64_t tallies_per_block = 12;

/// Flight recorders that are kept of a process.
constexpr std::uint64_t max_dumps = 16;

} // namespace

trace_drain::trace_drain(trace_recorder& recorder, const std::string& folder, std::uint64_t max_bytes)
  : recorder_(recorder), folder_(folder), problem_(recorder.map().problem()) {
  if (auto file = trace_segments::create(folder, header_of(recorder.map()), max_bytes))
    file_.emplace(std::move(*file));
  else
    note(file.error());
}

void trace_drain::drain() {
  auto& map = recorder_.map();
  for (std::size_t i = 0; i < map.header().num_rings; ++i)
    if (map.ring_used(i))
      drain_ring(i);
}

void trace_drain::drain_ring(std::size_t index) {
  auto ring = recorder_.map().ring(index);
  buffer_.clear();
  const auto begin = ring.tail();
  const auto end = ring.read(begin, buffer_);
  if (end == begin)
    return;
  write_new_strings(); // The records were taken before: every name that they use is complete by now.
  if (!write(record_batch{static_cast<std::uint32_t>(index), end - buffer_.size(), buffer_}))
    recorder_.map().header().lost.fetch_add(buffer_.size(), std::memory_order_relaxed);
  if (file_)
    note(file_->take_problem());
  ring.release_until(end);
}

void trace_drain::tally(std::int64_t now_ns) {
  recorder_.map().header().last_seen_ns.store(now_ns, std::memory_order_relaxed);
  if (recorder_.map().path().empty() || num_tallies_++ % tallies_per_block == 0)
    write_tally(now_ns);
}

void trace_drain::write_tally(std::int64_t now_ns) {
  const stats_block block{now_ns, recorder_.map().merged_stats()};
  write_new_strings();
  write(block);
}

end_block trace_drain::finish(std::int64_t now_ns) {
  recorder_.stop();
  drain();
  recorder_.map().header().last_seen_ns.store(now_ns, std::memory_order_relaxed);
  write_tally(now_ns);
  if (const auto count = recorder_.map().header().rings_in_memory.load(); count > 0 && problem_.empty())
    problem_ = "tracer: " + std::to_string(count) + " rings found no room on the disk: a crash would have lost them";
  auto end = books(now_ns);
  write(end);
  if (file_)
    note(file_->close());
  file_.reset();
  if (io_errors_ == 0)
    recorder_.remove_file();
  end.io_errors = io_errors_;
  return end;
}

end_block trace_drain::books(std::int64_t now_ns) const {
  const auto totals = recorder_.totals();
  const auto lost = recorder_.map().header().lost.load(std::memory_order_relaxed);
  return {now_ns, totals.recorded - lost, totals.dropped, io_errors_, file_ ? file_->num_cut() : 0};
}

expected<std::string> trace_drain::dump(std::int64_t now_ns, const std::string& reason) {
  const auto header = header_of(recorder_.map());
  const auto path_of = [&](std::uint64_t number) {
    return folder_ + "/" + trace_file_name("flight", header.nonce, number);
  };
  if (++num_dumps_ > max_dumps)
    ::unlink(path_of(num_dumps_ - max_dumps).c_str());
  const auto path = path_of(num_dumps_);
  auto file = trace_file_writer::create(path, header);
  if (!file)
    return file.error();
  if (auto written = write_dump(*file, now_ns, reason); !written) {
    ::unlink(path.c_str());
    return written.error();
  }
  return path;
}

expected<void> trace_drain::write_dump(trace_file_writer& file, std::int64_t now_ns, const std::string& reason) const {
  auto& map = recorder_.map();
  auto written = file.write(moment_block{now_ns, reason, map.actor_states()});
  for (std::size_t i = 0; written && i < map.header().num_rings; ++i) {
    if (!map.ring_used(i))
      continue;
    std::vector<trace_record> records;
    const auto end = map.ring(i).read(0, records);
    written = file.write(record_batch{static_cast<std::uint32_t>(i), end - records.size(), records});
  }
  if (written)
    written = file.write(stats_block{now_ns, map.merged_stats()});
  if (written)
    written = file.write(strings_not_in({}));
  if (written)
    written = file.write(books(now_ns));
  return written ? file.close() : written;
}

std::map<std::uint32_t, std::string> trace_drain::strings_not_in(const std::bitset<max_trace_strings>& stored) const {
  std::map<std::uint32_t, std::string> found;
  const auto strings = recorder_.map().strings();
  for (std::uint32_t number = 1; number < max_trace_strings; ++number)
    if (!stored[number])
      if (auto text = strings.text(number); !text.empty())
        found.emplace(number, std::move(text));
  return found;
}

void trace_drain::write_new_strings() {
  if (recorder_.map().strings().size() == stored_strings_.count())
    return;
  const auto fresh = strings_not_in(stored_strings_);
  if (fresh.empty() || !write(fresh))
    return;
  for (const auto& entry : fresh)
    stored_strings_.set(entry.first);
}

template <class Block>
bool trace_drain::write(const Block& block) {
  return file_ && note(file_->write(block));
}

bool trace_drain::note(const expected<void>& result) {
  if (result)
    return true;
  ++io_errors_;
  if (problem_.empty())
    problem_ = result.error().context;
  return false;
}

} // namespace troupe
