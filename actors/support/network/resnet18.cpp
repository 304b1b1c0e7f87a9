// Shapes: B batch, C channels, H height, W width, F features, K classes.
#include "actors/support/network/resnet18.hpp"

#include <torch/torch.h>

#include <algorithm>

namespace troupe {

namespace {

constexpr std::int64_t largest_small_image = 64;

torch::nn::Conv2d conv(std::int64_t in, std::int64_t out, std::int64_t kernel, std::int64_t stride) {
  return torch::nn::Conv2d(torch::nn::Conv2dOptions(in, out, kernel).stride(stride).padding(kernel / 2).bias(false));
}

class basic_block : public torch::nn::Module {
public:
  basic_block(std::int64_t in, std::int64_t out, std::int64_t stride)
    : conv1_(register_module("conv1", conv(in, out, 3, stride))),
      bn1_(register_module("bn1", torch::nn::BatchNorm2d(out))), conv2_(register_module("conv2", conv(out, out, 3, 1))),
      bn2_(register_module("bn2", torch::nn::BatchNorm2d(out))) {
    if (stride != 1 || in != out)
      downsample_ =
        register_module("downsample", torch::nn::Sequential(conv(in, out, 1, stride), torch::nn::BatchNorm2d(out)));
  }

  at::Tensor forward(at::Tensor x_BCHW) {
    auto y_BCHW = bn1_->forward(conv1_->forward(x_BCHW)).relu_();
    y_BCHW = bn2_->forward(conv2_->forward(y_BCHW));
    y_BCHW += downsample_.is_empty() ? x_BCHW : downsample_->forward(x_BCHW);
    return y_BCHW.relu_();
  }

private:
  torch::nn::Conv2d conv1_;
  torch::nn::BatchNorm2d bn1_;
  torch::nn::Conv2d conv2_;
  torch::nn::BatchNorm2d bn2_;
  torch::nn::Sequential downsample_{nullptr};
};

torch::nn::Sequential layer(std::int64_t in, std::int64_t out, std::int64_t stride) {
  return torch::nn::Sequential(std::make_shared<basic_block>(in, out, stride),
                               std::make_shared<basic_block>(out, out, 1));
}

class resnet18 : public image_model {
public:
  explicit resnet18(const model_io& io)
    : small_images_(std::max(io.height, io.width) <= largest_small_image),
      conv1_(register_module("conv1", small_images_ ? conv(io.channels, 64, 3, 1) : conv(io.channels, 64, 7, 2))),
      bn1_(register_module("bn1", torch::nn::BatchNorm2d(64))), layer1_(register_module("layer1", layer(64, 64, 1))),
      layer2_(register_module("layer2", layer(64, 128, 2))), layer3_(register_module("layer3", layer(128, 256, 2))),
      layer4_(register_module("layer4", layer(256, 512, 2))),
      fc_(register_module("fc", torch::nn::Linear(512, io.num_classes))) {}

  at::Tensor forward(at::Tensor x_BCHW) override {
    x_BCHW = bn1_->forward(conv1_->forward(x_BCHW)).relu_();
    if (!small_images_)
      x_BCHW = at::max_pool2d(x_BCHW, 3, 2, 1);
    x_BCHW = layer1_->forward(x_BCHW);
    x_BCHW = layer2_->forward(x_BCHW);
    x_BCHW = layer3_->forward(x_BCHW);
    x_BCHW = layer4_->forward(x_BCHW);
    return fc_->forward(x_BCHW.mean({2, 3}));
  }

private:
  bool small_images_;
  torch::nn::Conv2d conv1_;
  torch::nn::BatchNorm2d bn1_;
  torch::nn::Sequential layer1_;
  torch::nn::Sequential layer2_;
  torch::nn::Sequential layer3_;
  torch::nn::Sequential layer4_;
  torch::nn::Linear fc_;
};

} // namespace

std::shared_ptr<image_model> build_resnet18(const model_config&, const model_io& io) {
  return std::make_shared<resnet18>(io);
}

} // namespace troupe
