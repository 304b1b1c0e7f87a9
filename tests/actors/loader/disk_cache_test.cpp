#include "actors/loader/disk_cache.hpp"

#include "tests/actors/loader/decoded_samples.hpp"
#include "tests/support/scratch_folder.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

struct disk {
  scratch_folder folder;
  cache_config config{.mode = cache_mode::disk, .max_bytes = 100'000, .dir = folder / "cache"};

  [[nodiscard]] std::shared_ptr<pixel_cache> open(const std::string& identity = "data:decoding") const {
    return open_cache(config, identity);
  }

  /// Fills a cache with the images 0, 1, ... and closes it.
  void fill(std::uint64_t num) const {
    const auto cache = open();
    for (std::uint64_t id = 0; id < num; ++id)
      cache->put(decoded(id));
    REQUIRE(cache->num_samples() == num);
  }

  /// The only file of the cache with this ending.
  [[nodiscard]] std::string file(const std::string& ending) const {
    std::vector<std::string> found;
    for (const auto& each : std::filesystem::directory_iterator(config.dir))
      if (each.path().extension() == ending)
        found.push_back(each.path().string());
    REQUIRE(found.size() == 1);
    return found[0];
  }

  /// Flips the bits of one byte of the file.
  static void damage(const std::string& path, std::size_t at) {
    auto bytes = bytes_of(path);
    REQUIRE(at < bytes.size());
    bytes[at] = static_cast<char>(~bytes[at]);
    put_file(path, bytes);
  }

  [[nodiscard]] std::vector<std::uint64_t> given_back(const pixel_cache& cache, std::uint64_t num) const {
    std::vector<std::uint64_t> out;
    for (std::uint64_t id = 0; id < num; ++id)
      if (gives_back(cache, decoded(id)))
        out.push_back(id);
    return out;
  }
};

using ids = std::vector<std::uint64_t>;

} // namespace

TEST_SUITE_BEGIN("actors/loader");

TEST_CASE_FIXTURE(disk, "a cache on disk gives back the pixels, also when it is opened again") {
  {
    const auto cache = open();
    cache->put(decoded(1));
    cache->put(decoded(2, 9));
    CHECK(gives_back(*cache, decoded(1)));
    CHECK(gives_back(*cache, decoded(2, 9)));
    CHECK_FALSE(cache->find(0));
  }
  const auto cache = open();
  CHECK(cache->num_samples() == 2);
  CHECK(cache->num_bytes() == 60 + 108);
  CHECK(gives_back(*cache, decoded(1)));
  CHECK(gives_back(*cache, decoded(2, 9)));
  cache->put(decoded(3));
  CHECK(gives_back(*cache, decoded(3)));
  CHECK(gives_back(*cache, decoded(1)));
}

TEST_CASE_FIXTURE(disk, "pixels of another identity are not served") {
  fill(3);
  const auto other = open("data:other decoding");
  CHECK(other->num_samples() == 0);
  CHECK_FALSE(other->find(0));
  other->put(decoded(0, 2));
  CHECK(given_back(*open(), 3) == ids{0, 1, 2});
}

TEST_CASE_FIXTURE(disk, "an index that ends in the middle of a line serves the lines before it and grows again") {
  fill(3);
  const auto whole = bytes_of(file(".index"));
  const auto line = whole.size() / 3;
  for (std::size_t end = 2 * line; end < whole.size(); ++end) {
    CAPTURE(end);
    put_file(file(".index"), whole.substr(0, end));
    {
      const auto cache = open();
      REQUIRE(given_back(*cache, 3) == ids{0, 1});
      cache->put(decoded(2));
      REQUIRE(given_back(*cache, 3) == ids{0, 1, 2});
    }
    REQUIRE(given_back(*open(), 3) == ids{0, 1, 2});
  }
}

TEST_CASE_FIXTURE(disk, "a line that is damaged, at whatever byte, ends the index") {
  fill(3);
  const auto whole = bytes_of(file(".index"));
  for (auto at = whole.size() / 3; at < 2 * whole.size() / 3; ++at) {
    CAPTURE(at);
    put_file(file(".index"), whole);
    damage(file(".index"), at);
    REQUIRE(given_back(*open(), 3) == ids{0});
  }
}

TEST_CASE_FIXTURE(disk, "what comes after a damaged line is made anew, and is whole then") {
  fill(4);
  damage(file(".index"), bytes_of(file(".index")).size() / 4 + 3);
  {
    const auto cache = open();
    REQUIRE(given_back(*cache, 4) == ids{0});
    for (std::uint64_t id = 1; id < 4; ++id)
      cache->put(decoded(id));
    CHECK(given_back(*cache, 4) == ids{0, 1, 2, 3});
  }
  CHECK(given_back(*open(), 4) == ids{0, 1, 2, 3});
}

TEST_CASE_FIXTURE(disk, "pixels that are damaged are not served, and may be put again") {
  fill(3);
  damage(file(".pixels"), decoded_bytes + 17);
  {
    const auto cache = open();
    CHECK(given_back(*cache, 3) == ids{0, 2});
    cache->put(decoded(1));
    CHECK(given_back(*cache, 3) == ids{0, 1, 2});
  }
  CHECK(given_back(*open(), 3) == ids{0, 1, 2});
}

TEST_CASE_FIXTURE(disk, "pixels that are not there any more are not served") {
  fill(3);
  put_file(file(".pixels"), bytes_of(file(".pixels")).substr(0, 2 * decoded_bytes - 1));
  const auto cache = open();
  CHECK(given_back(*cache, 3) == ids{0});
  cache->put(decoded(1));
  CHECK(given_back(*cache, 3) == ids{0, 1});
}

TEST_CASE_FIXTURE(disk, "who opens a cache that is open already reads from it and takes nothing in") {
  fill(2);
  auto first = open();
  CHECK(first->takes_more());
  {
    const auto second = open();
    CHECK_FALSE(second->takes_more());
    CHECK(given_back(*second, 2) == ids{0, 1});
    second->put(decoded(2));
    CHECK_FALSE(second->find(2));
  }
  first->put(decoded(3));
  first.reset();
  const auto third = open();
  CHECK(third->takes_more());
  CHECK(given_back(*third, 4) == ids{0, 1, 3});
}

TEST_CASE_FIXTURE(disk, "a cache on disk stays below its bound, also when it is opened again") {
  config.max_bytes = 3 * decoded_bytes + 10;
  for (int round = 0; round < 2; ++round) {
    const auto cache = open();
    for (std::uint64_t id = 0; id < 10; ++id)
      cache->put(decoded(id));
    CHECK_FALSE(cache->takes_more());
    CHECK(given_back(*cache, 10) == ids{0, 1, 2});
    CHECK(std::filesystem::file_size(file(".pixels")) <= config.max_bytes);
  }
}

TEST_CASE_FIXTURE(disk, "a fetcher works when the cache is gone") {
  fill(2);
  auto cache = open();
  const auto fetch = cache->find(1);
  cache.reset();
  encoded_sample got;
  REQUIRE(fetch(got));
  CHECK(got.bytes.size() == decoded_bytes);
}

TEST_CASE("a cache in a folder that cannot be made is refused and names it") {
  const scratch_folder folder;
  put_file(folder / "file", "");
  const auto made = pixel_cache::open({.mode = cache_mode::disk, .dir = folder / "file/cache"}, "data");
  REQUIRE_FALSE(made);
  CHECK(made.error().code == ec::io_error);
  CHECK(made.error().context.find("/file") != std::string::npos);
}

TEST_SUITE_END();
