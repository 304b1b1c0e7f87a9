#include "actors/relay/slice_order.hpp"

#include <cstdint>
#include <memory>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;

TEST_SUITE_BEGIN("actors/relay");

namespace {

using place = std::pair<std::uint64_t, std::uint32_t>;

/// The slices of batch `id`, of two slots each, the last one perhaps of one.
std::vector<batch_slice> slices_of(std::uint64_t id, std::uint32_t num_samples) {
  const auto ignore_slice = [](batch_slice) {};
  const auto ignore_buffer = [](batch_buffer) {};
  auto home = std::make_shared<buffer_home>(ignore_slice, ignore_buffer);
  const batch_layout layout{.capacity = num_samples, .channels = 1, .height = 1, .width = 1};
  std::shared_ptr<std::byte> pixels(new std::byte[num_samples * layout.bytes_per_sample()],
                                    std::default_delete<std::byte[]>());
  batch_ref ref;
  ref.id = id;
  ref.num_samples = num_samples;
  ref.first_position = 100 * id;
  return batch_buffer(std::move(home), layout, std::move(pixels)).split(ref, 2);
}

std::vector<place> places(const std::vector<slice_order::filled>& slices) {
  std::vector<place> out;
  for (const auto& each : slices)
    out.emplace_back(each.slice.batch().id, each.slice.first());
  return out;
}

} // namespace

TEST_CASE("slices come out in the order of their batches and slots, however they come in") {
  auto first = slices_of(7, 4), second = slices_of(8, 3);
  slice_order order(7);
  CHECK(places(order.add({std::move(second[1]), {}})).empty());
  CHECK(places(order.add({std::move(first[1]), {}})).empty());
  CHECK(order.num_held() == 2);
  CHECK(order.next_batch() == 7);
  CHECK(places(order.add({std::move(first[0]), {}})) == std::vector<place>{{7, 0}, {7, 2}});
  CHECK(order.next_batch() == 8);
  CHECK(places(order.add({std::move(second[0]), {}})) == std::vector<place>{{8, 0}, {8, 2}});
  CHECK(order.num_held() == 0);
  CHECK(order.next_batch() == 9);
}

TEST_CASE("what is filled once more after its turn is out of turn, and the others still wait for theirs") {
  auto slices = slices_of(0, 6), again = slices_of(0, 6);
  slice_order order(0);
  CHECK_FALSE(order.is_out_of_turn(slices[0]));
  CHECK(places(order.add({std::move(slices[0]), {}})) == std::vector<place>{{0, 0}});
  CHECK(places(order.add({std::move(slices[2]), {}})).empty());
  CHECK(order.is_out_of_turn(again[0]));
  CHECK_FALSE(order.is_out_of_turn(again[1]));
  CHECK(order.num_held() == 1);
  CHECK(places(order.add({std::move(slices[1]), {}})) == std::vector<place>{{0, 2}, {0, 4}});
}

TEST_CASE("the slot of a bad sample that is replaced from the epoch's end is out of turn, even ahead of its place") {
  auto slices = slices_of(3, 4);
  slice_order order(2);
  slices[1].fill_from(999);
  CHECK(order.is_out_of_turn(slices[1]));
  CHECK_FALSE(order.is_out_of_turn(slices[0]));
}

TEST_CASE("a slice that was cut into its slots still makes its batch whole") {
  auto slices = slices_of(0, 4);
  slice_order order(0);
  std::vector<place> out;
  for (auto& each : slices)
    for (auto& single : std::move(each).singles())
      for (auto& at : places(order.add({std::move(single), {}})))
        out.push_back(at);
  CHECK(out == std::vector<place>{{0, 0}, {0, 1}, {0, 2}, {0, 3}});
  CHECK(order.next_batch() == 1);
}

TEST_SUITE_END();
