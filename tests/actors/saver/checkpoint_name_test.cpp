#include "actors/saver/checkpoint_name.hpp"

#include <chrono>
#include <string>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace std::chrono;

namespace {

// 2026-11-30 19:05:01 UTC
const system_clock::time_point evening = sys_days{year{2026} / 11 / 30} + 19h + 5min + 1s;

std::string name_of(std::uint64_t step, std::uint64_t version, system_clock::time_point now = evening) {
  return checkpoint_name({"any run", 1, step, version}, now);
}

} // namespace

TEST_SUITE_BEGIN("actors/saver/checkpoint_name");

TEST_CASE("a name has the padded step, the padded version and the time in UTC") {
  CHECK(name_of(1200, 3) == "step-000001200-v0003-20261130T190501Z");
  CHECK(name_of(0, 1) == "step-000000000-v0001-20261130T190501Z");
  CHECK(name_of(1200, 3, evening + 999ms) == "step-000001200-v0003-20261130T190501Z");
}

TEST_CASE("numbers wider than the padding are written out") {
  CHECK(name_of(12'345'678'901, 123'456) == "step-12345678901-v123456-20261130T190501Z");
}

TEST_CASE("names read back") {
  for (std::uint64_t step : {0ull, 1ull, 999'999'999ull, 1'000'000'000ull, 18'446'744'073'709'551'615ull})
    for (std::uint64_t version : {1ull, 9'999ull, 10'000ull, 18'446'744'073'709'551'615ull}) {
      auto number = parse_checkpoint_name(name_of(step, version));
      REQUIRE(number);
      CHECK(number->step == step);
      CHECK(number->version == version);
    }
}

TEST_CASE("other names are none") {
  for (auto name : {"", "latest", "best", "step-", "step-000001200", "step-000001200-v0003", "step-000001200-v0003-",
                    "step-1200-v0003-20261130T190501Z", "step-0000012000-v0003-20261130T190501Z",
                    "step-000001200-v3-20261130T190501Z", "step-000001200-v00003-20261130T190501Z",
                    "step-000001200-v0003-20261130T190501", "step-000001200-v0003-20261130T190501Z.bak",
                    "step-000001200-v0003-2026113 T190501Z", "Step-000001200-v0003-20261130T190501Z",
                    "step--00001200-v0003-20261130T190501Z", "step-99999999999999999999999-v0003-20261130T190501Z",
                    ".tmp-step-000001200-v0003-20261130T190501Z-42", ".del-step-000001200-v0003-20261130T190501Z"}) {
    CAPTURE(name);
    CHECK_FALSE(parse_checkpoint_name(name));
  }
}

TEST_SUITE_END();
