#include "actors/glue/trace_ring.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

constexpr std::size_t capacity = 8;

struct ring_memory {
  std::unique_ptr<ring_header> header = std::make_unique<ring_header>();
  std::unique_ptr<ring_cell[]> cells = std::make_unique<ring_cell[]>(capacity);
  trace_ring ring{header.get(), cells.get(), capacity};
};

/// A record whose every field follows from `n`, so that a mixture of two is found out.
trace_record numbered(std::uint64_t n) {
  return {.message = n,
          .cause = n * 3,
          .root = n * 5,
          .enqueued_ns = static_cast<std::int64_t>(n) * 7,
          .sample = n * 11,
          .bytes = n * 13,
          .receiver = static_cast<std::uint32_t>(n)};
}

std::vector<std::uint64_t> numbers(const std::vector<trace_record>& records) {
  std::vector<std::uint64_t> result;
  for (const auto& each : records)
    result.push_back(each.message);
  return result;
}

} // namespace

TEST_SUITE_BEGIN("actors/glue");

TEST_CASE("records come out of a ring as they went in") {
  ring_memory memory;
  std::vector<trace_record> out;
  CHECK(memory.ring.read(0, out) == 0);
  CHECK(out.empty());
  for (std::uint64_t n = 0; n < 3; ++n)
    CHECK(memory.ring.push(numbered(n), ring_policy::keep_all));
  CHECK(memory.ring.read(0, out) == 3);
  REQUIRE(out.size() == 3);
  for (std::uint64_t n = 0; n < 3; ++n)
    CHECK(out[n] == numbered(n));
  out.clear();
  CHECK(memory.ring.read(2, out) == 3);
  CHECK(numbers(out) == std::vector<std::uint64_t>{2});
}

TEST_CASE("a full ring that keeps all drops the new records and counts them") {
  ring_memory memory;
  for (std::uint64_t n = 0; n < capacity; ++n)
    CHECK(memory.ring.push(numbered(n), ring_policy::keep_all));
  CHECK_FALSE(memory.ring.push(numbered(100), ring_policy::keep_all));
  CHECK_FALSE(memory.ring.push(numbered(101), ring_policy::keep_all));
  CHECK(memory.ring.dropped() == 2);
  CHECK(memory.ring.head() == capacity);
  memory.ring.release_until(1);
  CHECK(memory.ring.push(numbered(102), ring_policy::keep_all));
  std::vector<trace_record> out;
  CHECK(memory.ring.read(memory.ring.tail(), out) == capacity + 1);
  CHECK(numbers(out) == std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6, 7, 102});
}

TEST_CASE("a ring that keeps the newest overwrites the oldest and drops none") {
  ring_memory memory;
  for (std::uint64_t n = 0; n < 3 * capacity + 2; ++n)
    CHECK(memory.ring.push(numbered(n), ring_policy::keep_newest));
  CHECK(memory.ring.dropped() == 0);
  std::vector<trace_record> out;
  CHECK(memory.ring.read(0, out) == 3 * capacity + 2);
  CHECK(numbers(out) == std::vector<std::uint64_t>{18, 19, 20, 21, 22, 23, 24, 25});
}

TEST_CASE("a record that its writer did not finish is left out") {
  ring_memory memory;
  for (std::uint64_t n = 0; n < 3; ++n)
    memory.ring.push(numbered(n), ring_policy::keep_all);
  memory.cells[1].sequence.store(2 * (1 + 1) - 1); // As if killed in between.
  std::vector<trace_record> out;
  memory.ring.read(0, out);
  CHECK(numbers(out) == std::vector<std::uint64_t>{0, 2});
}

TEST_CASE("a drain beside the writer gets every record that was not dropped, once and in order") {
  constexpr std::uint64_t num_records = 20'000;
  ring_memory memory;
  std::atomic<bool> done{false};
  std::vector<std::uint64_t> accepted;
  std::thread writer{[&] {
    for (std::uint64_t n = 0; n < num_records; ++n)
      if (memory.ring.push(numbered(n), ring_policy::keep_all))
        accepted.push_back(n);
    done = true;
  }};
  std::vector<trace_record> out;
  std::uint64_t position = 0;
  for (bool last = false; !last;) {
    last = done;
    position = memory.ring.read(position, out);
    memory.ring.release_until(position);
  }
  writer.join();
  CHECK(numbers(out) == accepted);
  CHECK(accepted.size() + memory.ring.dropped() == num_records);
  for (const auto& record : out)
    REQUIRE(record == numbered(record.message));
}

TEST_CASE("a reader beside an overwriting writer never sees a mixture of two records") {
  constexpr std::uint64_t num_records = 50'000;
  ring_memory memory;
  std::atomic<bool> done{false};
  std::thread writer{[&] {
    for (std::uint64_t n = 0; n < num_records; ++n)
      memory.ring.push(numbered(n), ring_policy::keep_newest);
    done = true;
  }};
  std::vector<trace_record> out;
  for (bool last = false; !last;) {
    last = done;
    out.clear();
    memory.ring.read(0, out);
    for (std::size_t i = 0; i < out.size(); ++i) {
      REQUIRE(out[i] == numbered(out[i].message));
      REQUIRE((i == 0 || out[i].message > out[i - 1].message));
    }
  }
  writer.join();
  CHECK(out.size() == capacity);
}

TEST_SUITE_END();
