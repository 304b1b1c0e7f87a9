#include "actors/saver/finite_check.hpp"

#include "tests/actors/saver/fixtures.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

template <class T>
expected<void> check(dtype type, const std::vector<T>& values) {
  std::vector<named_tensor> tensors{floats("first", {1}),
                                    tensor_of("w", type, {static_cast<std::int64_t>(values.size())}, values)};
  return check_finite(tensors);
}

// The values that a type can hold at its limits pass, and each of `bad` is found wherever it stands.
template <class T>
void check_type(dtype type, const std::vector<T>& good, const std::vector<T>& bad) {
  CHECK(check(type, good));
  for (auto x : bad)
    for (std::size_t at : {0u, 1u, 4095u, 4096u, 9999u}) {
      std::vector<T> values(10'000, good.front());
      values[at] = x;
      auto found = check(type, values);
      REQUIRE_FALSE(found);
      CHECK(found.error().code == ec::nonfinite);
      CHECK(found.error().context.find("'w': element " + std::to_string(at) + " of 10000") != std::string::npos);
    }
}

} // namespace

TEST_SUITE_BEGIN("actors/saver/finite_check");

TEST_CASE("NaN and infinity are found in every floating-point type, the largest numbers are not") {
  using f32 = std::numeric_limits<float>;
  using f64 = std::numeric_limits<double>;
  check_type<float>(dtype::f32, {0.0f, -0.0f, f32::max(), f32::lowest(), f32::denorm_min()},
                    {f32::infinity(), -f32::infinity(), f32::quiet_NaN()});
  check_type<double>(dtype::f64, {0.0, f64::max(), f64::lowest(), f64::denorm_min()},
                     {f64::infinity(), -f64::infinity(), f64::quiet_NaN()});
  check_type<std::uint16_t>(dtype::f16, {0x0000, 0x7BFF, 0xFBFF, 0x03FF}, {0x7C00, 0xFC00, 0x7E00, 0x7C01});
  check_type<std::uint16_t>(dtype::bf16, {0x0000, 0x7F7F, 0xFF7F, 0x7C00}, {0x7F80, 0xFF80, 0x7FC0, 0x7F81});
}

TEST_CASE("the text tells NaN from infinity") {
  CHECK(check<float>(dtype::f32, {std::numeric_limits<float>::quiet_NaN()}).error().context
        == "tensor 'w': element 0 of 1 is NaN");
  CHECK(check<float>(dtype::f32, {0, std::numeric_limits<float>::infinity()}).error().context
        == "tensor 'w': element 1 of 2 is infinite");
}

TEST_CASE("whole numbers and booleans pass whatever their bits") {
  CHECK(check<std::int32_t>(dtype::i32, {-1, 0x7F800000}));
  CHECK(check<std::int64_t>(dtype::i64, {-1}));
  CHECK(check<std::uint8_t>(dtype::u8, {0xFF}));
  CHECK(check<std::uint8_t>(dtype::boolean, {1}));
}

TEST_CASE("a tensor without elements passes") {
  CHECK(check<float>(dtype::f32, {}));
  CHECK(check_finite({}));
}

TEST_SUITE_END();
