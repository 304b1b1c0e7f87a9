#include "actors/support/network/device_ops.hpp"

#include "actors/support/network/autocast_guard.hpp"
#include "actors/support/network/image_model.hpp"
#include "actors/support/network/input_tensors.hpp"
#include "actors/support/network/memory_layout.hpp"

#include <torch/torch.h>

#include <thread>

#include "tests/support/doctest.hpp"

using namespace troupe;

TEST_SUITE("actors/support/network/device_ops") {
  TEST_CASE("cpu is always there, and auto is a device that exists") {
    const auto cpu = resolve_device("cpu");
    REQUIRE(cpu);
    CHECK(cpu->is_cpu());
    const auto automatic = resolve_device("auto");
    REQUIRE(automatic);
    CHECK(automatic->is_cuda() == torch::cuda::is_available());
  }

  TEST_CASE("what is no device is refused") {
    for (const char* name : {"", "gpu", "CPU", "cpu:0", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "cuda:999999999999"}) {
      CAPTURE(name);
      const auto device = resolve_device(name);
      REQUIRE(!device);
      CHECK(device.error().code == ec::bad_config);
      CHECK(device.error().context.find(name) != std::string::npos);
    }
  }

  TEST_CASE("a GPU that is not there is unsupported") {
    const auto device = resolve_device("cuda:127");
    REQUIRE(!device);
    CHECK(device.error().code == ec::unsupported);
  }

  TEST_CASE("precision is what was asked for, unless it is automatic") {
    CHECK(uses_bf16(precision::bf16, at::kCPU));
    CHECK(!uses_bf16(precision::fp32, at::kCPU));
  }

  TEST_CASE("each thread keeps its own number of torch threads") {
    REQUIRE(set_torch_threads(1));
    std::thread([] {
      static_cast<void>(set_torch_threads(2));
      at::parallel_for(0, 8, 1, [](std::int64_t, std::int64_t) {});
    }).join();
    torch::rand({1 << 20}).sum();
    CHECK(at::get_num_threads() == 1);
    int seen = 0;
    std::thread([&] {
      static_cast<void>(set_torch_threads(1));
      std::thread([] { static_cast<void>(set_torch_threads(3)); }).join();
      at::parallel_for(0, 8, 1, [](std::int64_t, std::int64_t) {});
      seen = at::get_num_threads();
    }).join();
    CHECK(seen == 1);
    REQUIRE(set_torch_threads(1));
  }

  TEST_CASE("less than one thread is refused") {
    for (int n : {0, -1}) {
      const auto set = set_torch_threads(n);
      REQUIRE(!set);
      CHECK(set.error().code == ec::bad_config);
    }
  }

  TEST_CASE("on the CPU an upload is the tensor itself") {
    upload_stream uploads(at::kCPU);
    const auto x = torch::ones({4});
    CHECK(uploads.upload(x).data_ptr() == x.data_ptr());
    uploads.wait();
  }
}

TEST_SUITE("actors/support/network/autocast_guard") {
  TEST_CASE("eligible operations compute in bf16 inside, and in fp32 again after") {
    const auto a = torch::rand({4, 4}), b = torch::rand({4, 4});
    {
      autocast_guard outer(at::kCPU, true);
      CHECK((at::mm(a, b).scalar_type() == at::kBFloat16));
      {
        autocast_guard inner(at::kCPU, false);
        CHECK((at::mm(a, b).scalar_type() == at::kFloat));
      }
      CHECK((at::mm(a, b).scalar_type() == at::kBFloat16));
    }
    CHECK((at::mm(a, b).scalar_type() == at::kFloat));
  }

  TEST_CASE("no cast of a weight outlives the outermost scope") {
    auto weight = torch::ones({2, 2}, at::requires_grad());
    const auto x = torch::eye(2);
    const auto product = [&] {
      autocast_guard mixed(at::kCPU, true);
      return at::mm(x, weight).sum().item<float>();
    };
    CHECK(product() == 4);
    weight.set_data(torch::full({2, 2}, 2.0f));
    CHECK(product() == 8);
  }
}

TEST_SUITE("actors/support/network/input_tensors") {
  TEST_CASE("NHWC memory is a channels_last tensor of the same memory") {
    const model_io io{2, 3, 4, 5};
    std::vector<float> pixels(24 * 2);
    for (std::size_t i = 0; i < pixels.size(); ++i)
      pixels[i] = static_cast<float>(i);
    std::vector<std::int64_t> labels{0, 4};
    const auto wrapped = wrap_batch({pixels.data(), labels.data(), 2, true}, io);
    REQUIRE(wrapped);
    CHECK(wrapped->x_BCHW.data_ptr() == pixels.data());
    CHECK(wrapped->labels_B.data_ptr() == labels.data());
    CHECK(wrapped->x_BCHW.is_contiguous(at::MemoryFormat::ChannelsLast));
    // Sample 1, channel 1, row 2, column 3.
    CHECK(wrapped->x_BCHW[1][1][2][3].item<float>() == 24 + (2 * 4 + 3) * 2 + 1);
    const auto planar = wrap_batch({pixels.data(), labels.data(), 2, false}, io);
    CHECK(planar->x_BCHW[1][1][2][3].item<float>() == 24 + (1 * 3 + 2) * 4 + 3);
  }

  TEST_CASE("bad batches are refused with the slot and the value") {
    const model_io io{1, 1, 1, 3};
    std::vector<float> pixels(2);
    std::vector<std::int64_t> labels{0, 3};
    const auto too_high = wrap_batch({pixels.data(), labels.data(), 2, true}, io);
    REQUIRE(!too_high);
    CHECK(too_high.error().code == ec::bad_data);
    CHECK(too_high.error().context.find("slot 1 has label 3, expected 0 to 2") != std::string::npos);
    labels[1] = -1;
    CHECK(!wrap_batch({pixels.data(), labels.data(), 2, true}, io));
    CHECK(wrap_batch({pixels.data(), labels.data(), 1, true}, io));
    CHECK(!wrap_batch({pixels.data(), labels.data(), 0, true}, io));
    CHECK(!wrap_batch({nullptr, labels.data(), 1, true}, io));
    CHECK(!wrap_batch({pixels.data(), nullptr, 1, true}, io));
  }
}

TEST_SUITE("actors/support/network/memory_layout") {
  TEST_CASE("channels_last weights give the same logits") {
    auto plain = make_model({.name = "lenet"}, {3, 28, 28, 10}, 1),
         moved = make_model({.name = "lenet"}, {3, 28, 28, 10}, 1);
    lay_out_channels_last(**moved);
    CHECK((*moved)->named_parameters()["conv2.weight"].is_contiguous(at::MemoryFormat::ChannelsLast));
    (*plain)->eval();
    (*moved)->eval();
    const auto x_BCHW = torch::randn({2, 3, 28, 28});
    CHECK(at::allclose((*plain)->forward(x_BCHW), (*moved)->forward(x_BCHW.contiguous(at::MemoryFormat::ChannelsLast)),
                       1e-4, 1e-5));
  }
}
