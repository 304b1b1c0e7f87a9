// A model from outside: one linear layer, or one that cannot be made.
#include "actors/plugin.hpp"

#include <torch/nn/modules/linear.h>

#include <stdexcept>

namespace {

class tiny_model final : public troupe::image_model {
public:
  explicit tiny_model(const troupe::model_io& io)
    : layer_(register_module("layer", torch::nn::Linear(io.channels * io.height * io.width, io.num_classes))) {}

  at::Tensor forward(at::Tensor x_BCHW) override { return layer_->forward(x_BCHW.flatten(1)); }

private:
  torch::nn::Linear layer_;
};

} // namespace

TROUPE_PLUGIN(tiny_model, "1.0") {
  using namespace troupe;
  plugin.model("tiny", "One linear layer.", {param::flag("broken", false, "It cannot be made.")},
               [](const parameters& values, const model_io& io) -> std::shared_ptr<image_model> {
                 if (values.flag("broken"))
                   throw std::runtime_error("no licence for this model");
                 return std::make_shared<tiny_model>(io);
               });
}
