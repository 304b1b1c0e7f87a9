#include "messages/failure.hpp"
#include "messages/host_tensor.hpp"
#include "messages/trace_ids.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>

#include "tests/support/doctest.hpp"

using namespace troupe;

TEST_SUITE_BEGIN("messages/payloads");

TEST_CASE("a tensor has as many elements as the product of its extents; a scalar has one, an empty one none") {
  CHECK(host_tensor{}.num_elements() == 1);
  CHECK(host_tensor{{2, 3, 4}, dtype::f32, nullptr}.num_elements() == 24);
  CHECK(host_tensor{{2, 0, 4}, dtype::f32, nullptr}.num_elements() == 0);
  CHECK(host_tensor{{2, 3}, dtype::f64, nullptr}.num_bytes() == 48);
  CHECK(host_tensor{{5}, dtype::bf16, nullptr}.num_bytes() == 10);
}

TEST_CASE("every error code has a name of its own") {
  std::set<std::string> names;
  for (auto code = 0; code <= static_cast<int>(ec::unsupported); ++code)
    names.insert(to_string(static_cast<ec>(code)));
  CHECK(names.size() == static_cast<std::size_t>(ec::unsupported) + 1);
  CHECK_FALSE(names.contains("unknown"));
}

TEST_CASE("a failure is printed as its story, or by its code where it has none") {
  CHECK(to_string(failure{ec::io_error, "saver: disk full"}) == "saver: disk full");
  CHECK(to_string(failure{ec::io_error, {}}) == "io_error");
}

TEST_CASE("a chunk is traced by its batch and first sample, with the bytes of all") {
  const std::array<std::byte, 10> bytes{};
  auto chunk = std::make_shared<encoded_chunk>();
  chunk->batch = 4;
  for (std::uint64_t id : {30, 31}) {
    auto& sample = chunk->samples.emplace_back();
    sample.id = id;
    sample.bytes = bytes;
  }
  CHECK(ids_of(chunk_ptr{chunk}) == trace_ids{.sample = 30, .batch = 4, .bytes = 20});
  CHECK(ids_of(chunk_ptr{}) == trace_ids{});
}

TEST_CASE("a report and a snapshot are traced by the step and version that they are about") {
  auto state = std::make_shared<snapshot>();
  state->tag = {"run", 1, 20, 3};
  validation_report report;
  CHECK(ids_of(report) == trace_ids{});
  report.snapshot = state;
  CHECK(ids_of(report) == trace_ids{.step = 20, .version = 3});
  CHECK(ids_of(checkpoint_saved{state->tag, "path", 9, 0}) == trace_ids{.step = 20, .version = 3, .bytes = 9});
}

TEST_SUITE_END();
