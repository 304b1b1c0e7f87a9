#include "app/thread_plan.hpp"

#include <algorithm>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace std::chrono_literals;

TEST_SUITE("app") {

  TEST_CASE("auto follows from the cores") {
    const run_config config;
    for (const auto& [cores, augmenters] :
         {std::pair{1, 1u}, {2, 1u}, {3, 1u}, {4, 2u}, {16, 8u}, {32, 16u}, {256, 16u}}) {
      CAPTURE(cores);
      const auto plan = plan_threads(config, cores);
      CHECK(plan.trainer_torch_threads == cores);
      CHECK(plan.num_augmenters == augmenters);
      CHECK(plan.validator_torch_threads == 1);
      CHECK(plan.scheduler_workers >= plan.num_augmenters + 1);
      CHECK(plan.scheduler_workers >= 2);
    }
  }

  TEST_CASE("numbers in the config are taken as they are") {
    run_config config;
    config.train.torch_threads = 3;
    config.validation.torch_threads = 2;
    config.pipeline.augmenters = 40;
    config.pipeline.chunk_size = 5;
    const auto plan = plan_threads(config, 2);
    CHECK(plan.trainer_torch_threads == 3);
    CHECK(plan.validator_torch_threads == 2);
    CHECK(plan.num_augmenters == 40);
    CHECK(plan.chunk_size == 5);
    CHECK(plan.scheduler_workers == 41);
  }

  TEST_CASE("a chunk is never larger than a batch and never empty") {
    run_config config;
    for (const std::uint32_t batch_size : {1u, 2u, 31u, 128u, 65536u})
      for (const int cores : {1, 2, 64}) {
        config.pipeline.batch_size = batch_size;
        const auto plan = plan_threads(config, cores);
        CHECK(plan.chunk_size >= 1);
        CHECK(plan.chunk_size <= batch_size);
      }
  }

  TEST_CASE("cheap samples need few augmenters") {
    const run_config config;
    CHECK(plan_threads(config, 64, 5us).num_augmenters < plan_threads(config, 64, 1ms).num_augmenters);
    CHECK(plan_threads(config, 64, 0ns).num_augmenters == plan_threads(config, 64, 1ms).num_augmenters);
  }

  TEST_CASE("a validation set gets workers of its own") {
    run_config config;
    const auto without = plan_threads(config, 4).scheduler_workers;
    config.data.validation.emplace();
    CHECK(plan_threads(config, 4).scheduler_workers > without);
  }

  TEST_CASE("no cores at all count as one") {
    CHECK(plan_threads({}, 0).trainer_torch_threads == 1);
    CHECK(plan_threads({}, -3).num_augmenters == 1);
  }

  TEST_CASE("the plan says why") {
    run_config config;
    config.train.torch_threads = 8;
    const auto plan = plan_threads(config, 4);
    REQUIRE(plan.reasons.size() == 5);
    CHECK(plan.reasons[0] == "trainer: 8 torch threads (as configured; more than the 4 usable cores)");
    CHECK(plan.reasons[2].find("augmenters: 2 (auto: half of 4 cores") == 0);
  }

  TEST_CASE("this process may use at least one core") {
    CHECK(num_usable_cores() >= 1);
  }

} // TEST_SUITE
