#include "actors/validator/evaluator.hpp"

#include "actors/support/network/image_model.hpp"
#include "actors/support/network/state_dict.hpp"
#include "actors/support/network/tensor_bridge.hpp"
#include "tests/support/toy_batch.hpp"

#include <torch/torch.h>

#include <numeric>

#include "tests/support/doctest.hpp"

using namespace troupe;
using doctest::Approx;

namespace {

const model_io io{1, 12, 12, 7};

validator_config recipe(const std::string& model) {
  validator_config config;
  config.model = {.name = model, .dropout = 0.5, .hidden = 8};
  config.compute.device = "cpu";
  return config;
}

std::unique_ptr<evaluator> make_evaluator(const validator_config& config) {
  auto made = evaluator::make(config, io);
  if (!made)
    FAIL(made.error().context);
  return std::move(*made);
}

std::shared_ptr<image_model> trained_model(const std::string& name, std::uint64_t seed = 3) {
  auto model = make_model(recipe(name).model, io, seed);
  REQUIRE(model);
  (*model)->forward(torch::randn({8, 1, 12, 12})); // Moves the running statistics of batch normalisation.
  return *model;
}

snapshot_ptr snapshot_of(const image_model& model) {
  auto taken = std::make_shared<snapshot>();
  for (const auto& [name, value] : state_entries(model))
    taken->weights.push_back({name, as_host_tensor(value.detach().clone())});
  return taken;
}

validation_report judged(evaluator& judge, const snapshot_ptr& weights, toy_batch& samples, std::int64_t total,
                         std::int64_t batch_size) {
  REQUIRE(judge.load(weights));
  for (std::int64_t first = 0; first < total; first += batch_size)
    REQUIRE(judge.add(samples.part(first, std::min(batch_size, total - first))));
  return judge.finish();
}

} // namespace

TEST_SUITE("actors/validator/evaluator") {
  TEST_CASE("figures are those of the model in evaluation mode") {
    for (const std::string name : {"mlp", "lenet", "resnet18"}) {
      CAPTURE(name);
      const auto model = trained_model(name);
      const auto judge = make_evaluator(recipe(name));
      toy_batch samples(io, 30, 1);
      const auto report = judged(*judge, snapshot_of(*model), samples, 30, 30);
      model->eval();
      const auto x_BCHW = at::from_blob(samples.pixels.data(), {30, 1, 12, 12});
      const auto labels_B = at::from_blob(samples.labels.data(), {30}, at::kLong);
      const auto logits_BK = model->forward(x_BCHW).detach();
      CHECK(report.loss == Approx(at::cross_entropy_loss(logits_BK, labels_B).item<double>()).epsilon(1e-4));
      CHECK(report.top1 == Approx(logits_BK.argmax(1).eq(labels_B).to(at::kDouble).mean().item<double>()));
      const auto in_top5 = std::get<1>(logits_BK.topk(5, 1)).eq(labels_B.unsqueeze(1)).any(1);
      CHECK(report.topk == Approx(in_top5.to(at::kDouble).mean().item<double>()));
      CHECK(report.k == 5);
      CHECK(report.num_samples == 30);
      CHECK(std::accumulate(report.confusion.begin(), report.confusion.end(), 0) == 30);
    }
  }

  TEST_CASE("the size of the batches does not change the figures") {
    const auto weights = snapshot_of(*trained_model("lenet"));
    const auto judge = make_evaluator(recipe("lenet"));
    toy_batch samples(io, 37, 1);
    const auto whole = judged(*judge, weights, samples, 37, 37);
    for (std::int64_t size : {1, 8, 36}) {
      const auto parts = judged(*judge, weights, samples, 37, size);
      CHECK(parts.num_samples == 37);
      CHECK(parts.top1 == whole.top1);
      CHECK(parts.topk == whole.topk);
      CHECK(parts.confusion == whole.confusion);
      CHECK(parts.loss == Approx(whole.loss).epsilon(1e-6));
    }
  }

  TEST_CASE("the report names the snapshot that was judged, and the next one starts from nothing") {
    const auto judge = make_evaluator(recipe("mlp"));
    const auto first = snapshot_of(*trained_model("mlp", 1)), second = snapshot_of(*trained_model("mlp", 2));
    toy_batch samples(io, 20, 1);
    const auto a = judged(*judge, first, samples, 20, 20), b = judged(*judge, second, samples, 10, 10);
    CHECK(a.snapshot == first);
    CHECK(b.snapshot == second);
    CHECK(b.num_samples == 10);
    CHECK(a.loss != b.loss);
    CHECK(judged(*judge, first, samples, 20, 20).loss == a.loss);
  }

  TEST_CASE("judging draws nothing from the default generator") {
    const auto weights = snapshot_of(*trained_model("lenet"));
    const auto judge = make_evaluator(recipe("lenet"));
    toy_batch samples(io, 8, 1);
    torch::manual_seed(1);
    const auto untouched = torch::rand({4});
    torch::manual_seed(1);
    judged(*judge, weights, samples, 8, 4);
    CHECK(at::equal(torch::rand({4}), untouched));
  }

  TEST_CASE("bf16 judges about alike") {
    const auto weights = snapshot_of(*trained_model("lenet"));
    auto config = recipe("lenet");
    const auto full = make_evaluator(config);
    config.compute.number_format = precision::bf16;
    const auto mixed = make_evaluator(config);
    toy_batch samples(io, 32, 1);
    CHECK(judged(*mixed, weights, samples, 32, 32).loss
          == Approx(judged(*full, weights, samples, 32, 32).loss).epsilon(0.02));
  }

  TEST_CASE("weights of another model are refused and what was loaded stays") {
    const auto judge = make_evaluator(recipe("lenet"));
    const auto right = snapshot_of(*trained_model("lenet"));
    REQUIRE(judge->load(right));
    const auto loaded = judge->load(snapshot_of(*trained_model("mlp")));
    REQUIRE(!loaded);
    CHECK(loaded.error().code == ec::mismatch);
    toy_batch samples(io, 4, 1);
    REQUIRE(judge->add(samples.view()));
    CHECK(judge->finish().snapshot == right);
  }

  TEST_CASE("a bad batch is refused and not counted") {
    const auto judge = make_evaluator(recipe("mlp"));
    REQUIRE(judge->load(snapshot_of(*trained_model("mlp"))));
    toy_batch samples(io, 4, 1);
    samples.labels[2] = 7;
    const auto added = judge->add(samples.view());
    REQUIRE(!added);
    CHECK(added.error().code == ec::bad_data);
    CHECK(judge->finish().num_samples == 0);
  }

  TEST_CASE("settings out of range are refused by name") {
    auto config = recipe("mlp");
    config.topk = 0;
    CHECK(evaluator::make(config, io).error().context.find("topk") != std::string::npos);
    config = recipe("perceptron");
    CHECK(evaluator::make(config, io).error().code == ec::bad_config);
    config = recipe("mlp");
    config.compute.torch_threads = 0;
    CHECK(evaluator::make(config, io).error().context.find("torch_threads") != std::string::npos);
  }
}
