#include "app/config/load_config.hpp"
#include "app/config/stage_list.hpp"
#include "app/config/write_config.hpp"
#include "tests/app/config/offered.hpp"

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

expected<run_config> config_with(const std::string& stages) {
  return parse_config("data: {train: {dataset: synthetic}}\npipeline:\n  stages: " + stages + "\n", "f.yaml");
}

std::string report_of(const std::string& stages) {
  const auto config = config_with(stages);
  return config ? "" : config.error().context;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_SUITE("app/config") {

  TEST_CASE("stages take their own parameters and those of all actors, and read back") {
    const offered all;
    const auto config = config_with("[mosaic, {blender: {instances: 3, validation: true}}, early_stop]");
    REQUIRE_MESSAGE(config, config.error().context);
    const auto& stages = config->pipeline.stages;
    REQUIRE(stages.size() == 3);
    CHECK(stages[0].what.name == "mosaic");
    CHECK(stages[0].what.values.number("p") == 0.5);
    CHECK(stages[0].count == 0);
    CHECK_FALSE(stages[0].in_validation);
    CHECK(stages[1].count == 3);
    CHECK(stages[1].in_validation);
    CHECK(stages[1].what.values == parameters{});
    const auto text = write_config(*config);
    CHECK(contains(text, "  stages: [{mosaic: {instances: auto, validation: false, p: 0.5}}, {blender: {instances: 3, "
                         "validation: true}}, {early_stop: {instances: auto, validation: false}}]\n"));
    const auto back = parse_config(text, "written");
    REQUIRE_MESSAGE(back, back.error().context);
    CHECK(write_config(*back) == text);
  }

  TEST_CASE("unknown actors, parameters and counts are refused") {
    const offered all;
    CHECK(contains(report_of("[mosaik]"), "pipeline.stages[0]: no stage is called \"mosaik\", expected one of mosaic, "
                                          "collage, blender, carry, hard_examples, curriculum, early_stop"));
    CHECK(contains(report_of("[mosaik]"), "did you mean mosaic?"));
    CHECK(contains(report_of("[{mosaic: {instnces: 2}}]"), "unknown key; did you mean instances?"));
    CHECK(contains(report_of("[{mosaic: {instances: 65}}]"), "expected auto or a whole number from 1 to 64"));
    CHECK(contains(report_of("[{mosaic: {p: 2}}]"), "pipeline.stages[0].mosaic.p: found \"2\""));
    CHECK(contains(report_of("[{mosaic: {validation: 1}}]"), "expected true or false; write true"));
  }

  TEST_CASE("an actor is named once") {
    const offered all;
    CHECK(report_of("[blender, carry, blender]")
          == "f.yaml:3:28: pipeline.stages[2]: blender is there twice, expected each actor once; instances says how "
             "many share its work");
  }

  TEST_CASE("there is one augmenter and one listener that weighs at most") {
    const offered all;
    CHECK(contains(report_of("[mosaic, collage]"),
                   "pipeline.stages[1]: besides mosaic, collage is an augmenter, too, expected at most one"));
    CHECK(contains(report_of("[curriculum, blender, hard_examples]"),
                   "pipeline.stages[2]: besides curriculum, hard_examples says how samples are drawn, too"));
    CHECK(report_of("[curriculum, early_stop, mosaic]") == "");
  }

  TEST_CASE("an ordered actor and a listener have one instance") {
    const offered all;
    CHECK(report_of("[{carry: {instances: 2}}]")
          == "f.yaml:3:21: pipeline.stages[0].carry.instances: 2, expected auto or 1: it needs all messages in order");
    CHECK(contains(report_of("[{early_stop: {instances: 2}}]"), "expected auto or 1: it is a listener"));
    CHECK(report_of("[{carry: {instances: 1}}, {early_stop: {instances: auto}}, {blender: {instances: 64}}]") == "");
  }

  TEST_CASE("a listener is not asked to work on validation samples") {
    const offered all;
    CHECK(contains(report_of("[{early_stop: {validation: true}}]"),
                   "pipeline.stages[0].early_stop.validation: true, expected false: a listener hears of validations"));
    CHECK(report_of("[{early_stop: {validation: false}}, {carry: {validation: true}}]") == "");
  }

} // TEST_SUITE
