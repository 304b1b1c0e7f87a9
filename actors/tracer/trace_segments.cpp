#include "actors/tracer/trace_segments.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <unistd.h>
#include <utility>

namespace troupe {

std::string trace_file_name(const char* prefix, std::uint64_t nonce, std::uint64_t number) {
  std::array<char, 64> name{};
  std::snprintf(name.data(), name.size(), "%s-%016llx-%06llu.trc", prefix, static_cast<unsigned long long>(nonce),
                static_cast<unsigned long long>(number));
  return name.data();
}

trace_segments::trace_segments(std::string folder, const trace_file_header& header, std::uint64_t max_bytes)
  : folder_(std::move(folder)), header_(header), max_bytes_(max_bytes) {
  header_.segment = 0;
}

expected<trace_segments> trace_segments::create(std::string folder, const trace_file_header& header,
                                                std::uint64_t max_bytes) {
  trace_segments segments(std::move(folder), header, max_bytes);
  if (auto opened = segments.open_next(); !opened)
    return opened.error();
  return segments;
}

/// An eighth of what is allowed, so that most of it stays when the oldest segment goes.
std::uint64_t trace_segments::max_segment_bytes() const noexcept {
  return std::clamp<std::uint64_t>(max_bytes_ / 8, 1, std::uint64_t{256} << 20);
}

expected<void> trace_segments::open_next() {
  auto header = header_;
  ++header.segment;
  const auto path = folder_ + "/" + trace_file_name("run", header.nonce, header.segment);
  auto file = trace_file_writer::create(path, header);
  if (!file)
    return file.error();
  if (auto written = strings_.empty() ? expected<void>{} : file->write(strings_); !written) {
    ::unlink(path.c_str()); // The next block tries again: no segment goes without its names.
    return written;
  }
  header_ = header;
  newest_.emplace(std::move(*file));
  newest_records_ = 0;
  return {};
}

expected<void> trace_segments::write(const std::map<std::uint32_t, std::string>& strings) {
  if (auto open = open_if_closed(); !open)
    return open;
  if (auto written = newest_->write(strings); !written)
    return written;
  strings_.insert(strings.begin(), strings.end());
  return {};
}

expected<void> trace_segments::write(const record_batch& batch) {
  if (auto open = open_if_closed(); !open)
    return open;
  if (auto written = newest_->write(batch); !written)
    return written;
  newest_records_ += batch.records.size();
  rotate_if_full();
  return {};
}

void trace_segments::rotate_if_full() {
  if (newest_->num_bytes() < max_segment_bytes())
    return;
  closed_.push_back({newest_->path(), newest_->num_bytes(), newest_records_});
  if (auto closed = close(); !closed)
    problem_ = closed;
  make_room();
}

expected<void> trace_segments::close() {
  if (!newest_)
    return {};
  auto closed = newest_->close();
  newest_.reset();
  return closed;
}

void trace_segments::make_room() noexcept {
  auto total = max_segment_bytes(); // That the next one may grow to.
  for (const auto& segment : closed_)
    total += segment.num_bytes;
  for (; total > max_bytes_ && !closed_.empty(); closed_.pop_front()) {
    ::unlink(closed_.front().path.c_str());
    total -= closed_.front().num_bytes;
    num_cut_ += closed_.front().num_records;
  }
}

} // namespace troupe
