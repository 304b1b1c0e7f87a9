#include "actors/support/network/image_model.hpp"

#include "actors/support/network/state_dict.hpp"

#include <torch/torch.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <string>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

std::shared_ptr<image_model> built(const model_config& config, const model_io& io, std::uint64_t seed = 1) {
  at::set_num_threads(1);
  auto model = make_model(config, io, seed);
  REQUIRE_MESSAGE(model, (model ? "" : model.error().context));
  return *model;
}

std::int64_t num_parameters(const image_model& model) {
  std::int64_t count = 0;
  for (const auto& parameter : model.parameters())
    count += parameter.numel();
  return count;
}

std::string refusal(const model_config& config, const model_io& io) {
  const auto model = make_model(config, io, 1);
  REQUIRE(!model);
  CHECK(model.error().code == ec::bad_config);
  return model.error().context;
}

} // namespace

TEST_SUITE("actors/support/network/image_model") {
  TEST_CASE("every model gives a logit per class, for grey and colour images of several sizes") {
    for (const std::string name : {"mlp", "lenet", "resnet18"})
      for (std::int64_t channels : {1, 3})
        for (std::int64_t size : {9, 28, 33}) {
          CAPTURE(name);
          CAPTURE(size);
          const auto model = built({.name = name, .hidden = 8}, {channels, size, size + 1, 7});
          const auto logits_BK = model->forward(torch::randn({3, channels, size, size + 1}));
          CHECK(logits_BK.sizes() == at::IntArrayRef{3, 7});
          CHECK(at::isfinite(logits_BK).all().item<bool>());
        }
  }

  TEST_CASE("resnet18 has torchvision's number of parameters and state dict") {
    const auto model = built({.name = "resnet18"}, {3, 224, 224, 1000});
    CHECK(num_parameters(*model) == 11'689'512);
    std::ifstream golden(TROUPE_SOURCE_DIR "/tests/golden/resnet18_state_dict.txt");
    REQUIRE(golden);
    for (const auto& [name, value] : state_entries(*model)) {
      std::string expected_line;
      std::getline(golden, expected_line);
      std::string line = name;
      for (auto extent : value.sizes())
        line.append(" ").append(std::to_string(extent));
      CHECK(line == expected_line);
    }
    std::string rest;
    CHECK(!std::getline(golden, rest));
  }

  TEST_CASE("resnet18 reads small images at full resolution and large ones through the strided stem") {
    const auto small = built({.name = "resnet18"}, {3, 64, 64, 10});
    CHECK(small->named_parameters()["conv1.weight"].sizes() == at::IntArrayRef{64, 3, 3, 3});
    const auto large = built({.name = "resnet18"}, {3, 65, 64, 10});
    CHECK(large->named_parameters()["conv1.weight"].sizes() == at::IntArrayRef{64, 3, 7, 7});
    CHECK(large->forward(torch::randn({1, 3, 65, 64})).sizes() == at::IntArrayRef{1, 10});
  }

  TEST_CASE("resnet18 trains on a batch of one image of the smallest size") {
    const auto model = built({.name = "resnet18"}, {1, 9, 9, 10});
    CHECK_NOTHROW(model->forward(torch::randn({1, 1, 9, 9})));
  }

  TEST_CASE("resnet18 starts with torchvision's initialisation") {
    const auto model = built({.name = "resnet18"}, {3, 224, 224, 1000});
    const auto parameters = model->named_parameters();
    const auto expected_std = std::sqrt(2.0 / (512 * 9));
    CHECK(parameters["layer4.1.conv2.weight"].std().item<double>() == doctest::Approx(expected_std).epsilon(0.01));
    CHECK(parameters["layer1.0.bn1.weight"].eq(1).all().item<bool>());
    CHECK(parameters["layer1.0.bn1.bias"].eq(0).all().item<bool>());
    CHECK(parameters["fc.weight"].abs().max().item<double>() <= 1 / std::sqrt(512.0));
    CHECK(parameters["fc.weight"].std().item<double>() == doctest::Approx(1 / std::sqrt(3 * 512.0)).epsilon(0.01));
  }

  TEST_CASE("weights are a function of the seed, whatever the default generator has given before") {
    for (const std::string name : {"mlp", "lenet", "resnet18"}) {
      const auto a = built({.name = name}, {}, 5)->parameters();
      torch::randn({17});
      const auto b = built({.name = name}, {}, 5)->parameters();
      const auto c = built({.name = name}, {}, 6)->parameters();
      for (std::size_t i = 0; i < a.size(); ++i)
        CHECK(at::equal(a[i], b[i]));
      CHECK(!at::equal(a[0], c[0]));
    }
  }

  TEST_CASE("dropout acts in training mode only") {
    for (const std::string name : {"mlp", "lenet"}) {
      const auto model = built({.name = name, .dropout = 0.5}, {});
      const auto x_BCHW = torch::randn({4, 1, 28, 28});
      CHECK(!at::equal(model->forward(x_BCHW), model->forward(x_BCHW)));
      model->eval();
      CHECK(at::equal(model->forward(x_BCHW), model->forward(x_BCHW)));
    }
  }

  TEST_CASE("an unknown name is refused with the known ones") {
    const auto text = refusal({.name = "lenet5"}, {});
    CHECK(text.find("lenet5") != std::string::npos);
    CHECK(text.find("mlp, lenet, resnet18") != std::string::npos);
  }

  TEST_CASE("images that are too small are refused with the smallest size") {
    CHECK(refusal({.name = "lenet"}, {1, 7, 28, 10}).find("at least 8x8") != std::string::npos);
    CHECK(refusal({.name = "resnet18"}, {1, 28, 8, 10}).find("at least 9x9") != std::string::npos);
    CHECK(refusal({.name = "mlp"}, {1, 0, 28, 10}).find("0x28") != std::string::npos);
    CHECK(refusal({.name = "mlp"}, {1, -4, 28, 10}).find("-4x28") != std::string::npos);
    CHECK_NOTHROW(built({.name = "lenet"}, {1, 8, 8, 10})->forward(torch::randn({1, 1, 8, 8})));
  }

  TEST_CASE("settings out of range are refused by name") {
    CHECK(refusal({.dropout = 1}, {}).find("dropout") != std::string::npos);
    CHECK(refusal({.dropout = -0.1}, {}).find("dropout") != std::string::npos);
    CHECK(refusal({.dropout = std::numeric_limits<double>::quiet_NaN()}, {}).find("dropout") != std::string::npos);
    CHECK(refusal({.name = "mlp", .hidden = 0}, {}).find("hidden") != std::string::npos);
    CHECK(refusal({}, {0, 28, 28, 10}).find("channels") != std::string::npos);
    CHECK(refusal({}, {1, 28, 28, 1}).find("classes") != std::string::npos);
  }
}
