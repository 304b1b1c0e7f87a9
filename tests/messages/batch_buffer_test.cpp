#include "messages/batch_buffer.hpp"
#include "messages/lease.hpp"

#include <algorithm>
#include <thread>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

std::shared_ptr<std::byte> make_pixels(std::size_t num_bytes) {
  return {new std::byte[num_bytes], std::default_delete<std::byte[]>()};
}

/// A home that collects what comes back.
struct collecting_home {
  std::vector<batch_slice> slices;
  std::vector<batch_buffer> buffers;
  std::shared_ptr<buffer_home> home =
    std::make_shared<buffer_home>([this](batch_slice x) { slices.push_back(std::move(x)); },
                                  [this](batch_buffer x) { buffers.push_back(std::move(x)); });
  batch_layout layout{4, 1, 2, 3, false};

  batch_buffer mint() { return {home, layout, make_pixels(layout.capacity * layout.bytes_per_sample())}; }
  batch_ref ref(std::uint32_t num_samples) {
    batch_ref out;
    out.id = 7;
    out.num_samples = num_samples;
    return out;
  }
  ~collecting_home() { home->close(); }
};

} // namespace

TEST_SUITE("messages") {

  TEST_CASE_FIXTURE(collecting_home, "slices cover the used slots, each once, and join to the same memory") {
    auto buffer = mint();
    auto* memory = buffer.pixels();
    auto parts = std::move(buffer).split(ref(3), 2);
    CHECK_FALSE(bool(buffer));
    REQUIRE(parts.size() == 2);
    CHECK(parts[0].first() == 0);
    CHECK(parts[0].count() == 2);
    CHECK(parts[1].first() == 2);
    CHECK(parts[1].count() == 1);
    CHECK(parts[1].pixels(0) == memory + 2 * 6 * sizeof(float));
    CHECK(parts[1].batch().id == 7);
    std::swap(parts[0], parts[1]);
    auto whole = batch_buffer::join(parts);
    REQUIRE(whole);
    CHECK(whole->pixels() == memory);
    CHECK(parts.empty());
  }

  TEST_CASE_FIXTURE(collecting_home, "an incomplete set of slices does not join and stays as it is") {
    auto parts = mint().split(ref(4), 1);
    std::vector<batch_slice> some;
    some.push_back(std::move(parts[0]));
    some.push_back(std::move(parts[1]));
    CHECK_FALSE(batch_buffer::join(some));
    CHECK(some.size() == 2);
    CHECK(bool(some[0]));
    auto other = mint().split(ref(4), 2);
    std::vector<batch_slice> mixed;
    mixed.push_back(std::move(parts[2]));
    mixed.push_back(std::move(other[0]));
    mixed.push_back(std::move(parts[3]));
    CHECK_FALSE(batch_buffer::join(mixed));
  }

  TEST_CASE_FIXTURE(collecting_home, "a dropped buffer comes home once; dropped again on the way it is retired") {
    { auto buffer = mint(); }
    REQUIRE(buffers.size() == 1);
    CHECK(home->retired() == 0);
    SUBCASE("not adopted") {
      buffers.clear();
      CHECK(buffers.empty());
      CHECK(home->retired() == 1);
    }
    SUBCASE("adopted") {
      auto mine = std::move(buffers.back());
      buffers.clear();
      mine.adopt();
      { auto gone = std::move(mine); }
      CHECK(buffers.size() == 1);
      CHECK(home->retired() == 0);
    }
  }

  TEST_CASE_FIXTURE(collecting_home, "a dropped slice comes home with its place and knows if it was begun") {
    auto parts = mint().split(ref(4), 2);
    parts[1].begin();
    parts.clear();
    REQUIRE(slices.size() == 2);
    CHECK(slices[1].first() == 2);
    CHECK(slices[1].begun());
    CHECK_FALSE(slices[0].begun());
    slices[1].adopt();
    CHECK_FALSE(slices[1].begun());
    auto whole = batch_buffer::join(slices);
    CHECK(whole);
  }

  TEST_CASE_FIXTURE(collecting_home, "a closed home retires what is dropped") {
    auto buffer = mint();
    auto parts = mint().split(ref(4), 2);
    CHECK(home->minted() == 2);
    home->close();
    buffer = batch_buffer{};
    parts.clear();
    CHECK(buffers.empty());
    CHECK(slices.empty());
    CHECK(home->retired() == 2);
  }

  TEST_CASE_FIXTURE(collecting_home, "overwriting a token by another sends the old one home") {
    auto buffer = mint();
    buffer = mint();
    CHECK(buffers.size() == 1);
    CHECK(bool(buffer));
  }

  TEST_CASE_FIXTURE(collecting_home, "gaps of bad slots are closed and the order is kept") {
    auto buffer = mint();
    for (std::uint32_t slot = 0; slot < 4; ++slot) {
      std::fill_n(buffer.floats() + slot * 6, 6, float(slot));
      buffer.labels()[slot] = slot;
      buffer.sample_ids()[slot] = 100 + slot;
    }
    std::vector<std::uint32_t> bad{0, 2};
    buffer.remove_slots(bad, 4);
    CHECK(buffer.floats()[0] == 1.f);
    CHECK(buffer.floats()[6 + 5] == 3.f);
    CHECK(buffer.labels()[1] == 3);
    CHECK(buffer.sample_ids()[0] == 101);
  }

  TEST_CASE_FIXTURE(collecting_home, "singles are slices of one slot") {
    auto parts = mint().split(ref(3), 3);
    auto ones = std::move(parts[0]).singles();
    REQUIRE(ones.size() == 3);
    CHECK(ones[2].first() == 2);
    CHECK(ones[2].count() == 1);
    CHECK(batch_buffer::join(ones));
  }

  TEST_CASE_FIXTURE(collecting_home, "closing gaps moves weights along, also in a layout of bfloat16") {
    for (const auto type : {pixel_type::float32, pixel_type::bfloat16}) {
      layout.type = type;
      auto buffer = mint();
      const auto stride = layout.bytes_per_sample();
      for (std::uint32_t slot = 0; slot < 4; ++slot) {
        std::fill_n(buffer.pixels() + slot * stride, stride, std::byte(slot + 1));
        buffer.weights()[slot] = float(slot) + 0.5f;
      }
      const std::vector<std::uint32_t> bad{1};
      buffer.remove_slots(bad, 3);
      CHECK(buffer.weights()[0] == 0.5f);
      CHECK(buffer.weights()[1] == 2.5f);
      CHECK(buffer.weights()[3] == 3.5f);
      CHECK(std::count(buffer.pixels(), buffer.pixels() + stride, std::byte{1}) == std::ptrdiff_t(stride));
      CHECK(std::count(buffer.pixels() + stride, buffer.pixels() + 2 * stride, std::byte{3}) == std::ptrdiff_t(stride));
      CHECK(buffer.pixels()[3 * stride] == std::byte{4});
    }
  }

  TEST_CASE_FIXTURE(collecting_home, "a bfloat16 takes half the bytes of a float32") {
    CHECK(layout.values_per_sample() == 6);
    CHECK(layout.bytes_per_sample() == 24);
    layout.type = pixel_type::bfloat16;
    CHECK(layout.values_per_sample() == 6);
    CHECK(layout.bytes_per_sample() == 12);
    auto parts = mint().split(ref(4), 2);
    CHECK(parts[1].pixels(1) - parts[0].pixels(0) == 36);
  }

  TEST_CASE_FIXTURE(collecting_home, "a weight is 1 unless it is set") {
    auto parts = mint().split(ref(4), 4);
    parts[0].set_sample(1, 101, 7, 2.5f);
    parts[0].set_sample(2, 102, 8);
    const auto whole = batch_buffer::join(parts);
    REQUIRE(whole);
    CHECK(whole->weights()[0] == 1);
    CHECK(whole->weights()[1] == 2.5f);
    CHECK(whole->weights()[2] == 1);
    CHECK(whole->weights().size() == 4);
  }

  TEST_CASE_FIXTURE(collecting_home, "a sample that is set anew without a weight has weight 1") {
    auto parts = mint().split(ref(4), 4);
    parts[0].set_sample(1, 101, 7, 2.5f);
    parts[0].set_sample(1, 103, 7);
    CHECK(batch_buffer::join(parts)->weights()[1] == 1);
  }

  TEST_CASE_FIXTURE(collecting_home, "a slice knows its place in the epoch's order, or the one that it was told") {
    auto at = ref(4);
    at.first_position = 100;
    auto parts = mint().split(at, 2);
    CHECK(parts[0].position() == 100);
    CHECK(parts[1].position() == 102);
    parts[1].fill_from(500);
    CHECK(parts[1].position() == 500);
    CHECK(parts[1].first() == 2);
    SUBCASE("moved, dropped and come home") {
      auto moved = std::move(parts[1]);
      CHECK(moved.position() == 500);
      parts[0] = std::move(moved);
      CHECK(parts[0].position() == 500);
      parts.clear();
      REQUIRE(slices.size() == 2);
      CHECK(slices[0].position() == 100);
      CHECK(slices[1].position() == 500);
    }
    SUBCASE("cut into singles") {
      auto own = std::move(parts[0]).singles();
      CHECK(own[0].position() == 100);
      CHECK(own[1].position() == 101);
      auto told = std::move(parts[1]).singles();
      CHECK(told[0].position() == 500);
      CHECK(told[1].position() == 501);
      CHECK(told[1].first() == 3);
    }
  }

  TEST_CASE_FIXTURE(collecting_home, "a sample is copied within its buffer with all that belongs to it") {
    for (const auto type : {pixel_type::float32, pixel_type::bfloat16}) {
      layout.type = type;
      auto parts = mint().split(ref(4), 2);
      const auto stride = layout.bytes_per_sample();
      for (auto& part : parts)
        for (std::uint32_t i = 0; i < 2; ++i) {
          const auto slot = part.first() + i;
          part.set_sample(i, 100 + slot, slot, float(slot) + 0.5f);
          std::fill_n(part.pixels(i), stride, std::byte(slot + 1));
        }
      parts[0].copy_sample(parts[1], 1);
      const auto whole = batch_buffer::join(parts);
      REQUIRE(whole);
      CHECK(whole->sample_ids()[0] == 103);
      CHECK(whole->labels()[0] == 3);
      CHECK(whole->weights()[0] == 3.5f);
      CHECK(std::count(whole->pixels(), whole->pixels() + stride, std::byte{4}) == std::ptrdiff_t(stride));
      CHECK(whole->pixels()[stride] == std::byte{2});
      CHECK(whole->sample_ids()[3] == 103);
    }
  }

  TEST_CASE("of many copies of a lease exactly one gets the value, whatever the threads do") {
    for (int round = 0; round < 200; ++round) {
      lease<std::unique_ptr<int>> original(std::make_unique<int>(round));
      std::vector<int> winners(4, 0);
      {
        std::vector<std::jthread> threads;
        for (std::size_t t = 0; t < winners.size(); ++t)
          threads.emplace_back([&winners, t, copy = original]() mutable {
            auto got = copy.take();
            winners[t] = got && *got ? 1 : 0;
          });
      }
      CHECK(std::count(winners.begin(), winners.end(), 1) == 1);
      CHECK_FALSE(original.take());
    }
  }

} // TEST_SUITE
