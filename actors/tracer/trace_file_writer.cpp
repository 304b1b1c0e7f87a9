#include "actors/tracer/byte_codec.hpp"
#include "actors/tracer/record_codec.hpp"
#include "actors/tracer/trace_block.hpp"
#include "actors/tracer/trace_file.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <unistd.h>
#include <utility>

namespace troupe {

namespace {

/// Frame and payload in one write, so that a kill can only tear the end of the file.
expected<void> write_block(output_file& file, block_kind kind, const byte_writer& payload) {
  block_frame frame{block_magic, static_cast<std::uint32_t>(kind), static_cast<std::uint32_t>(payload.bytes().size()),
                    0};
  frame.checksum = checksum_of(frame, std::as_bytes(std::span{payload.bytes()}));
  std::string block(reinterpret_cast<const char*>(&frame), sizeof frame);
  block += payload.bytes();
  return file.write(block);
}

void put(byte_writer& to, const time_histogram& histogram) {
  to.put(histogram.sum_ns);
  to.put(histogram.max_ns);
  const auto in_use = [](std::uint64_t count) { return count != 0; };
  to.put(static_cast<std::uint16_t>(std::count_if(histogram.buckets.begin(), histogram.buckets.end(), in_use)));
  for (std::size_t i = 0; i < histogram.buckets.size(); ++i) {
    if (!in_use(histogram.buckets[i]))
      continue;
    to.put(static_cast<std::uint16_t>(i));
    to.put(histogram.buckets[i]);
  }
}

} // namespace

trace_file_header header_of(const trace_map& map) {
  const auto& from = map.header();
  const auto host_bytes = strnlen(from.host.data(), from.host.size());
  return {from.nonce,
          from.process,
          from.monotonic_ns,
          from.realtime_ns,
          from.policy == static_cast<std::uint32_t>(ring_policy::keep_all),
          static_cast<std::uint32_t>(from.num_cpus),
          1,
          std::string(from.host.data(), host_bytes)};
}

expected<trace_file_writer> trace_file_writer::create(const std::string& path, const trace_file_header& header) {
  auto file = output_file::create(path);
  if (!file)
    return failure{file.error().code, "tracer: " + file.error().context};
  byte_writer payload;
  payload.put(trace_file_version);
  payload.put(static_cast<std::uint32_t>(header.full));
  payload.put(header.nonce);
  payload.put(header.process);
  payload.put(header.monotonic_ns);
  payload.put(header.realtime_ns);
  payload.put(static_cast<std::uint32_t>(sizeof(trace_record)));
  payload.put(header.num_cpus);
  payload.put(header.segment);
  payload.put(static_cast<std::uint32_t>(header.host.size()));
  payload.put(header.host);
  if (auto written = write_block(*file, block_kind::header, payload); !written) {
    ::unlink(path.c_str()); // Half a header is no trace.
    return written.error();
  }
  return trace_file_writer{std::move(*file)};
}

expected<void> trace_file_writer::write(const std::map<std::uint32_t, std::string>& strings) {
  byte_writer payload;
  for (const auto& [number, text] : strings) {
    payload.put(number);
    payload.put(static_cast<std::uint16_t>(text.size()));
    payload.put(text);
  }
  return write_block(file_, block_kind::strings, payload);
}

expected<void> trace_file_writer::write(const record_batch& batch) {
  byte_writer payload;
  payload.put(batch.ring);
  payload.put(static_cast<std::uint32_t>(batch.records.size()));
  payload.put(batch.position);
  put_records(payload, batch.records);
  return write_block(file_, block_kind::records, payload);
}

expected<void> trace_file_writer::write(const stats_block& block) {
  byte_writer payload;
  payload.put(block.at_ns);
  payload.put(static_cast<std::uint32_t>(block.stats.size()));
  for (const auto& [key, stats] : block.stats) {
    payload.put(pack(key));
    for (auto each : stats.outcomes)
      payload.put(each);
    payload.put(stats.bytes);
    payload.put(stats.first_ns);
    payload.put(stats.last_ns);
    put(payload, stats.wait);
    put(payload, stats.handling);
  }
  return write_block(file_, block_kind::stats, payload);
}

expected<void> trace_file_writer::write(const end_block& block) {
  byte_writer payload;
  payload.put(block.at_ns);
  payload.put(block.recorded);
  payload.put(block.dropped);
  payload.put(block.io_errors);
  payload.put(block.cut);
  return write_block(file_, block_kind::end, payload);
}

expected<void> trace_file_writer::write(const moment_block& block) {
  byte_writer payload;
  payload.put(block.at_ns);
  payload.put(static_cast<std::uint32_t>(block.reason.size()));
  payload.put(block.reason);
  payload.put(static_cast<std::uint32_t>(block.actors.size()));
  for (const auto& actor : block.actors) {
    const auto now = actor.now.value_or(handling{});
    payload.put(actor.name);
    payload.put(actor.mailbox_depth);
    payload.put(static_cast<std::uint8_t>(actor.now.has_value()));
    payload.put(now.message);
    payload.put(now.since_ns);
    payload.put(now.type);
    for (const auto id : {now.ids.sample, now.ids.batch, now.ids.step, now.ids.version})
      payload.put(id);
  }
  return write_block(file_, block_kind::moment, payload);
}

expected<void> trace_file_writer::close() {
  if (auto synced = file_.sync(); !synced)
    return synced;
  return file_.close();
}

} // namespace troupe
