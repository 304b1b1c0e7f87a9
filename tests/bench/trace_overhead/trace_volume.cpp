// A large trace, to see what it weighs and what reading it costs:
//   bench_trace_volume FOLDER [MILLIONS OF MESSAGES] && /usr/bin/time -v troupe trace summary FOLDER
// Prints bytes per message and messages per second.
#include "actors/glue/trace_recorder.hpp"
#include "actors/tracer/trace_segments.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <vector>

namespace {

constexpr std::size_t records_per_block = 4096;
constexpr std::uint32_t num_actors = 12;
constexpr std::uint32_t num_types = 16;

/// Messages as they come one after the other: 20 us apart, with the times of a pipeline.
troupe::trace_record make_record(std::uint64_t number, std::int64_t start_ns) {
  const auto noise = static_cast<std::int64_t>((number * 0x9e3779b97f4a7c15) >> 48);
  const auto sent = start_ns + static_cast<std::int64_t>(number) * 20'000;
  return {.message = number + 1,
          .cause = number,
          .root = number - number % 64,
          .enqueued_ns = sent,
          .dequeued_ns = sent + 1'000 + noise,
          .ended_ns = sent + 5'000 + 3 * noise,
          .batch = number / 64,
          .bytes = 4'000,
          .sender = static_cast<std::uint32_t>(1 + number % num_actors),
          .receiver = static_cast<std::uint32_t>(1 + (number / 3) % num_actors),
          .name = static_cast<std::uint32_t>(num_actors + 1 + number % num_types)};
}

std::map<std::uint32_t, std::string> names() {
  std::map<std::uint32_t, std::string> out;
  for (std::uint32_t i = 1; i <= num_actors; ++i)
    out[i] = "augmenter#" + std::to_string(i);
  for (std::uint32_t i = 1; i <= num_types; ++i)
    out[num_actors + i] = "message_" + std::to_string(i);
  return out;
}

/// False if the disk would not take it.
bool write_trace(const std::string& folder, std::uint64_t num_messages) {
  constexpr std::int64_t start_ns = 1'000'000'000;
  troupe::trace_file_header header;
  header.nonce = 1;
  header.monotonic_ns = start_ns;
  header.full = true;
  auto file = troupe::trace_segments::create(folder, header, std::uint64_t{1} << 40);
  if (!file || !file->write(names()))
    return false;
  const auto table = std::make_unique<std::byte[]>(troupe::max_stats_rows * sizeof(troupe::stats_row));
  troupe::trace_stats stats{reinterpret_cast<troupe::stats_row*>(table.get())};
  std::vector<troupe::trace_record> block;
  for (std::uint64_t done = 0; done < num_messages; done += block.size()) {
    block.clear();
    for (auto i = done; i < num_messages && block.size() < records_per_block; ++i) {
      block.push_back(make_record(i, start_ns));
      stats.count(block.back());
    }
    if (!file->write(troupe::record_batch{0, done, block}))
      return false;
  }
  troupe::stats_map merged;
  stats.merge_into(merged);
  const auto end_ns = make_record(num_messages, start_ns).ended_ns;
  return file->write(troupe::stats_block{end_ns, merged})
         && file->write(troupe::end_block{.at_ns = end_ns, .recorded = num_messages}) && file->close();
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("expected a folder for the trace\n", stderr);
    return 2;
  }
  const auto folder = std::string{argv[1]} + "/trace";
  const auto num_messages = (argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 10) * 1'000'000;
  std::filesystem::create_directories(folder);
  const auto begun = std::chrono::steady_clock::now();
  if (!write_trace(folder, num_messages)) {
    std::fprintf(stderr, "cannot write the trace in %s\n", folder.c_str());
    return 1;
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begun;
  std::uintmax_t num_bytes = 0;
  for (const auto& entry : std::filesystem::directory_iterator{folder})
    num_bytes += entry.file_size();
  const auto count = static_cast<double>(num_messages);
  std::printf("%.1f bytes per message, %.1f million messages written per second\n",
              static_cast<double>(num_bytes) / count, count / seconds.count() / 1e6);
  return 0;
}
