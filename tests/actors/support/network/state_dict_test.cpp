#include "actors/support/network/state_dict.hpp"

#include "actors/support/network/host_arena.hpp"
#include "actors/support/network/image_model.hpp"
#include "actors/support/network/tensor_bridge.hpp"

#include <torch/torch.h>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

std::shared_ptr<image_model> mlp(std::uint64_t seed) {
  auto model = make_model({.name = "mlp", .hidden = 4}, {1, 2, 2, 3}, seed);
  REQUIRE(model);
  return *model;
}

std::vector<named_tensor> copied(const torch::nn::Module& module) {
  std::vector<named_tensor> result;
  for (const auto& [name, value] : state_entries(module))
    result.push_back({name, as_host_tensor(value.detach().clone())});
  return result;
}

std::string refusal(std::span<const named_tensor> given) {
  const auto model = mlp(1);
  const auto before = copied(*model);
  const auto loaded = load_state_dict(*model, given);
  REQUIRE(!loaded);
  CHECK(loaded.error().code == ec::mismatch);
  const auto after = state_entries(*model);
  for (std::size_t i = 0; i < after.size(); ++i)
    CHECK(at::equal(after[i].value, as_tensor(before[i].value)));
  return loaded.error().context;
}

} // namespace

TEST_SUITE("actors/support/network/state_dict") {
  TEST_CASE("weights go from one model into another by name, in any order") {
    const auto from = mlp(1), into = mlp(2);
    auto weights = copied(*from);
    std::swap(weights.front(), weights.back());
    REQUIRE(load_state_dict(*into, weights));
    const auto a = from->parameters(), b = into->parameters();
    for (std::size_t i = 0; i < a.size(); ++i)
      CHECK(at::equal(a[i], b[i]));
    CHECK(b[0].requires_grad());
  }

  TEST_CASE("buffers are part of it, scalars too") {
    auto from = make_model({.name = "resnet18"}, {1, 9, 9, 2}, 1),
         into = make_model({.name = "resnet18"}, {1, 9, 9, 2}, 2);
    (*from)->forward(torch::randn({4, 1, 9, 9}));
    REQUIRE(load_state_dict(**into, copied(**from)));
    CHECK((*into)->named_buffers()["bn1.num_batches_tracked"].item<std::int64_t>() == 1);
    CHECK(at::equal((*into)->named_buffers()["bn1.running_var"], (*from)->named_buffers()["bn1.running_var"]));
  }

  TEST_CASE("what does not match is refused, named, and changes nothing") {
    auto weights = copied(*mlp(2));
    SUBCASE("missing") {
      weights.erase(weights.begin());
      CHECK(refusal(weights).find("fc1.weight is missing") != std::string::npos);
    }
    SUBCASE("unexpected") {
      weights.push_back({"extra.bias", as_host_tensor(torch::zeros({3}))});
      CHECK(refusal(weights).find("extra.bias is unexpected") != std::string::npos);
    }
    SUBCASE("given twice") {
      weights.push_back(weights.front());
      CHECK(refusal(weights).find("fc1.weight is given twice") != std::string::npos);
    }
    SUBCASE("another shape") {
      weights[0].value = as_host_tensor(torch::zeros({4, 5}));
      CHECK(refusal(weights).find("fc1.weight is f32[4, 5], expected f32[4, 4]") != std::string::npos);
    }
    SUBCASE("another type") {
      weights[0].value = as_host_tensor(torch::zeros({4, 4}, at::kDouble));
      CHECK(refusal(weights).find("fc1.weight is f64[4, 4], expected f32[4, 4]") != std::string::npos);
    }
    SUBCASE("nothing at all: the first few are listed and the rest counted") {
      const auto text = refusal({});
      CHECK(text.find("fc1.weight is missing; fc1.bias is missing") != std::string::npos);
      CHECK(text.find("and 2 more") != std::string::npos);
    }
  }
}

TEST_SUITE("actors/support/network/tensor_bridge") {
  TEST_CASE("both directions share the memory and keep it alive") {
    auto tensor = torch::arange(6, at::kFloat).view({2, 3});
    const auto* data = tensor.data_ptr();
    auto host = as_host_tensor(tensor);
    CHECK(static_cast<const void*>(host.bytes.get()) == data);
    CHECK(host.shape == std::vector<std::int64_t>{2, 3});
    auto back = as_tensor(host);
    CHECK(back.data_ptr() == data);
    tensor.reset();
    host = {};
    CHECK(at::equal(back, torch::arange(6, at::kFloat).view({2, 3})));
  }

  TEST_CASE("every element type has one name on each side") {
    for (auto type :
         {dtype::boolean, dtype::u8, dtype::i32, dtype::i64, dtype::f16, dtype::bf16, dtype::f32, dtype::f64}) {
      CHECK(dtype_of(scalar_type_of(type)) == type);
      CHECK(at::elementSize(scalar_type_of(type)) == size_of(type));
    }
    CHECK(!dtype_of(at::kComplexFloat));
  }
}

TEST_SUITE("actors/support/network/host_arena") {
  TEST_CASE("a block is aligned and comes back for the same size only") {
    host_arena arena(/*page_locked=*/false);
    auto block = arena.take(1000);
    const auto* address = block.get();
    CHECK(reinterpret_cast<std::uintptr_t>(address) % 64 == 0);
    std::shared_ptr<const std::byte> part(block, block.get() + 64);
    block.reset();
    CHECK(arena.take(1000).get() != address);
    part.reset();
    CHECK(arena.take(2000).get() != address);
    const auto a = arena.take(1000), b = arena.take(1000);
    CHECK((a.get() == address || b.get() == address));
  }
}
