// Makes the trace of a run that never was, exports it, and says what the recorder counted.
//
// usage: trace_export_tool FOLDER [MESSAGES]
//
// FOLDER gets trace.json, trace.pftrace, trace.csv and counts.json; standard error tells sizes and times.
#include "actors/glue/trace_recorder.hpp"
#include "actors/tracer/trace_drain.hpp"
#include "app/trace_tools/export/export_file.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace troupe {

namespace {

/// Actors that send each other messages: each handles one at a time, in the order in which they came.
class made_up_run {
public:
  explicit made_up_run(const std::string& folder) {
    auto recorder =
      trace_recorder::start({.folder = folder, .policy = ring_policy::keep_all, .num_rings = 8, .ring_capacity = 8192});
    if (!recorder)
      throw std::runtime_error(recorder.error().context);
    recorder_ = std::move(*recorder);
    drain_.emplace(*recorder_, folder);
    now_ = recorder_->map().header().monotonic_ns + 1000;
  }

  void put(trace_record record) {
    recorder_->put(record);
    if (++num_records_ % 4096 == 0)
      drain_->drain();
  }

  void step(std::uint64_t number) {
    now_ += static_cast<std::int64_t>(rng_() % 2000);
    const auto actor = rng_() % actors.size();
    auto start = std::max(now_, free_at_[actor]);
    const auto handling = static_cast<std::int64_t>(8 + rng_() % 3000);
    trace_record record{.message = number,
                        .cause = cause_of(rng_() % recent_.size()),
                        .enqueued_ns = now_,
                        .dequeued_ns = start,
                        .ended_ns = start + handling,
                        .sample = rng_() % 3 == 0 ? no_id : rng_() % 1000,
                        .batch = number / 8,
                        .bytes = rng_() % 5000,
                        .sender = name(actors[rng_() % actors.size()]),
                        .receiver = name(actors[actor]),
                        .name = name(types[rng_() % types.size()])};
    if (rng_() % 50 == 0) {
      record.dequeued_ns = record.ended_ns = 0;
      record.outcome = trace_outcome::never_handled;
    } else {
      free_at_[actor] = record.ended_ns;
    }
    put(record);
    put_extras(record);
    recent_[number % recent_.size()] = record;
  }

  recorded_trace finish(const std::string& folder) {
    drain_->finish(*std::max_element(free_at_.begin(), free_at_.end()) + 1000);
    return std::move(*open_trace(folder));
  }

private:
  /// One of the newest messages, if it was taken up before now.
  [[nodiscard]] std::uint64_t cause_of(std::size_t index) const {
    return recent_[index].dequeued_ns < now_ ? recent_[index].message : 0;
  }

  /// What handlers tell besides: samples, links, values, marks and spans.
  void put_extras(const trace_record& message) {
    if (message.ended_ns == 0)
      return;
    const auto quarter = (message.ended_ns - message.dequeued_ns) / 4;
    trace_record extra{.message = message.message,
                       .enqueued_ns = message.ended_ns - quarter,
                       .receiver = message.receiver,
                       .name = name("loss")};
    if (message.message % 7 == 0) {
      extra.kind = trace_kind::value;
      extra.cause = std::bit_cast<std::uint64_t>(1.0 / static_cast<double>(message.message));
      put(extra);
    } else if (message.message % 7 == 1) {
      const auto& part = recent_[(message.message - 1) % recent_.size()];
      extra.kind = trace_kind::link;
      extra.cause = part.dequeued_ns < message.dequeued_ns ? part.message : 0;
      put(extra);
    } else if (message.message % 7 == 2) {
      extra.kind = trace_kind::mark;
      extra.name = name("checkpoint \"durable\"\n\x01\xff");
      put(extra);
    } else if (message.message % 7 == 3) {
      extra.kind = trace_kind::span;
      extra.name = name("waits for batch");
      extra.enqueued_ns = extra.dequeued_ns = message.enqueued_ns - 500; // Overlaps what was handled meanwhile.
      extra.ended_ns = message.dequeued_ns;
      put(extra);
    } else if (message.message % 7 == 4) {
      auto sample = to_record({.sample = message.message,
                               .batch = 1,
                               .epoch = 0,
                               .slot = 3,
                               .pixel_hash = 255,
                               .bytes = 9,
                               .begun_ns = message.dequeued_ns + quarter,
                               .ended_ns = message.dequeued_ns + 2 * quarter});
      sample.message = message.message;
      sample.receiver = message.receiver;
      sample.name = name("sample");
      put(sample);
    }
  }

  std::uint32_t name(std::string_view text) { return recorder_->map().strings().intern(text); }

  static constexpr std::array actors = {"loader", "augmenter#0", "augmenter#1", "collator", "trainer", "saver"};
  static constexpr std::array types = {"chunk_ready", "slice_filled", "batch_ready", "step_completed"};

  std::unique_ptr<trace_recorder> recorder_;
  std::optional<trace_drain> drain_;
  std::mt19937_64 rng_{1};
  std::int64_t now_ = 0;
  std::array<std::int64_t, actors.size()> free_at_{};
  std::array<trace_record, 4> recent_{};
  std::uint64_t num_records_ = 0;
};

/// By kind of event, from the table of exact counts.
nlohmann::json counts_of(const recorded_trace& trace) {
  nlohmann::json counts = {{"message", 0}, {"unhandled", 0}, {"mark", 0}, {"span", 0}, {"value", 0}, {"sample", 0}};
  std::uint64_t handling_ns = 0;
  std::uint64_t wait_ns = 0;
  constexpr auto never = static_cast<std::size_t>(trace_outcome::never_handled);
  constexpr std::array<const char*, num_trace_kinds> kinds = {"message", "", "mark", "", "", "span", "value", "sample"};
  for (const auto& [key, stats] : trace.processes.front().stats) {
    auto& count = counts[kinds[static_cast<std::size_t>(key.kind)]];
    count = count.get<std::uint64_t>() + stats.count();
    if (key.kind != trace_kind::message)
      continue;
    count = count.get<std::uint64_t>() - stats.outcomes[never];
    counts["unhandled"] = counts["unhandled"].get<std::uint64_t>() + stats.outcomes[never];
    handling_ns += stats.handling.sum_ns;
    wait_ns += stats.wait.sum_ns;
  }
  counts["handling_ns"] = handling_ns;
  counts["wait_ns"] = wait_ns;
  return counts;
}

/// Arrows, by the records alone: both ends were handled, and no two mean the same.
std::uint64_t count_flows(const recorded_trace& trace, std::uint64_t num_messages) {
  std::vector<bool> handled(num_messages + 1);
  std::set<std::pair<std::uint64_t, std::uint64_t>> arrows;
  const auto& process = trace.processes.front();
  visit_records(process, [&](const trace_record& record) {
    if (record.kind == trace_kind::message && record.ended_ns != 0)
      handled[record.message] = true;
  });
  visit_records(process, [&](const trace_record& record) {
    const bool is_arrow = record.kind == trace_kind::message || record.kind == trace_kind::link;
    if (is_arrow && record.cause != 0 && handled[record.cause] && handled[record.message])
      arrows.emplace(record.cause, record.message);
  });
  return arrows.size();
}

void run(const std::string& folder, std::uint64_t num_messages) {
  const auto trace_folder = folder + "/trace";
  std::filesystem::create_directories(trace_folder);
  made_up_run made_up{trace_folder};
  for (std::uint64_t i = 1; i <= num_messages; ++i)
    made_up.step(i);
  const auto trace = made_up.finish(trace_folder);
  auto counts = counts_of(trace);
  counts["flows"] = count_flows(trace, num_messages);
  for (const auto format : {export_format::chrome, export_format::perfetto, export_format::csv}) {
    const auto path = default_export_path(folder, format);
    const auto start = std::clock();
    const auto report = export_to_file(trace, {.format = format, .filter = {}, .max_bytes = 4'000'000'000}, path);
    if (!report)
      throw std::runtime_error(report.error().context);
    const auto seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    std::cerr << path << ": " << report->num_bytes << " bytes in " << seconds << " s of processor time\n";
  }
  std::ofstream{folder + "/counts.json"} << counts.dump(2) << '\n';
}

} // namespace

} // namespace troupe

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: trace_export_tool FOLDER [MESSAGES]\n";
    return 2;
  }
  try {
    troupe::run(argv[1], argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 2000);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
