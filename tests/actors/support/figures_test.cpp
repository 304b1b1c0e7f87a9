#include "actors/support/figures.hpp"

#include <cmath>
#include <limits>

#include "tests/support/doctest.hpp"

TEST_SUITE("actors/logger") {

  using namespace troupe;

  TEST_CASE("durations grow from minutes to days") {
    CHECK(duration_text(0) == "0:00");
    CHECK(duration_text(7.4) == "0:07");
    CHECK(duration_text(59.6) == "1:00");
    CHECK(duration_text(754) == "12:34");
    CHECK(duration_text(3723) == "1:02:03");
    CHECK(duration_text(3 * 86400 + 4 * 3600 + 5 * 60 + 6) == "3d 4:05:06");
    for (const double unknown : {-1.0, std::nan(""), std::numeric_limits<double>::infinity(), 1e30})
      CHECK(duration_text(unknown) == "?");
  }

  TEST_CASE("bytes come in the unit that fits") {
    CHECK(bytes_text(0) == "0 B");
    CHECK(bytes_text(812) == "812 B");
    CHECK(bytes_text(1'700'000) == "1.7 MB");
    CHECK(bytes_text(999'960) == "1.0 MB");
    CHECK(bytes_text(3e9) == "3.0 GB");
    CHECK(bytes_text(5e16) == "50000.0 TB");
  }

  TEST_CASE("numbers have the digits that were asked for") {
    CHECK(fixed_text(0.28604, 4) == "0.2860");
    CHECK(fixed_text(std::numeric_limits<double>::max(), 1).size() == 311);
    CHECK(fixed_text(std::numeric_limits<double>::infinity(), 2) == "inf");
    CHECK(short_text(0.05) == "0.05");
    CHECK(short_text(3.2e-6) == "3.2e-06");
    CHECK(percent_text(0.9341) == "93.41 %");
  }

  TEST_CASE("texts lose their control characters and keep the rest") {
    CHECK(printable("a\tb\x1b[0m") == "a?b?[0m");
    CHECK(printable("\xc3\x9f\xe2\x82\xac") == "\xc3\x9f\xe2\x82\xac");
    CHECK(printable("\xc2\x85") == "??");
  }

} // TEST_SUITE
