// Shapes: B batch, C channels, H height, W width, F features, K classes.
#include "actors/support/network/lenet.hpp"

#include <torch/torch.h>

namespace troupe {

namespace {

constexpr std::int64_t num_features = 64;

/// Height or width after both blocks: a convolution without padding and a pooling each, of which the second one keeps a
/// last odd row, so that 8 pixels are enough.
constexpr std::int64_t after_blocks(std::int64_t extent) {
  const auto after_first = (extent - 2) / 2;
  return (after_first - 2 + 1) / 2;
}

class lenet : public image_model {
public:
  lenet(const model_config& config, const model_io& io)
    : dropout_(config.dropout),
      conv1_(register_module("conv1", torch::nn::Conv2d(torch::nn::Conv2dOptions(io.channels, 32, 3)))),
      conv2_(register_module("conv2", torch::nn::Conv2d(torch::nn::Conv2dOptions(32, num_features, 3)))),
      fc1_(register_module("fc1",
                           torch::nn::Linear(num_features * after_blocks(io.height) * after_blocks(io.width), 128))),
      fc2_(register_module("fc2", torch::nn::Linear(128, io.num_classes))) {}

  at::Tensor forward(at::Tensor x_BCHW) override {
    // ReLU and max-pooling commute; pooling first leaves a quarter of the values to rectify.
    x_BCHW = at::max_pool2d(conv1_->forward(x_BCHW), 2).relu_();
    x_BCHW = at::max_pool2d(conv2_->forward(x_BCHW), 2, 2, 0, 1, /*ceil_mode=*/true).relu_();
    auto x_BF = at::dropout(x_BCHW.flatten(1), dropout_, is_training());
    x_BF = at::dropout(fc1_->forward(x_BF).relu_(), dropout_, is_training());
    return fc2_->forward(x_BF);
  }

private:
  double dropout_;
  torch::nn::Conv2d conv1_;
  torch::nn::Conv2d conv2_;
  torch::nn::Linear fc1_;
  torch::nn::Linear fc2_;
};

} // namespace

std::shared_ptr<image_model> build_lenet(const model_config& config, const model_io& io) {
  return std::make_shared<lenet>(config, io);
}

} // namespace troupe
