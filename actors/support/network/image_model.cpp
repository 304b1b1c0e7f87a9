#include "actors/support/network/image_model.hpp"

#include "actors/support/components/component_registry.hpp"
#include "actors/support/components/plugin_guard.hpp"
#include "actors/support/network/lenet.hpp"
#include "actors/support/network/mlp.hpp"
#include "actors/support/network/model_init.hpp"
#include "actors/support/network/resnet18.hpp"

#include <torch/torch.h>

#include <array>
#include <stdexcept>
#include <string>

namespace troupe {

namespace {

struct model_kind {
  const char* name;
  std::int64_t min_size; ///< Smallest height and width.
  std::shared_ptr<image_model> (*build)(const model_config&, const model_io&);
  void (*initialise)(torch::nn::Module&, at::Generator);
};

// LeNet leaves 1x1 of 8x8. ResNet-18 leaves 2x2 of 9x9, so that batch normalisation has more than one value per channel
// even in a batch of one.
constexpr std::array<model_kind, 3> model_kinds{{
  {"mlp", 1, build_mlp, init_uniform_fan_in},
  {"lenet", 8, build_lenet, init_uniform_fan_in},
  {"resnet18", 9, build_resnet18, init_residual},
}};

const model_kind* find_kind(const std::string& name) {
  for (const auto& kind : model_kinds)
    if (name == kind.name)
      return &kind;
  return nullptr;
}

failure refuse(const std::string& why) {
  return {ec::bad_config, "model: " + why};
}

expected<void> check_settings(const model_config& config, const model_io& io) {
  if (!(config.dropout >= 0 && config.dropout < 1))
    return refuse("dropout is " + std::to_string(config.dropout) + ", expected 0 <= dropout < 1");
  if (config.hidden < 1)
    return refuse("hidden is " + std::to_string(config.hidden) + ", expected at least 1");
  if (io.channels < 1)
    return refuse("images have " + std::to_string(io.channels) + " channels, expected at least 1");
  if (io.num_classes < 2)
    return refuse("the data set has " + std::to_string(io.num_classes) + " classes, expected at least 2");
  return {};
}

/// Throws unless the model gives a logit per class for each of two images.
void check_output(image_model& model, const model_io& io) {
  torch::NoGradGuard no_grad;
  model.eval(); // Running statistics stay as they are.
  const auto logits = model.forward(torch::zeros({2, io.channels, io.height, io.width}));
  if (logits.dim() != 2 || logits.size(0) != 2 || logits.size(1) != io.num_classes)
    throw std::runtime_error("gives " + c10::str(logits.sizes()) + " for 2 images of " + std::to_string(io.num_classes)
                             + " classes, expected [2, " + std::to_string(io.num_classes) + "]");
}

/// A model of a plugin draws its first weights from LibTorch's default generator, which is seeded for it.
expected<std::shared_ptr<image_model>> make_plugin_model(const model_component& kind, const model_config& config,
                                                         const model_io& io, std::uint64_t seed) {
  std::shared_ptr<image_model> model;
  const auto made = plugin_guard(kind.plugin, "model " + kind.name).call(no_sample, [&] {
    torch::manual_seed(seed);
    model = kind.make(config.options, io);
    if (!model)
      throw std::runtime_error("made no model");
    check_output(*model, io);
    model->train();
  });
  if (!made)
    return failure{ec::bad_config, made.error().context};
  return model;
}

failure unknown_model(const std::string& name) {
  std::string names;
  for (const auto& known : model_kinds)
    names += std::string{names.empty() ? "" : ", "} + known.name;
  for (const auto& known : component_registry::instance().models)
    names += ", " + known.name;
  return refuse("unknown name '" + name + "', expected one of " + names);
}

} // namespace

expected<std::shared_ptr<image_model>> make_model(const model_config& config, const model_io& io, std::uint64_t seed) {
  if (const auto* kind = find_component(component_registry::instance().models, config.name))
    return make_plugin_model(*kind, config, io, seed);
  const auto* kind = find_kind(config.name);
  if (!kind)
    return unknown_model(config.name);
  if (auto ok = check_settings(config, io); !ok)
    return ok.error();
  if (io.height < kind->min_size || io.width < kind->min_size)
    return refuse(config.name + " cannot read images of " + std::to_string(io.height) + "x" + std::to_string(io.width)
                  + " pixels, expected at least " + std::to_string(kind->min_size) + "x"
                  + std::to_string(kind->min_size));
  auto model = kind->build(config, io);
  kind->initialise(*model, seeded_generator(seed));
  return model;
}

} // namespace troupe
