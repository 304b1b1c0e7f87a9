#include "actors/plugin/slot_floats.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

struct fixture {
  std::shared_ptr<buffer_home> home = std::make_shared<buffer_home>([](batch_slice) {}, [](batch_buffer) {});

  ~fixture() { home->close(); }

  [[nodiscard]] batch_slice slice(pixel_type type) const {
    const batch_layout layout{4, 1, 2, 3, false, type};
    const auto num_bytes = layout.capacity * layout.bytes_per_sample();
    batch_buffer buffer(home, layout, {new std::byte[num_bytes]{}, std::default_delete<std::byte[]>{}});
    batch_ref ref;
    ref.num_samples = 4;
    return std::move(std::move(buffer).split(ref, 4).front());
  }
};

std::vector<float> numbers_of(const batch_slice& slice, std::uint32_t i) {
  slot_floats slot(slice, i);
  return {slot.values().begin(), slot.values().end()};
}

void set(const batch_slice& slice, std::uint32_t i, const std::vector<float>& numbers) {
  slot_floats slot(slice, i);
  std::copy(numbers.begin(), numbers.end(), slot.values().begin());
  slot.commit();
}

} // namespace

TEST_SUITE_BEGIN("actors/plugin");

TEST_CASE_FIXTURE(fixture, "what is written into a slot of floats is there, exactly, and in no other slot") {
  const auto x = slice(pixel_type::float32);
  const std::vector<float> numbers{0, -1, 0.1f, 1e-30f, 3e30f, 0.333f};
  set(x, 2, numbers);
  CHECK(numbers_of(x, 2) == numbers);
  for (const std::uint32_t other : {0, 1, 3})
    CHECK(numbers_of(x, other) == std::vector<float>(6));
}

TEST_CASE_FIXTURE(fixture, "a slot of short floats is rounded to nearest, ties to even") {
  const auto x = slice(pixel_type::bfloat16);
  // Eight bits of mantissa: neighbours of 1 are 1/128 apart.
  set(x, 1, {1 + 1.f / 512, 1 + 1.f / 256, 1 + 3.f / 256, -2, 1 + 1.1f / 256, 0});
  CHECK(numbers_of(x, 1) == std::vector<float>{1, 1, 1 + 2.f / 128, -2, 1 + 1.f / 128, 0});
}

TEST_CASE_FIXTURE(fixture, "infinities and NaN come through short floats, and the largest float becomes infinite") {
  const auto x = slice(pixel_type::bfloat16);
  const float infinite = std::numeric_limits<float>::infinity();
  float odd_nan = 0;
  const std::uint32_t bits = 0x7F800001; // All of its payload is in the half that is cut off.
  std::memcpy(&odd_nan, &bits, sizeof(bits));
  set(x, 0, {infinite, -infinite, std::nanf(""), odd_nan, std::numeric_limits<float>::max(), 0});
  const auto back = numbers_of(x, 0);
  CHECK(back[0] == infinite);
  CHECK(back[1] == -infinite);
  CHECK(std::isnan(back[2]));
  CHECK(std::isnan(back[3]));
  CHECK(back[4] == infinite);
}

TEST_CASE_FIXTURE(fixture, "short floats that are not committed stay as they were") {
  const auto x = slice(pixel_type::bfloat16);
  set(x, 0, {1, 2, 3, 4, 5, 6});
  {
    slot_floats slot(x, 0);
    slot.values()[0] = 9;
  }
  CHECK(numbers_of(x, 0) == std::vector<float>{1, 2, 3, 4, 5, 6});
}

#ifndef __SANITIZE_ADDRESS__ // There the process ends at the write.
TEST_CASE_FIXTURE(fixture, "a write beside the slot is found out where the numbers are a copy") {
  const auto x = slice(pixel_type::bfloat16);
  slot_floats slot(x, 3);
  slot.values().data()[6] = 1;
  CHECK_THROWS_WITH_AS(slot.commit(), "wrote beside slot 3, which has 6 numbers", std::out_of_range);
}
#endif

TEST_SUITE_END();
