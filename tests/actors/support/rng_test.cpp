#include "actors/support/rng.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

using block = std::array<std::uint32_t, 4>;

std::vector<std::uint32_t> first_bits(sample_rng rng, int n) {
  std::vector<std::uint32_t> result;
  for (int i = 0; i < n; ++i)
    result.push_back(rng.bits());
  return result;
}

/// Sum of squared deviations from an even spread; about the number of counts for random data.
double chi_square(const std::vector<int>& counts, double expected_count) {
  double result = 0;
  for (auto count : counts)
    result += (count - expected_count) * (count - expected_count) / expected_count;
  return result;
}

} // namespace

TEST_SUITE("actors/support") {
  TEST_CASE("philox4x32 reproduces the known answers of Random123") {
    CHECK(philox4x32({0, 0, 0, 0}, {0, 0}) == block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
    CHECK(philox4x32({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff})
          == block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
    CHECK(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0})
          == block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
  }

  TEST_CASE("sample_rng reads philox blocks in order with the documented key") {
    auto bits = first_bits({0x0000'0002'0000'0001, 7, 9, 3}, 8);
    const auto first = philox4x32({0, 3, 9, 7}, {1, 2});
    const auto second = philox4x32({1, 3, 9, 7}, {1, 2});
    CHECK(std::equal(first.begin(), first.end(), bits.begin()));
    CHECK(std::equal(second.begin(), second.end(), bits.begin() + 4));
  }

  TEST_CASE("sample_rng gives what an independent implementation gives") {
    CHECK(first_bits({1, 2, 3, 4}, 5)
          == std::vector<std::uint32_t>{0x38f1e0e8, 0x12ba3d6c, 0xa7e92fd6, 0x3a712f03, 0x88a378b6});
    CHECK(first_bits({1, 0x5'0000'0002, 0x9'0000'0003, 4}, 2) == std::vector<std::uint32_t>{0x292ef76c, 0x901c7146});
    sample_rng rng(1, 2, 3, 4);
    for (std::uint64_t x : {2, 0, 6, 2, 5, 8})
      CHECK(rng.below(10) == x);
  }

  TEST_CASE("sample_rng gives the same numbers for the same ids and others for any other id") {
    const auto numbers = first_bits({1, 2, 3, 4}, 5);
    CHECK(numbers == first_bits({1, 2, 3, 4}, 5));
    const std::uint64_t high = std::uint64_t{1} << 32;
    CHECK(numbers != first_bits({2, 2, 3, 4}, 5));
    CHECK(numbers != first_bits({1 + high, 2, 3, 4}, 5));
    CHECK(numbers != first_bits({1, 3, 3, 4}, 5));
    CHECK(numbers != first_bits({1, 2 + high, 3, 4}, 5));
    CHECK(numbers != first_bits({1, 2, 4, 4}, 5));
    CHECK(numbers != first_bits({1, 2, 3 + high, 4}, 5));
    CHECK(numbers != first_bits({1, 2, 3, 5}, 5));
  }

  TEST_CASE("uniform stays in [0, 1) and is spread evenly") {
    sample_rng rng(11, 0, 0, 0);
    std::vector<int> counts(20);
    for (int i = 0; i < 20'000; ++i) {
      const double x = rng.uniform();
      REQUIRE(x >= 0);
      REQUIRE(x < 1);
      ++counts[static_cast<std::size_t>(x * 20)];
    }
    CHECK(chi_square(counts, 1000) < 45); // 19 degrees of freedom: exceeded once in 1500 times.
  }

  TEST_CASE("uniform(a, b) covers its range and nothing else") {
    sample_rng rng(12, 0, 0, 0);
    double low = 5;
    double high = -5;
    for (int i = 0; i < 2000; ++i) {
      const double x = rng.uniform(-2, 3);
      low = std::min(low, x);
      high = std::max(high, x);
    }
    CHECK(low >= -2);
    CHECK(low < -1.9);
    CHECK(high <= 3);
    CHECK(high > 2.9);
    CHECK(rng.uniform(4, 4) == 4);
  }

  TEST_CASE("below reaches every number, evenly") {
    sample_rng rng(13, 0, 0, 0);
    std::vector<int> counts(7);
    for (int i = 0; i < 70'000; ++i)
      ++counts.at(rng.below(7));
    CHECK(chi_square(counts, 10'000) < 24); // 6 degrees of freedom: exceeded once in 2000 times.
    for (int i = 0; i < 20; ++i)
      CHECK(rng.below(1) == 0);
  }

  TEST_CASE("below is unbiased where truncation or the remainder would be off by half") {
    // With n = 3 * 2^30, x % n and x * n >> 32 without rejection both favour a third of the range 2 : 1.
    for (const std::uint64_t n : {std::uint64_t{3} << 30, std::uint64_t{3} << 62}) {
      sample_rng rng(14, 0, 0, 0);
      std::vector<int> thirds(3);
      std::vector<int> residues(3);
      for (int i = 0; i < 30'000; ++i) {
        const auto x = rng.below(n);
        REQUIRE(x < n);
        ++thirds[static_cast<std::size_t>(x / (n / 3))];
        ++residues[static_cast<std::size_t>(x % 3)];
      }
      CHECK(chi_square(thirds, 10'000) < 16); // 2 degrees of freedom: exceeded once in 3000 times.
      CHECK(chi_square(residues, 10'000) < 16);
    }
  }

  TEST_CASE("below works at the border between its two widths") {
    const std::uint64_t border = std::uint64_t{1} << 32;
    sample_rng rng(15, 0, 0, 0);
    bool above = false;
    for (int i = 0; i < 200; ++i) {
      CHECK(rng.below(border) < border);
      CHECK(rng.below(border + 1) <= border);
      above = above || rng.below(~std::uint64_t{0}) >= border;
    }
    CHECK(above);
  }

  TEST_CASE("hash_ids tells ids, their places and their order apart") {
    std::set<std::uint64_t> hashes;
    for (std::uint64_t a = 0; a < 8; ++a)
      for (std::uint64_t b = 0; b < 8; ++b)
        for (std::uint64_t c = 0; c < 8; ++c)
          for (std::uint64_t d = 0; d < 8; ++d)
            hashes.insert(hash_ids(a, b, c, d));
    CHECK(hashes.size() == 8 * 8 * 8 * 8);
  }

  TEST_CASE("hash_ids flips about half of the bits when one bit of one id flips") {
    const auto base = hash_ids(1, 2, 3, 4);
    for (int bit = 0; bit < 64; ++bit) {
      const auto flip = std::uint64_t{1} << bit;
      for (auto other : {hash_ids(1 ^ flip, 2, 3, 4), hash_ids(1, 2 ^ flip, 3, 4), hash_ids(1, 2, 3 ^ flip, 4),
                         hash_ids(1, 2, 3, 4 ^ flip)}) {
        const int num_flipped = __builtin_popcountll(base ^ other);
        CHECK(num_flipped > 12);
        CHECK(num_flipped < 52);
      }
    }
  }
}
