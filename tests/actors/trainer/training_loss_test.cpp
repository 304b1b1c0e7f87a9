// Shapes: B batch, K classes.
#include "actors/trainer/training_step.hpp"

#include <ATen/ATen.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

constexpr std::size_t num_samples = 5, num_classes = 4;

/// Logits, labels and weights of a batch, and its loss by the plain formula in double precision.
struct toy_loss {
  toy_loss() {
    std::mt19937 engine(7);
    std::normal_distribution<float> normal(0, 2);
    for (std::size_t i = 0; i < num_samples * num_classes; ++i)
      logits.push_back(normal(engine));
  }

  [[nodiscard]] at::Tensor logits_BK() {
    return at::from_blob(logits.data(), {std::int64_t{num_samples}, std::int64_t{num_classes}}).clone();
  }
  [[nodiscard]] at::Tensor labels_B() {
    return at::from_blob(labels.data(), {std::int64_t{num_samples}}, at::kLong).clone();
  }
  [[nodiscard]] at::Tensor weights_B() { return at::from_blob(weights.data(), {std::int64_t{num_samples}}).clone(); }

  /// -log softmax of the sample's logits at `label`, smoothed.
  [[nodiscard]] double cross_entropy(std::size_t i, std::int64_t label, double smoothing) const {
    double sum = 0, all = 0;
    for (std::size_t k = 0; k < num_classes; ++k)
      sum += std::exp(double{logits[i * num_classes + k]});
    for (std::size_t k = 0; k < num_classes; ++k)
      all += std::log(sum) - logits[i * num_classes + k];
    const auto own = std::log(sum) - logits[i * num_classes + static_cast<std::size_t>(label)];
    return (1 - smoothing) * own + smoothing / num_classes * all;
  }

  /// The sum over the samples; each is compared with its own label and that of the sample before it.
  [[nodiscard]] double sum(bool weighted, double own_share, double smoothing) const {
    double out = 0;
    for (std::size_t i = 0; i < num_samples; ++i) {
      const auto before = (i + num_samples - 1) % num_samples;
      const auto loss_of = [&](std::size_t labelled) { // A label counts with the weight of the sample that it is of.
        return (weighted ? weights[labelled] : 1) * cross_entropy(i, labels[labelled], smoothing);
      };
      out += own_share * loss_of(i) + (1 - own_share) * loss_of(before);
    }
    return out;
  }

  std::vector<float> logits;
  std::vector<std::int64_t> labels = {2, 0, 3, 3, 1};
  std::vector<float> weights = {1, 0.25f, 3, 0.5f, 2};
};

} // namespace

TEST_SUITE_BEGIN("actors/trainer");

TEST_CASE_FIXTURE(toy_loss, "the loss is the plain formula's, with and without weights, mixed labels and smoothing") {
  for (const bool weighted : {false, true})
    for (const double own_share : {1.0, 0.7, 0.0})
      for (const double smoothing : {0.0, 0.1}) {
        CAPTURE(weighted);
        CAPTURE(own_share);
        CAPTURE(smoothing);
        const loss_targets targets{labels_B(), weighted ? weights_B() : at::Tensor{}, own_share};
        const auto wanted = sum(weighted, own_share, smoothing);
        CHECK(training_loss(logits_BK(), targets, smoothing, false).item<double>()
              == doctest::Approx(wanted).epsilon(1e-5));
        CHECK(training_loss(logits_BK(), targets, smoothing, true).item<double>()
              == doctest::Approx(wanted / num_samples).epsilon(1e-5));
      }
}

TEST_CASE_FIXTURE(toy_loss, "weights of 1 and an own share of 1 are as good as none") {
  const auto plain = training_loss(logits_BK(), {labels_B(), {}, 1}, 0.1, false);
  const auto ones = at::ones({std::int64_t{num_samples}});
  CHECK(training_loss(logits_BK(), {labels_B(), ones, 1}, 0.1, false).item<float>()
        == doctest::Approx(plain.item<float>()).epsilon(1e-6));
}

TEST_CASE_FIXTURE(toy_loss, "a sample's gradient is its weight times the unweighted one") {
  const auto gradient = [&](const at::Tensor& factors_B) {
    auto leaf_BK = logits_BK().requires_grad_();
    training_loss(leaf_BK, {labels_B(), factors_B}, 0, false).backward();
    return leaf_BK.grad().clone();
  };
  const auto plain = gradient({});
  CHECK(at::allclose(gradient(weights_B()), plain * weights_B().unsqueeze(1), 1e-5, 1e-6));
}

TEST_CASE_FIXTURE(toy_loss, "logits of bfloat16 are compared in fp32") {
  const auto half_BK = logits_BK().to(at::kBFloat16);
  const auto loss = training_loss(half_BK, {labels_B(), weights_B(), 0.6}, 0.1, true);
  CHECK((loss.scalar_type() == at::kFloat));
  const auto wanted = training_loss(half_BK.to(at::kFloat), {labels_B(), weights_B(), 0.6}, 0.1, true);
  CHECK(loss.item<float>() == wanted.item<float>());
}

TEST_SUITE_END();
