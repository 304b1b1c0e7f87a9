#include "app/config/document.hpp"
#include "app/config/nearest.hpp"
#include "app/config/scalar_text.hpp"

#include <cmath>
#include <limits>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace std::chrono_literals;

TEST_SUITE("app/config") {

  TEST_CASE("whole numbers are decimal and fit their type") {
    CHECK(parse_whole<std::uint64_t>("18446744073709551615") == std::numeric_limits<std::uint64_t>::max());
    CHECK(parse_whole<std::int64_t>("-9223372036854775808") == std::numeric_limits<std::int64_t>::min());
    CHECK(parse_whole<int>("+7") == 7);
    for (const auto* bad :
         {"", "-", "+", "+-1", "1e3", "1.0", " 1", "1 ", "0x10", "1_000", "18446744073709551616", "ten"}) {
      CAPTURE(bad);
      CHECK_FALSE(parse_whole<std::uint64_t>(bad));
    }
    CHECK_FALSE(parse_whole<std::uint32_t>("-1"));
    CHECK_FALSE(parse_whole<std::uint32_t>("4294967296"));
  }

  TEST_CASE("numbers are finite") {
    CHECK(parse_number("5.0e-4") == 5.0e-4);
    CHECK(parse_number("+.5") == 0.5);
    CHECK(parse_number("-1e3") == -1000);
    for (const auto* bad :
         {"", "nan", ".nan", "inf", "-inf", ".inf", "infinity", "1e999", "-1e999", "1,5", "0x1p3", "1.0f"}) {
      CAPTURE(bad);
      CHECK_FALSE(parse_number(bad));
    }
  }

  TEST_CASE("numbers read back to the same bits") {
    for (const double x : {0.0, -0.0, 0.1, 1e-8, 5e-4, 1.0 / 3, 1e300, 5e-324, 128.0, 1e22, 123456789.123}) {
      const auto text = print_number(x);
      CAPTURE(text);
      const auto back = parse_number(text);
      REQUIRE(back);
      CHECK(*back == x);
      CHECK(std::signbit(*back) == std::signbit(x));
      CHECK((text.find('e') == std::string::npos || text.find('.') != std::string::npos));
    }
  }

  TEST_CASE("bytes carry binary or decimal units") {
    CHECK(parse_bytes("256MiB") == std::uint64_t{256} << 20);
    CHECK(parse_bytes("1GiB") == std::uint64_t{1} << 30);
    CHECK(parse_bytes("3kB") == 3000u);
    CHECK(parse_bytes("17") == 17u);
    CHECK(parse_bytes("0") == 0u);
    for (const auto* bad : {"", "MiB", "-1MiB", "1.5MiB", "1 MiB", "1mib", "1e3", "18446744073709551615KiB", "1MiBs"}) {
      CAPTURE(bad);
      CHECK_FALSE(parse_bytes(bad));
    }
    for (const std::uint64_t x : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1000}, std::uint64_t{1024},
                                  std::uint64_t{256} << 20, std::uint64_t{12345}, ~std::uint64_t{0}})
      CHECK(parse_bytes(print_bytes(x)) == x);
    CHECK(print_bytes(256u << 20) == "256MiB");
  }

  TEST_CASE("times carry units") {
    CHECK(parse_duration("60s") == 60s);
    CHECK(parse_duration("250ms") == 250ms);
    CHECK(parse_duration("2min") == 2min);
    CHECK(parse_duration("1h") == 1h);
    for (const auto* bad :
         {"", "60", "s", "-1s", "1.5s", "60 s", "1d", "18446744073709551615ms", "9223372036854775807h"}) {
      CAPTURE(bad);
      CHECK_FALSE(parse_duration(bad));
    }
    for (const auto x : std::initializer_list<std::chrono::milliseconds>{0ms, 1ms, 1500ms, 60s, 90s, 1h, 25h})
      CHECK(parse_duration(print_duration(x)) == x);
    CHECK(print_duration(60s) == "1min");
  }

  TEST_CASE("intervals are never, steps or epochs") {
    CHECK(parse_interval("0")->count == 0);
    CHECK_FALSE(parse_interval("0")->in_epochs);
    CHECK(parse_interval("500")->count == 500);
    CHECK_FALSE(parse_interval("500")->in_epochs);
    CHECK(parse_interval("2ep")->count == 2);
    CHECK(parse_interval("2ep")->in_epochs);
    for (const auto* bad : {"", "ep", "0ep", "-1", "-1ep", "1 ep", "1epoch", "1e3", "1.5ep", "never"}) {
      CAPTURE(bad);
      CHECK_FALSE(parse_interval(bad));
    }
    CHECK(print_interval({0, true}) == "0");
    CHECK(print_interval({3, true}) == "3ep");
    CHECK(print_interval({3, false}) == "3");
  }

  TEST_CASE("any text reads back, and every YAML reader takes it for a text") {
    for (const std::string x : {"",
                                "plain",
                                "two words",
                                "a: b",
                                "# no comment",
                                "true",
                                "Off",
                                "null",
                                "~",
                                "1",
                                "1.5",
                                "-",
                                "- a",
                                "[a]",
                                "{a}",
                                "\"quoted\"",
                                "it's",
                                "back\\slash",
                                "caf\xc3\xa9",
                                "*star",
                                "&and",
                                "cuda:0",
                                "ends:",
                                " lead",
                                "trail ",
                                "@at",
                                "%percent",
                                "a,b",
                                "/usr/share",
                                "=",
                                "\xf0\x9f\x8e\xad",
                                "<<",
                                "?",
                                "! x",
                                "| y",
                                "> z"}) {
      const auto text = print_text(x);
      CAPTURE(text);
      for (const auto& source : {text, "[" + text + "]", "{a: " + text + "}"}) {
        problem_list problems;
        const auto tree = parse_document(source, "t", position_style::name_only, problems);
        REQUIRE(tree);
        const auto& value = tree->kind == node_kind::list  ? tree->items[0]
                            : tree->kind == node_kind::map ? tree->entries[0].value
                                                           : *tree;
        CHECK(value.kind == node_kind::scalar);
        CHECK(value.text == x);
      }
    }
    CHECK(print_text("off") == "\"off\"");
    CHECK(print_text("12") == "\"12\"");
    CHECK(print_text("cuda:0") == "cuda:0");
  }

  TEST_CASE("the edit distance counts insertions, deletions, substitutions and swaps") {
    CHECK(edit_distance("", "") == 0);
    CHECK(edit_distance("", "abc") == 3);
    CHECK(edit_distance("abc", "") == 3);
    CHECK(edit_distance("kitten", "sitting") == 3);
    CHECK(edit_distance("imagse", "images") == 1);
    CHECK(edit_distance("lr", "lr") == 0);
  }

  TEST_CASE("the nearest name is close, the first of equals, or none") {
    CHECK(nearest("sdg", {"adamw", "sgd"}) == "sgd");
    CHECK(nearest("ab", {"ac", "ad"}) == "ac");
    CHECK(nearest("zebra", {"sgd", "adamw"}).empty());
    CHECK(nearest(std::string(1u << 20, 'x'), {"sgd"}).empty());
    CHECK(nearest("x", {}).empty());
  }

} // TEST_SUITE
