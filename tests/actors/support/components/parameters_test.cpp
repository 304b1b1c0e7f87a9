#include "actors/support/components/parameters.hpp"

#include <stdexcept>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

const parameter_list one_of_each{param::number("clip", 2, 0.1, 100, "A bound.").in("pixels"),
                                 param::whole("tiles", 8, 1, 64, "Tiles."),
                                 param::flag("luma_only", true, "Colours stay."),
                                 param::text("file", "lut.bin", "Where."),
                                 param::choice("mode", "mean", {"mean", "max"}, "How."),
                                 param::numbers("bands", {0.5, 1}, 0, 1, "Which.")};

} // namespace

TEST_SUITE_BEGIN("actors/support/components");

TEST_CASE("parameters begin at their defaults") {
  const parameters values(one_of_each);
  CHECK(values.number("clip") == 2);
  CHECK(values.whole("tiles") == 8);
  CHECK(values.flag("luma_only"));
  CHECK(values.text("file") == "lut.bin");
  CHECK(values.text("mode") == "mean");
  CHECK(values.numbers("bands") == std::vector<double>{0.5, 1});
  CHECK(values.all().size() == one_of_each.size());
}

TEST_CASE("what is set is given back, and tells two of them apart") {
  parameters a(one_of_each), b(one_of_each);
  CHECK(a == b);
  a.set("clip", 3.5);
  CHECK(a.number("clip") == 3.5);
  CHECK_FALSE(a == b);
}

TEST_CASE("a name that is not there, and a value of another kind, are told by name") {
  const parameters values(one_of_each);
  CHECK_THROWS_WITH_AS(static_cast<void>(values.number("clop")), "there is no parameter \"clop\"",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(static_cast<void>(values.number("tiles")), "parameter \"tiles\" is not a number",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(static_cast<void>(values.whole("clip")), "parameter \"clip\" is not a whole number",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(static_cast<void>(values.flag("clip")), "parameter \"clip\" is not a truth value",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(static_cast<void>(values.text("clip")), "parameter \"clip\" is not a text",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(static_cast<void>(values.numbers("clip")), "parameter \"clip\" is not a list of numbers",
                       std::invalid_argument);
}

TEST_CASE("a parameter knows its range, unit and choices") {
  CHECK(one_of_each[0].low == 0.1);
  CHECK(one_of_each[0].high == 100);
  CHECK(one_of_each[0].unit == "pixels");
  CHECK(one_of_each[1].high == 64);
  CHECK(one_of_each[3].choices.empty());
  CHECK(one_of_each[4].choices == std::vector<std::string>{"mean", "max"});
}

TEST_SUITE_END();
