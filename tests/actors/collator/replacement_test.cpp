#include "tests/actors/collator/epoch_run.hpp"

#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

using counts = std::vector<std::size_t>;
using ids = std::vector<std::uint64_t>;

constexpr std::uint32_t num_random_cases = 400;

/// Two epochs in which few, many or nearly all samples are bad.
epochs random_epochs(std::uint32_t seed) {
  std::mt19937 engine(seed);
  epochs out;
  out.batch_size = std::vector<std::uint32_t>{1, 2, 3, 4, 8}[engine() % 5];
  out.num_samples = 1 + engine() % 40;
  out.num_epochs = 2;
  out.replace = engine() % 4 != 0;
  const auto percent = std::vector<std::uint32_t>{0, 3, 10, 30, 70, 100}[engine() % 6];
  for (std::uint64_t epoch = 0; epoch < out.num_epochs; ++epoch)
    for (std::uint64_t at = 0; at < out.num_samples; ++at)
      if (engine() % 100 < percent)
        out.bad.insert(epoch * 1000 + at);
  return out;
}

circumstances random_circumstances(std::uint32_t seed) {
  std::mt19937 engine(seed);
  return {.chunk_size = static_cast<std::uint32_t>(1 + engine() % 8), .num_buffers = 1 + engine() % 4, .seed = seed};
}

/// Ids that are trained, and those that are bad; each must be there once.
void check_conserved(const epochs& what, const std::vector<seen_batch>& batches) {
  std::set<std::uint64_t> trained, bad;
  std::size_t num_trained = 0, num_bad = 0;
  for (const auto& each : batches) {
    trained.insert(each.ids.begin(), each.ids.end());
    bad.insert(each.bad.begin(), each.bad.end());
    num_trained += each.ids.size();
    num_bad += each.bad.size();
  }
  CHECK(trained.size() == num_trained);
  CHECK(bad.size() == num_bad);
  CHECK(bad == what.bad);
  CHECK(num_trained + num_bad == what.num_samples * what.num_epochs);
}

} // namespace

TEST_SUITE_BEGIN("actors/collator");

TEST_CASE("what comes out depends on which samples are bad alone, and is what a plain walk through the samples gives") {
  for (std::uint32_t seed = 0; seed < num_random_cases; ++seed) {
    const auto what = random_epochs(seed);
    CAPTURE(seed);
    CAPTURE(what.num_samples);
    CAPTURE(what.batch_size);
    CAPTURE(what.replace);
    const auto wanted = plain_walk(what).batches();
    for (std::uint32_t i = 0; i < 4; ++i)
      REQUIRE(assembled(what, random_circumstances(4 * seed + i)) == wanted);
  }
}

TEST_CASE("every sample is trained once or told as bad once") {
  for (std::uint32_t seed = 0; seed < num_random_cases; ++seed) {
    CAPTURE(seed);
    const auto what = random_epochs(seed);
    check_conserved(what, assembled(what, random_circumstances(seed)));
  }
}

TEST_CASE("a run that goes on from any batch's `next` gives what the whole run gives from there on") {
  for (std::uint32_t seed = 0; seed < num_random_cases / 4; ++seed) {
    CAPTURE(seed);
    const auto what = random_epochs(seed);
    const auto whole = assembled(what);
    for (std::size_t i = 0; i < whole.size(); ++i) {
      CAPTURE(i);
      const auto rest = std::vector<seen_batch>(whole.begin() + static_cast<std::ptrdiff_t>(i) + 1, whole.end());
      REQUIRE(assembled(what, random_circumstances(seed), whole[i].next) == rest);
    }
  }
}

TEST_CASE("the first bad slot takes the epoch's last sample, the second the last but one") {
  const auto out = assembled({.num_samples = 16, .batch_size = 4, .bad = {1, 6}});
  CHECK(out[0].ids == ids{0, 15, 2, 3});
  CHECK(out[1].ids == ids{4, 5, 14, 7});
  CHECK(out[2].ids == ids{8, 9, 10, 11});
  CHECK(out[3].ids == ids{12, 13});
  CHECK(out[0].bad == ids{1});
  CHECK(out[0].next == data_position{0, 1, 1});
  CHECK(out[2].next == data_position{0, 3, 2});
  CHECK(out[3].next == data_position{1, 0});
}

TEST_CASE("a sample at the epoch's end that is bad too is skipped, and told where it was to be used") {
  const auto out = assembled({.num_samples = 12, .batch_size = 4, .bad = {1, 10, 11}});
  CHECK(out[0].ids == ids{0, 9, 2, 3});
  CHECK(out[0].bad == ids{1, 10, 11});
  CHECK(out[2].ids == ids{8});
  CHECK(out[2].bad.empty());
}

TEST_CASE("replacements keep their order when one of them is bad") {
  const auto out = assembled({.num_samples = 12, .batch_size = 4, .bad = {0, 1, 2, 10}});
  CHECK(out[0].ids == ids{11, 9, 8, 3});
  CHECK(out[2].ids.empty());
}

TEST_CASE("in the last batch there is nothing to take from: its bad slots are closed up") {
  const auto out = assembled({.num_samples = 8, .batch_size = 4, .bad = {4, 6}});
  CHECK(out[0].ids == ids{0, 1, 2, 3});
  CHECK(out[1].ids == ids{5, 7});
  CHECK(out[1].bad == ids{4, 6});
}

TEST_CASE("without replacing, bad slots are closed up and nothing else changes") {
  const auto out = assembled({.num_samples = 12, .batch_size = 4, .bad = {1, 10, 11}, .replace = false});
  CHECK(out[0].ids == ids{0, 2, 3});
  CHECK(out[1].ids == ids{4, 5, 6, 7});
  CHECK(out[2].ids == ids{8, 9});
  CHECK(out[2].bad == ids{10, 11});
}

TEST_CASE("a good epoch that would end with a lone sample ends with two") {
  CHECK(sizes(assembled({.num_samples = 33})) == counts{8, 8, 8, 7, 2});
  CHECK(sizes(assembled({.num_samples = 34})) == counts{8, 8, 8, 8, 2});
  CHECK(sizes(assembled({.num_samples = 32})) == counts{8, 8, 8, 8});
  CHECK(sizes(assembled({.num_samples = 1})) == counts{1});
  CHECK(sizes(assembled({.num_samples = 3, .batch_size = 2})) == counts{2, 1});
}

TEST_CASE("33 samples of which one before the last batch is bad are four full batches and an empty one") {
  for (std::uint64_t bad = 0; bad < 32; ++bad) {
    CAPTURE(bad);
    const auto out = assembled({.bad = {bad}});
    CHECK(sizes(out) == counts{8, 8, 8, 8, 0});
    CHECK(out[bad / 8].bad == ids{bad});
  }
}

TEST_CASE("34 samples of which one before the last batch is bad end with two, unless the giver's last is not its own") {
  for (std::uint64_t bad = 0; bad < 31; ++bad) {
    CAPTURE(bad);
    CHECK(sizes(assembled({.num_samples = 34, .bad = {bad}})) == counts{8, 8, 8, 7, 2});
  }
  CHECK(sizes(assembled({.num_samples = 34, .bad = {31}})) == counts{8, 8, 8, 8, 1});
}

TEST_CASE("the sample given to the last batch is its first, and the place says so") {
  const auto out = assembled({.num_samples = 9, .batch_size = 4});
  CHECK(out[1].ids == ids{4, 5, 6});
  CHECK(out[1].next == data_position{0, 2, 0, 1});
  CHECK(out[2].ids == ids{7, 8});
}

TEST_SUITE_END();
