#include "actors/trainer/learner.hpp"

#include "tests/actors/trainer/learner_fixture.hpp"

#include <torch/torch.h>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

trainer_config recipe(const std::string& optimizer, const std::string& model) {
  auto config = toy_recipe();
  config.model = {.name = model, .dropout = 0.5, .hidden = 8};
  config.optimizer.name = optimizer;
  config.optimizer.weight_decay = 1e-3;
  config.lr_schedule = {.name = "cosine", .warmup_steps = 3};
  config.accumulate = 2;
  return config;
}

/// Steps [first, last), each of two micro-batches of its own.
void train(learner& trained, std::uint64_t first, std::uint64_t last) {
  for (auto step = first; step < last; ++step) {
    for (std::uint64_t i = 0; i < 2; ++i) {
      toy_batch batch(toy_io, 8, 100 + 2 * step + i);
      REQUIRE(trained.forward_backward(batch.view(), 2 * step + i));
    }
    trained.finish_step();
  }
}

} // namespace

TEST_SUITE("actors/trainer/resume") {
  TEST_CASE("an interrupted and resumed training equals an uninterrupted one, bit for bit") {
    for (const std::string optimizer : {"sgd", "adamw"})
      for (const std::string model : {"mlp", "lenet", "resnet18"}) {
        CAPTURE(optimizer);
        CAPTURE(model);
        const auto config = recipe(optimizer, model);
        const auto straight = make_learner(config);
        train(*straight, 0, 6);
        const auto interrupted = make_learner(config);
        train(*interrupted, 0, 3);
        const auto half_way = exported(*interrupted);
        torch::randn({31}); // Somebody else drew from the generator meanwhile.
        const auto resumed = make_learner(config);
        REQUIRE(resumed->import_snapshot(*half_way));
        CHECK(resumed->step() == 3);
        train(*resumed, 3, 6);
        CHECK(same_state(*exported(*resumed), *exported(*straight)));
      }
  }

  TEST_CASE("without momentum there is no state, and resuming is exact all the same") {
    auto config = recipe("sgd", "lenet");
    config.optimizer.momentum = 0;
    config.optimizer.nesterov = false;
    const auto straight = make_learner(config), first = make_learner(config), second = make_learner(config);
    train(*straight, 0, 2);
    train(*first, 0, 1);
    REQUIRE(second->import_snapshot(*exported(*first)));
    train(*second, 1, 2);
    CHECK(same_state(*exported(*second), *exported(*straight)));
  }

  TEST_CASE("state is named by slot and parameter, in the model's order") {
    const auto trained = make_learner(recipe("adamw", "mlp"));
    CHECK(exported(*trained)->optimizer_state.empty());
    train(*trained, 0, 2);
    const auto taken = exported(*trained);
    REQUIRE(taken->optimizer_state.size() == 12);
    CHECK(taken->optimizer_state[0].name == "exp_avg.fc1.weight");
    CHECK(taken->optimizer_state[6].name == "exp_avg_sq.fc1.weight");
    CHECK(taken->optimizer_counters.size() == 6);
    CHECK(taken->optimizer_counters.at("step.fc3.bias") == 2);
    CHECK(exported(*trained, false)->optimizer_state.empty());
    CHECK(exported(*trained, false)->optimizer_counters.empty());
  }

  TEST_CASE("dropout is a function of seed, step and micro-batch") {
    auto config = recipe("sgd", "lenet");
    toy_batch batch(toy_io, 8, 1);
    const auto losses = [&](std::uint64_t seed) {
      config.seed = seed;
      const auto trained = make_learner(config);
      const auto first = trained->forward_backward(batch.view(), 0)->loss_sum;
      torch::rand({5});
      return std::pair{first, trained->forward_backward(batch.view(), 1)->loss_sum};
    };
    const auto once = losses(1);
    CHECK(losses(1) == once);
    CHECK(once.first != once.second);
    CHECK(losses(2) != once);
  }

  TEST_CASE("a snapshot that does not fit is refused and changes nothing") {
    const auto trained = make_learner(recipe("sgd", "mlp"));
    train(*trained, 0, 1);
    const auto before = exported(*trained);
    snapshot other = *before;
    const auto refused = [&](const char* text) {
      const auto imported = trained->import_snapshot(other);
      REQUIRE(!imported);
      CHECK(imported.error().code == ec::mismatch);
      CHECK(imported.error().context.find(text) != std::string::npos);
      CHECK(same_state(*exported(*trained), *before));
    };
    SUBCASE("no training state") {
      other.has_training_state = false;
      refused("no training state");
    }
    SUBCASE("another optimizer") {
      const auto adamw = make_learner(recipe("adamw", "mlp"));
      train(*adamw, 0, 1);
      other = *exported(*adamw);
      refused("momentum_buffer.fc1.weight is missing");
    }
    SUBCASE("another model") {
      other = *exported(*make_learner(recipe("sgd", "lenet")));
      refused("fc1.weight is f32[128, 256], expected f32[8, 144]");
    }
    SUBCASE("half of the optimizer's state") {
      other.optimizer_state.pop_back();
      refused("momentum_buffer.fc3.bias is missing");
    }
    SUBCASE("counters that sgd does not have") {
      other.optimizer_counters["step.fc1.weight"] = 1;
      refused("1 counters, expected 0");
    }
  }

  TEST_CASE("a count that is missing for adamw is named") {
    const auto trained = make_learner(recipe("adamw", "mlp"));
    train(*trained, 0, 1);
    snapshot other = *exported(*trained);
    other.optimizer_counters.erase("step.fc2.bias");
    const auto imported = trained->import_snapshot(other);
    REQUIRE(!imported);
    CHECK(imported.error().context.find("step.fc2.bias is missing") != std::string::npos);
  }
}
