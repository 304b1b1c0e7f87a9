#include "actors/trainer/snapshot_maker.hpp"

#include "actors/support/network/image_model.hpp"
#include "actors/support/network/tensor_bridge.hpp"

#include <torch/torch.h>

#include <cstring>
#include <deque>
#include <future>
#include <set>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

std::shared_ptr<image_model> toy_model() {
  auto model = make_model({.name = "resnet18"}, {1, 9, 9, 2}, 1);
  REQUIRE(model);
  return *model;
}

/// The optimizer of the test: the weights after step n are n.
void write_step(std::vector<state_entry>& weights, std::uint64_t step) {
  torch::NoGradGuard no_grad;
  for (auto& weight : weights)
    weight.value.fill_(static_cast<std::int64_t>(step));
}

template <class T>
bool all_equal(const host_tensor& x, T value) {
  const auto* data = reinterpret_cast<const T*>(x.bytes.get());
  return std::all_of(data, data + x.num_elements(), [&](T y) { return y == value; });
}

bool is_of_step(const snapshot& taken, std::uint64_t step) {
  return std::all_of(taken.weights.begin(), taken.weights.end(), [&](const named_tensor& weight) {
    return weight.value.type == dtype::i64 ? all_equal(weight.value, static_cast<std::int64_t>(step))
                                           : all_equal(weight.value, static_cast<float>(step));
  });
}

snapshot_ptr taken(snapshot_maker& maker, std::span<const state_entry> weights, std::uint64_t step = 0) {
  snapshot frame;
  frame.tag = {"run", 0, step, step};
  auto made = maker.make(std::move(frame), weights, {});
  REQUIRE(made);
  return *made;
}

} // namespace

TEST_SUITE("actors/trainer/snapshot_maker") {
  TEST_CASE("all tensors of a snapshot are of its step, however long another thread holds it") {
    const auto model = toy_model();
    auto weights = state_entries(*model);
    snapshot_maker maker(/*page_locked=*/false);
    std::deque<std::future<bool>> judged;
    std::set<const std::byte*> blocks;
    for (std::uint64_t step = 1; step <= 60; ++step) {
      write_step(weights, step);
      auto held = taken(maker, weights, step);
      blocks.insert(held->weights.front().value.bytes.get());
      judged.push_back(std::async(std::launch::async, [held = std::move(held), step]() mutable {
        bool right = true;
        for (int look = 0; look < 3; ++look)
          right = right && is_of_step(*held, step);
        held.reset();
        return right;
      }));
      if (judged.size() > 3) {
        CHECK(judged.front().get());
        judged.pop_front();
      }
    }
    for (auto& verdict : judged)
      CHECK(verdict.get());
    CHECK(blocks.size() <= 6);
  }

  TEST_CASE("later changes of the weights do not reach a snapshot") {
    const auto model = toy_model();
    auto weights = state_entries(*model);
    snapshot_maker maker(false);
    write_step(weights, 1);
    const auto first = taken(maker, weights, 1);
    write_step(weights, 2);
    CHECK(is_of_step(*first, 1));
    CHECK(is_of_step(*taken(maker, weights, 2), 2));
  }

  TEST_CASE("one tensor that is still held keeps the whole memory from being used again") {
    const auto model = toy_model();
    auto weights = state_entries(*model);
    snapshot_maker maker(false);
    write_step(weights, 1);
    auto kept = taken(maker, weights, 1)->weights.back().value;
    write_step(weights, 2);
    const auto second = taken(maker, weights, 2);
    CHECK(all_equal(kept, 1.0f));
  }

  TEST_CASE("a snapshot outlives its maker") {
    const auto model = toy_model();
    auto weights = state_entries(*model);
    write_step(weights, 3);
    snapshot_ptr last;
    {
      snapshot_maker maker(false);
      last = taken(maker, weights, 3);
    }
    CHECK(is_of_step(*last, 3));
  }

  TEST_CASE("tensors are stored row by row whatever their order in memory") {
    snapshot_maker maker(false);
    const auto x = torch::arange(16, at::kFloat).view({1, 2, 2, 4});
    const std::vector<state_entry> weights{{"x", x.contiguous(at::MemoryFormat::ChannelsLast)}};
    const auto made = taken(maker, weights);
    CHECK(std::memcmp(made->weights[0].value.bytes.get(), x.data_ptr(), x.nbytes()) == 0);
  }

  TEST_CASE("training state is copied only where it is asked for") {
    snapshot_maker maker(false);
    const std::vector<state_entry> weights{{"w", torch::ones({3})}}, state{{"momentum_buffer.w", torch::zeros({3})}};
    CHECK((*maker.make({}, weights, state))->optimizer_state.empty());
    snapshot frame;
    frame.has_training_state = true;
    frame.samples_trained = 7;
    const auto whole = maker.make(std::move(frame), weights, state);
    REQUIRE(whole);
    CHECK((*whole)->optimizer_state.at(0).name == "momentum_buffer.w");
    CHECK((*whole)->samples_trained == 7);
  }

  TEST_CASE("weights that cannot be a snapshot are refused by name") {
    snapshot_maker maker(false);
    for (float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                      -std::numeric_limits<float>::infinity()}) {
      auto broken = torch::ones({100});
      broken[37] = bad;
      const std::vector<state_entry> weights{{"fine", torch::ones({2})}, {"broken", broken}};
      const auto made = maker.make({}, weights, {});
      REQUIRE(!made);
      CHECK(made.error().code == ec::nonfinite);
      CHECK(made.error().context.find("broken") != std::string::npos);
    }
    const std::vector<state_entry> complex{{"z", torch::zeros({2}, at::kComplexFloat)}};
    const auto made = maker.make({}, complex, {});
    REQUIRE(!made);
    CHECK(made.error().code == ec::unsupported);
  }
}
