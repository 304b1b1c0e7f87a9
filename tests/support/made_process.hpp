/// The counts of a traced process, made up: for tests of what is read from them.
#pragma once

#include "actors/tracer/recorded_trace.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

namespace troupe::test {

/// A process that started at 1 s of its clock. Times are in seconds from there.
class made_process {
public:
  explicit made_process(double seconds, std::uint32_t num_cpus = 8) {
    process_.id = "00000000000000aa";
    process_.num_cpus = num_cpus;
    process_.realtime_ns = 1;
    process_.started_ns = at(0);
    process_.seen_ns = at(seconds);
    process_.names = {"(other)"};
  }

  /// `count` messages, or events of `kind`, from `first` to `last`, that took `each` seconds each.
  made_process& add(trace_kind kind, std::string_view actor, std::string_view what, std::uint64_t count, double first,
                    double last, double each = 0, std::string_view sender = {}) {
    const stats_key key{kind, name(actor), name(what), sender.empty() ? 0 : name(sender)};
    message_stats stats;
    stats.outcomes[0] = count;
    stats.first_ns = at(first);
    stats.last_ns = at(last);
    const auto ns = static_cast<std::uint64_t>(std::llround(each * 1e9));
    stats.handling.sum_ns = ns * count;
    stats.handling.max_ns = ns;
    stats.handling.buckets[time_bucket(ns)] = count;
    process_.stats[key].merge(stats);
    return *this;
  }

  made_process& messages(std::string_view actor, std::string_view type, std::uint64_t count, double first, double last,
                         double each) {
    return add(trace_kind::message, actor, type, count, first, last, each);
  }

  /// One span from `first` to `last`.
  made_process& span(std::string_view actor, std::string_view what, double first, double last) {
    return add(trace_kind::span, actor, what, 1, first, last, last - first);
  }

  made_process& marks(std::string_view actor, std::string_view what, std::uint64_t count) {
    return add(trace_kind::mark, actor, what, count, 1, 2);
  }

  [[nodiscard]] std::uint32_t name(std::string_view text) {
    const auto found = std::find(process_.names.begin(), process_.names.end(), text);
    const auto number = static_cast<std::uint32_t>(found - process_.names.begin());
    if (found == process_.names.end())
      process_.names.emplace_back(text);
    return number;
  }

  [[nodiscard]] static std::int64_t at(double seconds) { return 1'000'000'000 + std::llround(seconds * 1e9); }

  [[nodiscard]] recorded_process& process() noexcept { return process_; }
  [[nodiscard]] recorded_trace trace() const { return {{process_}, {}}; }

private:
  recorded_process process_;
};

} // namespace troupe::test
