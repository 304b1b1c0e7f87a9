#include "actors/tracer/byte_codec.hpp"
#include "actors/tracer/record_codec.hpp"
#include "actors/tracer/trace_block.hpp"
#include "actors/tracer/trace_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <utility>

namespace troupe {

namespace {

/// A file's bytes as they are now, for reading.
class mapped_file {
public:
  explicit mapped_file(std::span<const std::byte> bytes) noexcept : bytes_(bytes) {}
  mapped_file(mapped_file&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  mapped_file& operator=(mapped_file&&) = delete;
  ~mapped_file() {
    if (!bytes_.empty())
      munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
  }
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return bytes_; }

  /// Gives the memory of what comes before `offset` back, now and then: a trace may be larger than the memory.
  void done_until(std::size_t offset) noexcept {
    constexpr std::size_t step = std::size_t{16} << 20;
    for (; given_back_ + step <= offset; given_back_ += step)
      madvise(const_cast<std::byte*>(bytes_.data()) + given_back_, step, MADV_DONTNEED);
  }

private:
  std::span<const std::byte> bytes_;
  std::size_t given_back_ = 0;
};

expected<mapped_file> map_file(const std::string& path) {
  const file_descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  struct stat status {};
  if (file.number() < 0 || fstat(file.number(), &status) != 0)
    return failure{errno == ENOENT ? ec::not_found : ec::io_error,
                   "trace: cannot open " + path + ": " + std::strerror(errno)}; // NOLINT: glibc's is thread-safe.
  const auto num_bytes = static_cast<std::size_t>(status.st_size);
  if (num_bytes == 0)
    return mapped_file{{}};
  auto* base = mmap(nullptr, num_bytes, PROT_READ, MAP_SHARED, file.number(), 0);
  if (base == MAP_FAILED)
    return failure{ec::io_error, "trace: cannot map " + path + ": " + std::strerror(errno)}; // NOLINT
  return mapped_file{{static_cast<const std::byte*>(base), num_bytes}};
}

/// The frame and payload at `offset`, if they are whole and undamaged.
std::optional<std::pair<block_frame, std::span<const std::byte>>> block_at(std::span<const std::byte> bytes,
                                                                           std::size_t offset) noexcept {
  block_frame frame;
  if (bytes.size() - offset < sizeof frame)
    return std::nullopt;
  std::memcpy(&frame, bytes.data() + offset, sizeof frame);
  if (frame.magic != block_magic || frame.payload_bytes > max_payload_bytes
      || bytes.size() - offset - sizeof frame < frame.payload_bytes)
    return std::nullopt;
  const auto payload = bytes.subspan(offset + sizeof frame, frame.payload_bytes);
  if (checksum_of(frame, payload) != frame.checksum)
    return std::nullopt;
  return std::pair{frame, payload};
}

bool take_header(byte_reader from, trace_file_header& to, std::uint32_t& version) {
  version = from.take<std::uint32_t>();
  to.full = from.take<std::uint32_t>() != 0;
  to.nonce = from.take<std::uint64_t>();
  to.process = from.take<std::uint64_t>();
  to.monotonic_ns = from.take<std::int64_t>();
  to.realtime_ns = from.take<std::int64_t>();
  const auto record_bytes = from.take<std::uint32_t>();
  to.num_cpus = from.take<std::uint32_t>();
  to.segment = from.take<std::uint32_t>();
  to.host = from.take_text(from.take<std::uint32_t>());
  return from.ok() && record_bytes == sizeof(trace_record);
}

bool take_strings(byte_reader from, std::map<std::uint32_t, std::string>& to) {
  while (from.ok() && !from.done()) {
    const auto number = from.take<std::uint32_t>();
    auto text = from.take_text(from.take<std::uint16_t>());
    if (from.ok())
      to[number] = std::move(text);
  }
  return from.ok();
}

bool take_batch(byte_reader from, trace_file_contents& to, const record_visitor& visit) {
  const auto ring = from.take<std::uint32_t>();
  const std::size_t num_records = from.take<std::uint32_t>();
  const auto position = from.take<std::uint64_t>();
  if (!from.ok())
    return false;
  to.num_records += num_records;
  to.first_position.try_emplace(ring, position);
  to.next_position[ring] = position + num_records;
  if (!visit)
    return true;
  std::vector<trace_record> records;
  if (!take_records(from, num_records, records))
    return false;
  visit({ring, position, records});
  return true;
}

void take_histogram(byte_reader& from, time_histogram& to) {
  to.sum_ns = from.take<std::uint64_t>();
  to.max_ns = from.take<std::uint64_t>();
  for (std::size_t left = from.take<std::uint16_t>(); left > 0 && from.ok(); --left) {
    const std::size_t bucket = from.take<std::uint16_t>();
    to.buckets[std::min(bucket, num_time_buckets - 1)] += from.take<std::uint64_t>();
  }
}

bool take_stats(byte_reader from, std::optional<stats_block>& to) {
  stats_block block;
  block.at_ns = from.take<std::int64_t>();
  for (std::size_t left = from.take<std::uint32_t>(); left > 0 && from.ok(); --left) {
    auto& stats = block.stats[unpack(from.take<std::uint64_t>())];
    for (auto& each : stats.outcomes)
      each = from.take<std::uint64_t>();
    stats.bytes = from.take<std::uint64_t>();
    stats.first_ns = from.take<std::int64_t>();
    stats.last_ns = from.take<std::int64_t>();
    take_histogram(from, stats.wait);
    take_histogram(from, stats.handling);
  }
  if (from.ok())
    to = std::move(block);
  return from.ok();
}

bool take_end(byte_reader from, std::optional<end_block>& to) {
  end_block block;
  block.at_ns = from.take<std::int64_t>();
  block.recorded = from.take<std::uint64_t>();
  block.dropped = from.take<std::uint64_t>();
  block.io_errors = from.take<std::uint64_t>();
  block.cut = from.take<std::uint64_t>();
  if (from.ok())
    to = block;
  return from.ok();
}

bool take_moment(byte_reader from, std::optional<moment_block>& to) {
  moment_block block;
  block.at_ns = from.take<std::int64_t>();
  block.reason = from.take_text(from.take<std::uint32_t>());
  for (std::size_t left = from.take<std::uint32_t>(); left > 0 && from.ok(); --left) {
    auto& actor = block.actors.emplace_back();
    actor.name = from.take<std::uint32_t>();
    actor.mailbox_depth = from.take<std::uint64_t>();
    const bool busy = from.take<std::uint8_t>() != 0;
    handling now;
    now.message = from.take<std::uint64_t>();
    now.since_ns = from.take<std::int64_t>();
    now.type = from.take<std::uint32_t>();
    for (auto* id : {&now.ids.sample, &now.ids.batch, &now.ids.step, &now.ids.version})
      *id = from.take<std::uint64_t>();
    if (busy)
      actor.now = now;
  }
  if (from.ok())
    to = std::move(block);
  return from.ok();
}

/// False if the payload is not what its kind says. Kinds of later versions are passed over.
bool take_block(block_kind kind, byte_reader payload, trace_file_contents& to, const record_visitor& visit) {
  switch (kind) {
  case block_kind::header:
    return true; // Read before; there is one.
  case block_kind::strings:
    return take_strings(payload, to.strings);
  case block_kind::records:
    return take_batch(payload, to, visit);
  case block_kind::stats:
    return take_stats(payload, to.stats);
  case block_kind::end:
    return take_end(payload, to.end);
  case block_kind::moment:
    return take_moment(payload, to.moment);
  }
  return true;
}

/// The next place after `offset` where a whole block begins; the end if there is none.
std::size_t find_block(std::span<const std::byte> bytes, std::size_t offset) {
  static constexpr auto magic = std::bit_cast<std::array<std::byte, 4>>(block_magic);
  while (true) {
    const auto found =
      std::search(bytes.begin() + static_cast<std::ptrdiff_t>(offset), bytes.end(), magic.begin(), magic.end());
    offset = static_cast<std::size_t>(found - bytes.begin());
    if (found == bytes.end() || block_at(bytes, offset))
      return offset;
    ++offset;
  }
}

} // namespace

expected<trace_file_contents> read_trace_file(const std::string& path, const record_visitor& visit) {
  auto file = map_file(path);
  if (!file)
    return file.error();
  const auto bytes = file->bytes();
  const auto first = block_at(bytes, 0);
  trace_file_contents contents;
  std::uint32_t version = 0;
  if (!first || first->first.kind != static_cast<std::uint32_t>(block_kind::header)
      || !take_header(byte_reader{first->second}, contents.header, version))
    return failure{ec::corrupt, "trace: " + path + ": no trace file header at byte 0"};
  if (version != trace_file_version)
    return failure{ec::unsupported, "trace: " + path + ": version " + std::to_string(version) + ", expected "
                                      + std::to_string(trace_file_version)};
  for (std::size_t offset = 0; offset < bytes.size();) {
    const auto block = block_at(bytes, offset);
    if (!block) {
      const auto next = find_block(bytes, offset + 1);
      contents.problems.push_back(path + ": bytes " + std::to_string(offset) + " to " + std::to_string(next)
                                  + " are damaged or torn: skipped");
      offset = next;
      continue;
    }
    if (!take_block(static_cast<block_kind>(block->first.kind), byte_reader{block->second}, contents, visit))
      contents.problems.push_back(path + ": the block at byte " + std::to_string(offset)
                                  + " contradicts itself: skipped");
    offset += sizeof(block_frame) + block->first.payload_bytes;
    file->done_until(offset);
  }
  return contents;
}

} // namespace troupe
