#include "messages/recycler.hpp"

#include <array>
#include <set>
#include <thread>
#include <vector>

#include "tests/support/doctest.hpp"

using troupe::recycler;

TEST_SUITE("messages/recycler") {
  TEST_CASE("an object that was let go of is lent again instead of making a new one") {
    int made = 0;
    recycler<int> objects([&] { return ++made; });
    auto first = objects.take();
    CHECK(*first == 1);
    const auto* address = first.get();
    first.reset();
    auto again = objects.take();
    CHECK(again.get() == address);
    CHECK(made == 1);
    const auto second = objects.take();
    CHECK(second.get() != address);
    CHECK(made == 2);
  }

  TEST_CASE("a copy of the holder keeps the object lent") {
    int made = 0;
    recycler<int> objects([&] { return ++made; });
    auto first = objects.take();
    auto copy = first;
    first.reset();
    CHECK(*objects.take() == 2);
    copy.reset();
    std::set<int> lent;
    const auto a = objects.take(), b = objects.take();
    CHECK(std::set{*a, *b} == std::set{1, 2});
    CHECK(made == 2);
  }

  TEST_CASE("an object outlives its recycler and is freed once") {
    auto token = std::make_shared<int>(7);
    std::shared_ptr<std::shared_ptr<int>> lent, idle;
    {
      recycler<std::shared_ptr<int>> objects([&] { return token; });
      lent = objects.take();
      idle = objects.take();
      idle.reset();
      CHECK(token.use_count() == 3);
    }
    CHECK(**lent == 7);
    lent.reset();
    CHECK(token.use_count() == 1);
  }

  TEST_CASE("objects that other threads let go of all come home, none twice") {
    constexpr int rounds = 2000, per_round = 4;
    int made = 0;
    recycler<int> objects([&] { return made++; });
    for (int round = 0; round < rounds; ++round) {
      std::array<std::shared_ptr<int>, per_round> lent;
      std::set<int*> distinct;
      for (auto& object : lent)
        distinct.insert((object = objects.take()).get());
      REQUIRE(distinct.size() == per_round);
      std::thread other([a = std::move(lent[0]), b = std::move(lent[1])]() mutable { a.reset(), b.reset(); });
      lent[2].reset();
      lent[3].reset();
      other.join();
    }
    CHECK(made == per_round);
  }
}
