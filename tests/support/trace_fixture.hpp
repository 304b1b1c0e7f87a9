/// A recorder in memory and what it holds: for tests that look at the trace.
#pragma once

#include "actors/glue/trace_recorder.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace troupe::test {

/// Records everything in plain memory. Must be declared before the actor system that it is to trace.
class memory_recorder {
public:
  explicit memory_recorder(ring_policy policy = ring_policy::keep_newest, std::size_t ring_capacity = 16384,
                           std::size_t num_rings = 64)
    : recorder_(start(policy, ring_capacity, num_rings)) {}

  [[nodiscard]] trace_recorder& recorder() noexcept { return *recorder_; }
  [[nodiscard]] std::string text(std::uint32_t number) const { return recorder_->map().strings().text(number); }

  /// All records that the rings hold, by time of enqueue.
  [[nodiscard]] std::vector<trace_record> records() const {
    std::vector<trace_record> result;
    auto& map = recorder_->map();
    for (std::size_t i = 0; i < map.header().num_rings; ++i)
      if (map.ring_used(i))
        map.ring(i).read(0, result);
    std::stable_sort(result.begin(), result.end(),
                     [](const auto& a, const auto& b) { return a.enqueued_ns < b.enqueued_ns; });
    return result;
  }

  /// Those of one kind.
  [[nodiscard]] std::vector<trace_record> records(trace_kind kind) const {
    auto result = records();
    std::erase_if(result, [kind](const auto& each) { return each.kind != kind; });
    return result;
  }

  /// The messages with this label.
  [[nodiscard]] std::vector<trace_record> messages(std::string_view label) const {
    auto result = records(trace_kind::message);
    std::erase_if(result, [&](const auto& each) { return text(each.name) != label; });
    return result;
  }

private:
  static std::unique_ptr<trace_recorder> start(ring_policy policy, std::size_t ring_capacity, std::size_t num_rings) {
    auto recorder =
      trace_recorder::start({.folder = {}, .policy = policy, .num_rings = num_rings, .ring_capacity = ring_capacity});
    if (!recorder)
      throw std::runtime_error(recorder.error().context);
    return std::move(*recorder);
  }

  std::unique_ptr<trace_recorder> recorder_;
};

} // namespace troupe::test
