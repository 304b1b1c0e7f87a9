#include "actors/loader/sampler.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

epoch_plan plan_of(std::uint64_t num_samples, std::uint32_t batch_size, bool drop_last = false, bool shuffle = true,
                   std::uint64_t seed = 1) {
  auto plan = epoch_plan::make(num_samples, batch_size, drop_last, shuffle, seed);
  REQUIRE(plan);
  return *plan;
}

std::vector<std::uint32_t> sizes_of(const epoch_plan& plan) {
  std::vector<std::uint32_t> result;
  for (std::uint64_t i = 0; i < plan.batches_per_epoch(); ++i)
    result.push_back(plan.range(i).size);
  return result;
}

using sizes = std::vector<std::uint32_t>;

} // namespace

TEST_SUITE("actors/loader") {
  TEST_CASE("permutation holds every id once") {
    for (std::uint64_t n : {1, 2, 3, 10, 1000}) {
      auto ids = permutation(n, 5, 6);
      std::sort(ids.begin(), ids.end());
      std::vector<std::uint32_t> all(n);
      std::iota(all.begin(), all.end(), 0u);
      CHECK(ids == all);
    }
    CHECK(permutation(0, 5, 6).empty());
  }

  TEST_CASE("permutation is the one that an independent implementation gives") {
    CHECK(permutation(10, 7, 3) == std::vector<std::uint32_t>{7, 9, 3, 4, 5, 1, 8, 0, 6, 2});
  }

  TEST_CASE("permutation depends on seed and epoch and on nothing else") {
    const auto ids = permutation(100, 1, 0);
    CHECK(ids == permutation(100, 1, 0));
    CHECK(ids != permutation(100, 1, 1));
    CHECK(ids != permutation(100, 2, 0));
  }

  TEST_CASE("permutation gives all orders equally often") {
    std::map<std::vector<std::uint32_t>, int> counts;
    for (std::uint64_t epoch = 0; epoch < 24'000; ++epoch)
      ++counts[permutation(4, 3, epoch)];
    CHECK(counts.size() == 24);
    double chi_square = 0;
    for (const auto& [order, count] : counts)
      chi_square += (count - 1000.) * (count - 1000.) / 1000.;
    CHECK(chi_square < 52); // 23 degrees of freedom: exceeded once in 2000 times.
  }

  TEST_CASE("batches are full but for the last") {
    CHECK(sizes_of(plan_of(12, 4)) == sizes{4, 4, 4});
    CHECK(sizes_of(plan_of(10, 4)) == sizes{4, 4, 2});
    CHECK(sizes_of(plan_of(11, 4)) == sizes{4, 4, 3});
    CHECK(sizes_of(plan_of(3, 4)) == sizes{3});
    CHECK(sizes_of(plan_of(4, 4)) == sizes{4});
  }

  TEST_CASE("a last batch of one sample takes one from the batch before it") {
    CHECK(sizes_of(plan_of(13, 4)) == sizes{4, 4, 3, 2});
    CHECK(sizes_of(plan_of(5, 4)) == sizes{3, 2});
    CHECK(sizes_of(plan_of(4, 3)) == sizes{2, 2});
  }

  TEST_CASE("a last batch of one sample stays where no other batch can give") {
    CHECK(sizes_of(plan_of(5, 2)) == sizes{2, 2, 1});
    CHECK(sizes_of(plan_of(3, 1)) == sizes{1, 1, 1});
    CHECK(sizes_of(plan_of(1, 4)) == sizes{1});
    CHECK(sizes_of(plan_of(1, 1)) == sizes{1});
  }

  TEST_CASE("drop_last leaves out an incomplete last batch but never the only one") {
    CHECK(sizes_of(plan_of(11, 4, true)) == sizes{4, 4});
    CHECK(sizes_of(plan_of(9, 4, true)) == sizes{4, 4});
    CHECK(sizes_of(plan_of(8, 4, true)) == sizes{4, 4});
    CHECK(sizes_of(plan_of(3, 4, true)) == sizes{3});
    CHECK(plan_of(11, 4, true).samples_per_epoch() == 8);
    CHECK(plan_of(3, 4, true).samples_per_epoch() == 3);
  }

  TEST_CASE("ranges follow each other and cover the epoch") {
    for (std::uint64_t n = 1; n <= 40; ++n)
      for (std::uint32_t batch_size = 1; batch_size <= 9; ++batch_size)
        for (bool drop_last : {false, true}) {
          CAPTURE(n);
          CAPTURE(batch_size);
          CAPTURE(drop_last);
          const auto plan = plan_of(n, batch_size, drop_last);
          std::uint64_t next = 0;
          for (std::uint64_t i = 0; i < plan.batches_per_epoch(); ++i) {
            const auto range = plan.range(i);
            CHECK(range.first == next);
            CHECK(range.size >= 1);
            CHECK(range.size <= batch_size);
            next += range.size;
          }
          CHECK(next == plan.samples_per_epoch());
          CHECK((drop_last || next == n));
        }
  }

  TEST_CASE("order is the permutation, or the data set's order without shuffle") {
    CHECK(plan_of(50, 8, false, true, 9).order(4) == permutation(50, 9, 4));
    const auto in_order = plan_of(5, 2, false, false, 9);
    CHECK(in_order.order(0) == std::vector<std::uint32_t>{0, 1, 2, 3, 4});
    CHECK(in_order.order(7) == in_order.order(0));
  }

  TEST_CASE("batch tells id, size and the place after it") {
    const auto plan = plan_of(13, 4);
    const auto middle = plan.batch(2, 1);
    CHECK(middle.id == 9);
    CHECK(middle.epoch == 2);
    CHECK(middle.index == 1);
    CHECK(middle.num_samples == 4);
    CHECK_FALSE(middle.last_in_epoch);
    CHECK(middle.next == data_position{2, 2});
    const auto last = plan.batch(2, 3);
    CHECK(last.id == 11);
    CHECK(last.num_samples == 2);
    CHECK(last.last_in_epoch);
    CHECK(last.next == data_position{3, 0});
    CHECK(plan.batch(3, 0).id == 12);
  }

  TEST_CASE("normalised turns the end of an epoch into the start of the next and keeps other places") {
    const auto plan = plan_of(13, 4);
    CHECK(*plan.normalised({2, 4}) == data_position{3, 0});
    CHECK(*plan.normalised({2, 3}) == data_position{2, 3});
    CHECK(*plan.normalised({0, 0}) == data_position{0, 0});
  }

  TEST_CASE("normalised refuses a place that the plan does not have") {
    auto place = plan_of(13, 4).normalised({2, 5});
    REQUIRE_FALSE(place);
    CHECK(place.error().code == ec::mismatch);
    CHECK(place.error().context.find("batch 5 of epoch 2") != std::string::npos);
    CHECK(place.error().context.find("at most 4") != std::string::npos);
  }

  TEST_CASE("a plan without samples, without batch size or with too many samples is refused") {
    for (auto num_samples : {std::uint64_t{0}, std::uint64_t{1} << 32}) {
      auto plan = epoch_plan::make(num_samples, 4, false, true, 1);
      REQUIRE_FALSE(plan);
      CHECK(plan.error().code == ec::bad_config);
      CHECK(plan.error().context.find(std::to_string(num_samples) + " samples") != std::string::npos);
    }
    CHECK(epoch_plan::make((std::uint64_t{1} << 32) - 1, 4, false, true, 1));
    auto plan = epoch_plan::make(10, 0, false, true, 1);
    REQUIRE_FALSE(plan);
    CHECK(plan.error().context.find("batch_size is 0") != std::string::npos);
  }
}
