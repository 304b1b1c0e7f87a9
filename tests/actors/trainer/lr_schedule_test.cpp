#include "actors/trainer/lr_schedule.hpp"

#include <cmath>
#include <limits>

#include "tests/support/doctest.hpp"

using namespace troupe;
using doctest::Approx;

TEST_SUITE("actors/trainer/lr_schedule") {
  TEST_CASE("constant keeps the peak, also past the end") {
    const lr_schedule_config config{.name = "constant"};
    for (std::uint64_t step : {0, 5, 1000})
      CHECK(learning_rate_at(config, 0.1, step, 10, 100) == 0.1);
  }

  TEST_CASE("warm-up rises linearly and reaches the peak with its last step") {
    for (const char* name : {"constant", "step", "cosine"}) {
      CAPTURE(name);
      const lr_schedule_config config{.name = name, .warmup_steps = 4};
      CHECK(learning_rate_at(config, 0.8, 0, 100, 200) == Approx(0.2));
      CHECK(learning_rate_at(config, 0.8, 1, 100, 200) == Approx(0.4));
      CHECK(learning_rate_at(config, 0.8, 2, 100, 200) == Approx(0.6));
      CHECK(learning_rate_at(config, 0.8, 3, 100, 200) == 0.8);
      CHECK(learning_rate_at(config, 0.8, 4, 100, 200) == 0.8);
    }
  }

  TEST_CASE("step drops at the first step of every n-th epoch") {
    const lr_schedule_config config{.name = "step", .gamma = 0.1, .step_epochs = 2};
    CHECK(learning_rate_at(config, 1, 0, 10, 100) == 1);
    CHECK(learning_rate_at(config, 1, 19, 10, 100) == 1);
    CHECK(learning_rate_at(config, 1, 20, 10, 100) == Approx(0.1));
    CHECK(learning_rate_at(config, 1, 39, 10, 100) == Approx(0.1));
    CHECK(learning_rate_at(config, 1, 40, 10, 100) == Approx(0.01));
  }

  TEST_CASE("cosine goes from the peak through the middle to the least") {
    const lr_schedule_config config{.name = "cosine", .min_lr = 0.2};
    CHECK(learning_rate_at(config, 1, 0, 10, 100) == 1);
    CHECK(learning_rate_at(config, 1, 25, 10, 100) == Approx(0.2 + 0.8 * (1 + std::sqrt(0.5)) / 2));
    CHECK(learning_rate_at(config, 1, 50, 10, 100) == Approx(0.6));
    CHECK(learning_rate_at(config, 1, 100, 10, 100) == 0.2);
    CHECK(learning_rate_at(config, 1, 1'000'000, 10, 100) == 0.2);
  }

  TEST_CASE("cosine never rises after the warm-up") {
    const lr_schedule_config config{.name = "cosine", .warmup_steps = 7};
    for (std::uint64_t step = 7; step < 120; ++step)
      CHECK(learning_rate_at(config, 1, step, 10, 100) <= learning_rate_at(config, 1, step - 1, 10, 100));
  }

  TEST_CASE("a warm-up longer than the run only rises") {
    const lr_schedule_config config{.name = "cosine", .warmup_steps = 200};
    CHECK(learning_rate_at(config, 1, 99, 10, 100) == Approx(0.5));
  }

  TEST_CASE("settings out of range are refused by name") {
    const auto refused = [](const lr_schedule_config& config, const char* field) {
      const auto checked = check_lr_schedule(config, 0.1);
      REQUIRE(!checked);
      CHECK(checked.error().code == ec::bad_config);
      CHECK(checked.error().context.find(field) != std::string::npos);
    };
    refused({.name = "linear"}, "constant, step, cosine");
    refused({.name = "cosine", .min_lr = 0.2}, "min_lr");
    refused({.name = "cosine", .min_lr = -1}, "min_lr");
    refused({.name = "cosine", .min_lr = std::nan("")}, "min_lr");
    refused({.name = "step", .gamma = 0}, "gamma");
    refused({.name = "step", .gamma = 1.5}, "gamma");
    refused({.name = "step", .step_epochs = 0}, "step_epochs");
    CHECK(check_lr_schedule({.name = "cosine", .min_lr = 0.1}, 0.1));
  }
}
