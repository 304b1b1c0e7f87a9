#include "app/config/item_list.hpp"
#include "app/config/parameter_keys.hpp"

#include <limits>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

std::vector<basic_key<parameters>> keys_of(const parameter_list& list) {
  return parameter_keys<parameters>(
    list, [](const parameters& x) -> const parameters& { return x; }, [](parameters& x) -> parameters& { return x; });
}

/// Reads `yaml` over the defaults of `list`; problems are added to `problems`.
parameters read(const parameter_list& list, const std::string& yaml, problem_list& problems) {
  const auto root = parse_document(yaml, "f.yaml", position_style::lines, problems);
  REQUIRE(root);
  parameters out{list};
  read_parameters(*root, keys_of(list), "x", out, problems);
  return out;
}

parameters read(const parameter_list& list, const std::string& yaml) {
  problem_list problems;
  auto out = read(list, yaml, problems);
  CHECK_MESSAGE(problems.empty(), problems.report().context);
  return out;
}

std::string error_of(const parameter_list& list, const std::string& yaml) {
  problem_list problems;
  (void)read(list, yaml, problems);
  return problems.empty() ? "" : problems.report().context;
}

const parameter_list all_kinds{param::number("clip", 2, 0.1, 100, "Bound."),
                               param::whole("tiles", 8, 1, 64, "Tiles."),
                               param::flag("colour", false, "Each channel."),
                               param::choice("space", "lab", {"lab", "hsv"}, "Space."),
                               param::text("tag", "none", "Any."),
                               param::numbers("gains", {1, 0.5}, 0, 4, "Gains.")};

} // namespace

TEST_SUITE("app/config") {

  TEST_CASE("what is left out has its default, what is given is read") {
    CHECK(read(all_kinds, "{}") == parameters{all_kinds});
    const auto x =
      read(all_kinds, "{clip: 0.25, tiles: 64, colour: true, space: hsv, tag: \"a b\", gains: [4, 0, 1.5]}");
    CHECK(x.number("clip") == 0.25);
    CHECK(x.whole("tiles") == 64);
    CHECK(x.flag("colour"));
    CHECK(x.text("space") == "hsv");
    CHECK(x.text("tag") == "a b");
    CHECK(x.numbers("gains") == std::vector<double>{4, 0, 1.5});
    CHECK(read(all_kinds, "{clip: 3}").number("clip") == 3);
  }

  TEST_CASE("what does not fit is refused with its place, what was found and what was expected") {
    CHECK(error_of(all_kinds, "{clip: 101}")
          == "f.yaml:1:8: x.clip: found \"101\", expected a number >= 0.1 and <= 100");
    CHECK(error_of(all_kinds, "{clip: \"2\"}").find("remove the quotes") != std::string::npos);
    CHECK(error_of(all_kinds, "{tiles: 0}")
          == "f.yaml:1:9: x.tiles: found \"0\", expected a whole number from 1 to 64");
    CHECK(error_of(all_kinds, "{tiles: 1.5}").find("no fraction") != std::string::npos);
    CHECK(error_of(all_kinds, "{colour: yes}").find("expected true or false; write true") != std::string::npos);
    CHECK(error_of(all_kinds, "{space: rgb}") == "f.yaml:1:9: x.space: found \"rgb\", expected one of lab, hsv");
    CHECK(error_of(all_kinds, "{tag: [a]}").find("found a list, expected a text") != std::string::npos);
    CHECK(error_of(all_kinds, "{gains: 1}").find("write it in brackets") != std::string::npos);
    CHECK(error_of(all_kinds, "{gains: [1, 5]}").find("x.gains[1]: found \"5\"") != std::string::npos);
    CHECK(error_of(all_kinds, "[1]") == "f.yaml:1:1: x: found a list, expected a map of parameters");
  }

  TEST_CASE("an unknown parameter is refused with the nearest one, or with all") {
    CHECK(error_of(all_kinds, "{clipp: 1}") == "f.yaml:1:2: x.clipp: unknown key; did you mean clip?");
    CHECK(error_of(all_kinds, "{zzzzzzzz: 1}").find("expected one of clip, tiles, colour") != std::string::npos);
    CHECK(error_of({}, "{a: 1}").find("it takes no parameters") != std::string::npos);
  }

  TEST_CASE("a number without bounds takes all numbers, and a whole one all of 64 bits") {
    constexpr auto inf = std::numeric_limits<double>::infinity();
    parameter_spec whole_spec = param::whole("n", 0, 0, 0, "Any.");
    whole_spec.low = -inf;
    whole_spec.high = inf;
    const parameter_list list{param::number("x", 0, -inf, inf, "Any."), whole_spec};
    CHECK(read(list, "{x: -1e300, n: -9223372036854775808}").whole("n") == std::numeric_limits<std::int64_t>::min());
    CHECK(read(list, "{n: 9223372036854775807}").whole("n") == std::numeric_limits<std::int64_t>::max());
    CHECK(error_of(list, "{x: .inf}").find("expected a number") != std::string::npos);
    CHECK(error_of(list, "{n: 9223372036854775808}").find("expected a whole number") != std::string::npos);
  }

  TEST_CASE("bounds of a whole number that lie between two of them are rounded inwards") {
    auto spec = param::whole("n", 2, 0, 9, "Any.");
    spec.low = 1.5;
    spec.high = 3.5;
    CHECK(error_of({spec}, "{n: 1}").find("from 2 to 3") != std::string::npos);
    CHECK(error_of({spec}, "{n: 3}") == "");
    CHECK(error_of({spec}, "{n: 4}") != "");
  }

  TEST_CASE("a list is no longer than its parameter says, and may be empty") {
    auto spec = param::numbers("w", {1}, 0, 1, "Weights.");
    spec.max_items = 2;
    CHECK(read({spec}, "{w: []}").numbers("w").empty());
    CHECK(error_of({spec}, "{w: [1, 1, 1]}").find("found 3 values") != std::string::npos);
  }

  TEST_CASE("values written read back to the same bits") {
    parameters x{all_kinds};
    for (const double number : {0.1, 1.0 / 3, 1e-1, 99.99999999999999}) {
      x.set("clip", number);
      x.set("gains", std::vector<double>{number / 30, 1e-300, 0});
      x.set("tag", std::string{"yes: \"#\\ "} + "caf\xc3\xa9");
      const auto text = "{" + write_parameters(keys_of(all_kinds), x) + "}";
      CAPTURE(text);
      CHECK(read(all_kinds, text) == x);
    }
    x.set("gains", std::vector<double>{});
    x.set("tag", std::string{});
    CHECK(read(all_kinds, "{" + write_parameters(keys_of(all_kinds), x) + "}") == x);
  }

  TEST_CASE("a value of another kind, set in code, is written as what does not read back") {
    for (const auto& spec : all_kinds) {
      CAPTURE(spec.name);
      parameters x{all_kinds};
      if (std::holds_alternative<bool>(spec.default_value))
        x.set(spec.name, 1.0);
      else
        x.set(spec.name, true);
      CHECK(error_of(all_kinds, "{" + write_parameters(keys_of(all_kinds), x) + "}").find("x." + spec.name)
            != std::string::npos);
    }
  }

} // TEST_SUITE
