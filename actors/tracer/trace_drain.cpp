#include "actors/tracer/trace_drain.hpp"

#include <array>
#include <cstdio>
#include <map>

namespace troupe {

namespace {

std::string file_name(std::uint64_t nonce) {
  std::array<char, 40> name{};
  std::snprintf(name.data(), name.size(), "/run-%016llx.trc", static_cast<unsigned long long>(nonce));
  return name.data();
}

} // namespace

trace_drain::trace_drain(trace_recorder& recorder, const std::string& folder)
  : recorder_(recorder), problem_(recorder.map().problem()) {
  const auto header = header_of(recorder.map());
  if (auto file = trace_file_writer::create(folder + file_name(header.nonce), header))
    file_.emplace(std::move(*file));
  else
    note(file.error());
}

void trace_drain::drain() {
  auto& map = recorder_.map();
  for (std::size_t i = 0; i < map.header().num_rings; ++i)
    if (map.ring_used(i))
      drain_ring(i);
  write_new_strings(); // After the records were taken: every name that they use is complete by now.
}

void trace_drain::drain_ring(std::size_t index) {
  auto ring = recorder_.map().ring(index);
  buffer_.clear();
  const auto begin = ring.tail();
  const auto end = ring.read(begin, buffer_);
  if (end == begin)
    return;
  if (!write(record_batch{static_cast<std::uint32_t>(index), end - buffer_.size(), buffer_}))
    lost_records_ += buffer_.size();
  ring.release_until(end);
}

void trace_drain::tally(std::int64_t now_ns) {
  recorder_.map().header().last_seen_ns.store(now_ns, std::memory_order_relaxed);
  const stats_block block{now_ns, recorder_.map().merged_stats()};
  write_new_strings();
  write(block);
}

end_block trace_drain::finish(std::int64_t now_ns) {
  recorder_.stop();
  drain();
  tally(now_ns);
  if (const auto count = recorder_.map().header().rings_in_memory.load(); count > 0 && problem_.empty())
    problem_ = "tracer: " + std::to_string(count) + " rings found no room on the disk: a crash would have lost them";
  const auto totals = recorder_.totals();
  end_block end{now_ns, totals.recorded - lost_records_, totals.dropped + lost_records_, io_errors_};
  write(end);
  if (file_)
    note(file_->close());
  file_.reset();
  if (io_errors_ == 0)
    recorder_.remove_file();
  end.io_errors = io_errors_;
  return end;
}

void trace_drain::write_new_strings() {
  const auto strings = recorder_.map().strings();
  if (strings.size() == stored_strings_.count())
    return;
  std::map<std::uint32_t, std::string> fresh;
  for (std::uint32_t number = 1; number < max_trace_strings; ++number) {
    if (stored_strings_[number])
      continue;
    if (auto text = strings.text(number); !text.empty())
      fresh.emplace(number, std::move(text));
  }
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
