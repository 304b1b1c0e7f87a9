#include "actors/loader/pixel_cache.hpp"

#include "tests/actors/loader/decoded_samples.hpp"

#include <algorithm>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

cache_config in_memory(std::uint64_t max_bytes) {
  cache_config config;
  config.mode = cache_mode::memory;
  config.max_bytes = max_bytes;
  return config;
}

} // namespace

TEST_SUITE_BEGIN("actors/loader");

TEST_CASE("no cache is none") {
  const auto made = pixel_cache::open({}, "data");
  REQUIRE(made);
  CHECK(*made == nullptr);
}

TEST_CASE("a cache in memory gives back the pixels that it was given") {
  const auto cache = open_cache(in_memory(1000));
  CHECK(cache->takes_more());
  CHECK_FALSE(cache->find(1));
  cache->put(decoded(1));
  cache->put(decoded(2, 7));
  CHECK(gives_back(*cache, decoded(1)));
  CHECK(gives_back(*cache, decoded(2, 7)));
  CHECK_FALSE(cache->find(3));
  CHECK(cache->num_samples() == 2);
  CHECK(cache->num_bytes() == 60 + 84);
}

TEST_CASE("a cache in memory is bounded, throws nothing out, and says when it is full") {
  const auto cache = open_cache(in_memory(3 * decoded_bytes + 1));
  for (std::uint64_t id = 0; id < 10; ++id) {
    cache->put(decoded(id));
    CHECK(cache->num_bytes() <= 3 * decoded_bytes + 1);
  }
  CHECK(cache->num_samples() == 3);
  CHECK_FALSE(cache->takes_more());
  for (std::uint64_t id = 0; id < 3; ++id)
    CHECK(gives_back(*cache, decoded(id)));
  CHECK_FALSE(cache->find(3));
}

TEST_CASE("a bound that is met exactly is used to the last byte") {
  const auto cache = open_cache(in_memory(2 * decoded_bytes));
  cache->put(decoded(0));
  cache->put(decoded(1));
  CHECK(cache->num_samples() == 2);
  CHECK(gives_back(*cache, decoded(1)));
}

TEST_CASE("an image is kept once in memory, as it was first") {
  const auto cache = open_cache(in_memory(1000));
  cache->put(decoded(1));
  cache->put(decoded(1, 9));
  CHECK(cache->num_samples() == 1);
  CHECK(cache->num_bytes() == decoded_bytes);
  CHECK(gives_back(*cache, decoded(1)));
}

TEST_CASE("pixels that were fetched outlive the cache") {
  auto cache = open_cache(in_memory(1000));
  cache->put(decoded(4));
  const auto fetch = cache->find(4);
  cache.reset();
  encoded_sample got;
  REQUIRE(fetch(got));
  const auto wanted = decoded(4).bytes;
  CHECK(std::equal(got.bytes.begin(), got.bytes.end(), wanted.begin(), wanted.end()));
}

TEST_SUITE_END();
