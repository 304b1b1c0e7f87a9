#include "actors/trainer/learner.hpp"

#include "tests/actors/trainer/learner_fixture.hpp"

#include <cmath>
#include <limits>

#include "tests/support/doctest.hpp"

using namespace troupe;
using doctest::Approx;

TEST_SUITE("actors/trainer/learner") {
  TEST_CASE("the loss falls when the same batch is learned again and again") {
    for (const std::string name : {"sgd", "adamw"}) {
      auto config = toy_recipe();
      config.optimizer.name = name;
      config.optimizer.lr = config.optimizer.name == "sgd" ? 0.05 : 0.003;
      const auto trained = make_learner(config);
      toy_batch batch(toy_io, 16, 1);
      const auto first = train_on(*trained, batch.view());
      step_result last;
      for (int i = 0; i < 39; ++i)
        last = train_on(*trained, batch.view());
      CHECK(first.loss_sum / 16 == Approx(std::log(4.0)).epsilon(0.1));
      CHECK(last.loss_sum < first.loss_sum / 2);
      CHECK(last.num_correct > 12);
      CHECK(last.step == 40);
      CHECK(trained->step() == 40);
    }
  }

  TEST_CASE("accumulated micro-batches take the step of one large batch") {
    auto config = toy_recipe();
    config.compute.torch_threads = 1;
    toy_batch batch(toy_io, 64, 1);
    const auto whole = make_learner(config);
    const auto expected_step = train_on(*whole, batch.view());

    std::vector<std::pair<std::int64_t, std::int64_t>> parts;
    SUBCASE("two halves") {
      parts = {{0, 32}, {32, 32}};
    }
    SUBCASE("uneven parts, as at the end of an epoch") {
      parts = {{0, 40}, {40, 21}, {61, 3}};
    }
    SUBCASE("a group of one") {
      parts = {{0, 64}};
    }
    config.accumulate = 3;
    const auto in_parts = make_learner(config);
    for (const auto& [first, count] : parts)
      REQUIRE(in_parts->forward_backward(batch.part(first, count), 0));
    CHECK(in_parts->num_micro_batches() == parts.size());
    const auto step = in_parts->finish_step();
    CHECK(in_parts->num_micro_batches() == 0);
    CHECK(step.num_batches == parts.size());
    CHECK(step.num_samples == 64);
    CHECK(step.loss_sum == Approx(expected_step.loss_sum).epsilon(1e-5));
    CHECK(step.num_correct == expected_step.num_correct);
    CHECK(step.grad_norm == Approx(expected_step.grad_norm).epsilon(1e-4));
    CHECK(distance(*exported(*in_parts), *exported(*whole)) < 1e-6);
    CHECK(distance(*exported(*in_parts), *exported(*make_learner(config))) > 1e-4);
  }

  TEST_CASE("label smoothing gives the loss that is computed by hand") {
    // With all weights zero but the last bias, the logits of every image are that bias.
    auto config = toy_recipe();
    config.model = {.name = "mlp", .dropout = 0, .hidden = 2};
    config.label_smoothing = 0.3;
    const model_io io{1, 1, 2, 3};
    const auto trained = make_learner(config, io);
    snapshot with_bias = *exported(*trained);
    std::vector<std::shared_ptr<std::vector<float>>> values;
    for (auto& [name, value] : with_bias.weights) {
      values.push_back(std::make_shared<std::vector<float>>(value.num_elements()));
      if (name == "fc3.bias")
        *values.back() = {1, 2, -1};
      value.bytes = {values.back(), reinterpret_cast<const std::byte*>(values.back()->data())};
    }
    REQUIRE(trained->import_snapshot(with_bias));
    toy_batch batch(io, 1, 1);
    batch.labels[0] = 0;
    const auto log_sum = std::log(std::exp(1.0) + std::exp(2.0) + std::exp(-1.0));
    const auto target = (1 - 0.3) * (log_sum - 1) + 0.3 / 3 * ((log_sum - 1) + (log_sum - 2) + (log_sum + 1));
    CHECK(trained->forward_backward(batch.view(), 0)->loss_sum == Approx(target).epsilon(1e-6));
    trained->abandon_step();
  }

  TEST_CASE("clipping shortens the step to the bound and reports the norm before it") {
    auto config = toy_recipe();
    config.optimizer = {.name = "sgd", .lr = 1, .momentum = 0, .nesterov = false};
    toy_batch batch(toy_io, 8, 1);
    const auto free = make_learner(config);
    const auto start = exported(*free);
    const auto unclipped = train_on(*free, batch.view());
    REQUIRE(unclipped.grad_norm > 0.02);
    config.clip_norm = 0.01;
    const auto bounded = make_learner(config);
    CHECK(train_on(*bounded, batch.view()).grad_norm == unclipped.grad_norm);
    double squares = 0;
    const auto end = exported(*bounded);
    for (std::size_t i = 0; i < start->weights.size(); ++i) {
      const auto* p = reinterpret_cast<const float*>(start->weights[i].value.bytes.get());
      const auto* q = reinterpret_cast<const float*>(end->weights[i].value.bytes.get());
      for (std::size_t j = 0; j < start->weights[i].value.num_elements(); ++j)
        squares += std::pow(double{q[j]} - double{p[j]}, 2);
    }
    CHECK(std::sqrt(squares) == Approx(0.01).epsilon(1e-3));
    config.clip_norm = 1e6;
    const auto unbounded = make_learner(config);
    train_on(*unbounded, batch.view());
    CHECK(same_bits(exported(*unbounded)->weights, exported(*free)->weights));
  }

  TEST_CASE("the learning rate follows the schedule") {
    auto config = toy_recipe();
    config.lr_schedule = {.name = "constant", .warmup_steps = 2};
    config.optimizer.lr = 0.5;
    const auto trained = make_learner(config);
    toy_batch batch(toy_io, 2, 1);
    CHECK(train_on(*trained, batch.view()).learning_rate == 0.25);
    CHECK(train_on(*trained, batch.view()).learning_rate == 0.5);
  }

  TEST_CASE("a batch is free when forward_backward returns, and exactly once") {
    const auto trained = make_learner(toy_recipe());
    int num_freed = 0;
    {
      toy_batch batch(toy_io, 8, 1);
      REQUIRE(trained->forward_backward(batch.view(), 0, [&] {
        ++num_freed;
        std::fill(batch.pixels.begin(), batch.pixels.end(), std::numeric_limits<float>::quiet_NaN());
        std::fill(batch.labels.begin(), batch.labels.end(), -1);
      }));
    }
    CHECK(num_freed == 1);
    CHECK(!trained->finish_step().not_taken);
  }

  TEST_CASE("channels_last and channels_first images train alike") {
    const model_io io{3, 12, 12, 4};
    auto config = toy_recipe();
    const auto last = make_learner(config, io);
    config.compute.channels_last = false;
    const auto first = make_learner(config, io);
    toy_batch batch(io, 8, 1);
    std::vector<float> planar(batch.pixels.size());
    for (std::size_t n = 0; n < 8; ++n)
      for (std::size_t p = 0; p < 144; ++p)
        for (std::size_t c = 0; c < 3; ++c)
          planar[(n * 3 + c) * 144 + p] = batch.pixels[(n * 144 + p) * 3 + c];
    for (int i = 0; i < 3; ++i) {
      const auto a = train_on(*last, batch.view());
      const auto b = train_on(*first, {planar.data(), batch.labels.data(), 8, false});
      CHECK(a.loss_sum == Approx(b.loss_sum).epsilon(1e-4));
    }
    CHECK(distance(*exported(*last), *exported(*first)) < 1e-4);
  }

  TEST_CASE("bf16 trains to about the same weights, which stay fp32") {
    auto config = toy_recipe();
    const auto full = make_learner(config);
    config.compute.number_format = precision::bf16;
    const auto mixed = make_learner(config);
    toy_batch batch(toy_io, 16, 1);
    for (int i = 0; i < 3; ++i) {
      train_on(*full, batch.view());
      CHECK(!train_on(*mixed, batch.view()).not_taken);
    }
    const auto a = exported(*full), b = exported(*mixed);
    CHECK(b->weights[0].value.type == dtype::f32);
    CHECK(distance(*a, *b) < 0.02);
    CHECK(distance(*a, *b) > 0);
    CHECK(mixed->description() == "lenet on cpu, bf16, channels_last, 1 torch thread(s)");
  }

  TEST_CASE("a bad batch is refused and changes nothing") {
    const auto trained = make_learner(toy_recipe());
    const auto before = exported(*trained);
    toy_batch batch(toy_io, 2, 1);
    batch.labels[1] = 4;
    const auto result = trained->forward_backward(batch.view(), 0);
    REQUIRE(!result);
    CHECK(result.error().code == ec::bad_data);
    CHECK(trained->num_micro_batches() == 0);
    CHECK(same_state(*exported(*trained), *before));
  }

  TEST_CASE("settings out of range are refused by name") {
    const auto refused = [](const char* field, auto change, std::uint64_t steps_per_epoch = 10) {
      auto config = toy_recipe();
      change(config);
      const auto made = learner::make(config, toy_io, steps_per_epoch);
      REQUIRE(!made);
      CHECK(made.error().code == ec::bad_config);
      CHECK(made.error().context.find(field) != std::string::npos);
    };
    refused("accumulate", [](trainer_config& x) { x.accumulate = 0; });
    refused("epochs", [](trainer_config& x) { x.epochs = 0; });
    refused(
      "empty", [](trainer_config&) {}, 0);
    refused("clip_norm", [](trainer_config& x) { x.clip_norm = -1; });
    refused("label_smoothing", [](trainer_config& x) { x.label_smoothing = 1; });
    refused("torch_threads", [](trainer_config& x) { x.compute.torch_threads = 0; });
    refused("lr_schedule", [](trainer_config& x) { x.lr_schedule.name = "no"; });
    refused("optimizer", [](trainer_config& x) { x.optimizer.name = "lion"; });
    refused("lr", [](trainer_config& x) { x.optimizer.lr = 0; });
    refused("momentum", [](trainer_config& x) { x.optimizer.momentum = 1; });
    refused("nesterov", [](trainer_config& x) { x.optimizer.momentum = 0; });
    refused("weight_decay", [](trainer_config& x) { x.optimizer.weight_decay = -1; });
    refused("beta2", [](trainer_config& x) { x.optimizer.beta2 = 1; });
    refused("eps", [](trainer_config& x) { x.optimizer.eps = -1; });
    refused("model", [](trainer_config& x) { x.model.name = "vgg"; });
    refused("device", [](trainer_config& x) { x.compute.device = "tpu"; });
  }
}
