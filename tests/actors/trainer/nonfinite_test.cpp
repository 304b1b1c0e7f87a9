#include "actors/trainer/learner.hpp"

#include "tests/actors/trainer/learner_fixture.hpp"

#include <limits>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

constexpr auto not_a_number = std::numeric_limits<float>::quiet_NaN();

/// With batch normalisation, whose running statistics a bad batch would poison.
trainer_config residual_recipe() {
  auto config = toy_recipe();
  config.model.name = "resnet18";
  config.accumulate = 2;
  return config;
}

} // namespace

TEST_SUITE("actors/trainer/nonfinite") {
  TEST_CASE("a step with a loss that is not finite is not taken, is named, and counts") {
    const auto trained = make_learner(residual_recipe());
    toy_batch good(toy_io, 4, 1), bad(toy_io, 4, 2);
    bad.pixels[5] = not_a_number;
    REQUIRE(trained->forward_backward(good.view(), 1));
    trained->finish_step();
    const auto before = exported(*trained);

    CHECK(trained->forward_backward(good.view(), 7)->finite);
    const auto poisoned = trained->forward_backward(bad.view(), 8);
    REQUIRE(poisoned);
    CHECK(!poisoned->finite);
    const auto step = trained->finish_step();
    REQUIRE(step.not_taken);
    CHECK(step.not_taken->code == ec::nonfinite);
    CHECK(step.not_taken->context.find("batch 8 in step 2") != std::string::npos);
    CHECK(step.step == 2);
    CHECK(step.num_batches == 2);
    const auto after = exported(*trained);
    CHECK(same_bits(after->weights, before->weights));
    CHECK(same_bits(after->optimizer_state, before->optimizer_state));

    CHECK(!train_on(*trained, good.view()).not_taken);
    CHECK(!same_bits(exported(*trained)->weights, before->weights));
  }

  TEST_CASE("a gradient that is not finite stops the step though the loss is finite") {
    // The first layer ignores the enormous pixel, so that the loss is 15; its gradient is 5 * 1e38 and overflows.
    auto config = toy_recipe();
    config.model = {.name = "mlp", .dropout = 0, .hidden = 2};
    const model_io io{1, 1, 1, 2};
    const auto trained = make_learner(config, io);
    snapshot start = *exported(*trained);
    for (auto& [name, value] : start.weights) {
      auto numbers = std::make_shared<std::vector<float>>(value.num_elements(), name == "fc1.weight" ? 0.0f : 1.0f);
      if (name == "fc3.weight")
        *numbers = {3, 3, 0.5f, 0.5f};
      value.bytes = {numbers, reinterpret_cast<const std::byte*>(numbers->data())};
    }
    REQUIRE(trained->import_snapshot(start));
    const auto before = exported(*trained);
    toy_batch batch(io, 1, 1);
    batch.pixels[0] = 1e38f;
    batch.labels[0] = 1;
    const auto result = trained->forward_backward(batch.view(), 3);
    REQUIRE(result);
    CHECK(result->finite);
    CHECK(result->loss_sum == doctest::Approx(15));
    const auto step = trained->finish_step();
    REQUIRE(step.not_taken);
    CHECK(step.not_taken->code == ec::nonfinite);
    CHECK(step.not_taken->context.find("gradient of step 1") != std::string::npos);
    CHECK(same_bits(exported(*trained)->weights, before->weights));
  }

  TEST_CASE("an abandoned step leaves no trace") {
    const auto trained = make_learner(residual_recipe()), straight = make_learner(residual_recipe());
    toy_batch first(toy_io, 4, 1), second(toy_io, 4, 2);
    REQUIRE(trained->forward_backward(second.view(), 9));
    trained->abandon_step();
    CHECK(trained->num_micro_batches() == 0);
    CHECK(trained->step() == 0);
    train_on(*trained, first.view());
    train_on(*straight, first.view());
    CHECK(same_state(*exported(*trained), *exported(*straight)));
  }

  TEST_CASE("weights that are not finite never become a snapshot") {
    auto config = toy_recipe();
    config.optimizer = {.name = "sgd", .lr = 1e38, .momentum = 0, .nesterov = false, .weight_decay = 1e30};
    const auto trained = make_learner(config);
    toy_batch batch(toy_io, 4, 1);
    train_on(*trained, batch.view());
    const auto taken = trained->export_snapshot({});
    REQUIRE(!taken);
    CHECK(taken.error().code == ec::nonfinite);
    CHECK(taken.error().context.find("conv1.weight") != std::string::npos);
  }
}
