#include "app/trace_tools/analysis/actor_role.hpp"

#include "app/trace_tools/analysis/training_load.hpp"

#include "tests/support/doctest.hpp"

using namespace troupe;

TEST_SUITE_BEGIN("app/trace_tools/analysis");

TEST_CASE("an actor's name says its role, its pipeline and its number") {
  CHECK(role_of("trainer") == actor_role{"trainer", "", false, std::nullopt});
  CHECK(role_of("augmenter#0") == actor_role{"augmenter", "", false, 0});
  CHECK(role_of("validation augmenter#12") == actor_role{"augmenter", "", true, 12});
  CHECK(role_of("validation loader") == actor_role{"loader", "", true, std::nullopt});
}

TEST_CASE("actors of plugins have a part besides") {
  CHECK(role_of("augmenter mosaic#1") == actor_role{"augmenter", "mosaic", false, 1});
  CHECK(role_of("validation augmenter mosaic#2") == actor_role{"augmenter", "mosaic", true, 2});
  CHECK(role_of("stage smear#1") == actor_role{"stage", "smear", false, 1});
  CHECK(role_of("relay smear") == actor_role{"relay", "smear", false, std::nullopt});
  CHECK(role_of("listener hard_examples") == actor_role{"listener", "hard_examples", false, std::nullopt});
}

TEST_CASE("names of other forms are their own role") {
  for (const char* name : {"", "something else", "stage", "augmenters x#y", "odd#", "odd#1x", "validation"})
    CHECK(role_of(name).role == name);
  CHECK(role_of("something else#3") == actor_role{"something else", "", false, 3});
}

TEST_CASE("a plugin's augmenters are augmenters, its other actors a stage for each kind") {
  CHECK(stage_of("augmenter#0") == "augmenters");
  CHECK(stage_of("augmenter mosaic#1") == "augmenters");
  CHECK(stage_of("validation augmenter mosaic#1") == "validation augmenters");
  CHECK(stage_of("stage smear#1") == "stage smear");
  CHECK(stage_of("validation stage smear#1") == "validation stage smear");
  CHECK(stage_of("relay smear") == "relay smear");
  CHECK(stage_of("listener hard_examples") == "listener hard_examples");
}

TEST_SUITE_END();
