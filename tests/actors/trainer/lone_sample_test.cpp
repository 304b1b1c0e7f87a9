#include "actors/trainer/learner.hpp"

#include "tests/actors/trainer/learner_fixture.hpp"

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

const model_io tiny_images{3, 32, 32, 4};

trainer_config resnet_recipe() {
  auto config = toy_recipe();
  config.model = {.name = "resnet18"};
  return config;
}

bool is_statistic(const named_tensor& x) {
  return x.name.find("running_") != std::string::npos || x.name.find("num_batches_tracked") != std::string::npos;
}

/// How many tensors differ, of batch norm's statistics or of all others.
std::size_t num_changed(const snapshot& a, const snapshot& b, bool of_statistics) {
  REQUIRE(a.weights.size() == b.weights.size());
  std::size_t out = 0;
  for (std::size_t i = 0; i < a.weights.size(); ++i) {
    const auto &x = a.weights[i], &y = b.weights[i];
    if (is_statistic(x) == of_statistics)
      out += std::memcmp(x.value.bytes.get(), y.value.bytes.get(), x.value.num_bytes()) != 0;
  }
  return out;
}

} // namespace

TEST_SUITE_BEGIN("actors/trainer");

TEST_CASE("a batch of one sample trains a network with batch norm and leaves the running statistics alone") {
  const auto trained = make_learner(resnet_recipe(), tiny_images);
  toy_batch pair(tiny_images, 2, 1);
  train_on(*trained, pair.view());
  const auto before = exported(*trained);
  const auto step = train_on(*trained, pair.part(0, 1), 1);
  CHECK_FALSE(step.not_taken);
  CHECK(step.num_samples == 1);
  CHECK(std::isfinite(step.loss_sum));
  const auto after = exported(*trained);
  CHECK(num_changed(*before, *after, true) == 0);
  CHECK(num_changed(*before, *after, false) > 0);
}

TEST_CASE("a batch of two after a lone sample moves the running statistics again") {
  const auto trained = make_learner(resnet_recipe(), tiny_images);
  toy_batch pair(tiny_images, 2, 1);
  train_on(*trained, pair.part(1, 1));
  const auto before = exported(*trained);
  train_on(*trained, pair.view(), 1);
  CHECK(num_changed(*before, *exported(*trained), true) > 0);
}

TEST_CASE("a sample's weight scales its loss and its gradient") {
  const auto weighted = [](float weight) {
    auto config = toy_recipe();
    const auto trained = make_learner(config);
    toy_batch batch(toy_io, 2, 3);
    std::vector<float> weights(2, weight);
    auto view = batch.view();
    view.weights = weights.data();
    return train_on(*trained, view);
  };
  const auto once = weighted(1), twice = weighted(2);
  CHECK(twice.loss_sum == doctest::Approx(2 * once.loss_sum));
  CHECK(twice.grad_norm == doctest::Approx(2 * once.grad_norm).epsilon(1e-4));
}

TEST_CASE("a mixed batch's loss lies between those of its two labellings") {
  const auto loss = [](double own_share) {
    const auto trained = make_learner(toy_recipe());
    toy_batch batch(toy_io, 6, 3);
    auto view = batch.view();
    view.own_share = own_share;
    return train_on(*trained, view).loss_sum;
  };
  CHECK(loss(0.25) == doctest::Approx(0.25 * loss(1) + 0.75 * loss(0)).epsilon(1e-5));
}

TEST_SUITE_END();
