// Shapes: B batch, C channels, H height, W width, F features, K classes.
#include "actors/support/network/mlp.hpp"

#include <torch/torch.h>

namespace troupe {

namespace {

class mlp : public image_model {
public:
  mlp(const model_config& config, const model_io& io)
    : dropout_(config.dropout),
      fc1_(register_module("fc1", torch::nn::Linear(io.channels * io.height * io.width, config.hidden))),
      fc2_(register_module("fc2", torch::nn::Linear(config.hidden, config.hidden))),
      fc3_(register_module("fc3", torch::nn::Linear(config.hidden, io.num_classes))) {}

  at::Tensor forward(at::Tensor x_BCHW) override {
    auto x_BF = x_BCHW.flatten(1);
    x_BF = at::dropout(fc1_->forward(x_BF).relu_(), dropout_, is_training());
    x_BF = at::dropout(fc2_->forward(x_BF).relu_(), dropout_, is_training());
    return fc3_->forward(x_BF);
  }

private:
  double dropout_;
  torch::nn::Linear fc1_;
  torch::nn::Linear fc2_;
  torch::nn::Linear fc3_;
};

} // namespace

std::shared_ptr<image_model> build_mlp(const model_config& config, const model_io& io) {
  return std::make_shared<mlp>(config, io);
}

} // namespace troupe
