// Shapes: B batch, C channels, H height, W width, K classes.
#include "actors/validator/evaluator.hpp"

#include "actors/support/network/autocast_guard.hpp"
#include "actors/support/network/contract.hpp"
#include "actors/support/network/device_ops.hpp"
#include "actors/support/network/image_model.hpp"
#include "actors/support/network/input_tensors.hpp"
#include "actors/support/network/memory_layout.hpp"
#include "actors/support/network/state_dict.hpp"
#include "actors/validator/plugin_metrics.hpp"
#include "actors/validator/scores.hpp"

#include <torch/torch.h>

namespace troupe {

namespace {

constexpr const char* who = "evaluator";

} // namespace

struct evaluator::state {
  state(const validator_config& config_, const model_io& io_, at::Device device_, std::shared_ptr<image_model> model_,
        plugin_metrics metrics_)
    : config(config_), io(io_), device(device_), bf16(uses_bf16(config.compute.number_format, device)),
      model(std::move(model_)), uploads(device), found(no_scores()), metrics(std::move(metrics_)) {}

  [[nodiscard]] scores no_scores() const { return {static_cast<std::uint32_t>(io.num_classes), config.topk}; }

  owner_thread owner;
  validator_config config;
  model_io io;
  at::Device device;
  bool bf16;
  std::shared_ptr<image_model> model;
  upload_stream uploads;
  scores found;
  plugin_metrics metrics;
  snapshot_ptr judged;
};

evaluator::evaluator(std::unique_ptr<state> x) : state_(std::move(x)) {}

evaluator::~evaluator() = default;

expected<std::unique_ptr<evaluator>> evaluator::make(const validator_config& config, const model_io& io) {
  if (config.topk < 1)
    return failure{ec::bad_config, "validator: topk is 0, expected at least 1"};
  if (auto ok = set_torch_threads(config.compute.torch_threads); !ok)
    return ok.error();
  auto metrics = plugin_metrics::make(config.metrics, io.num_classes);
  if (!metrics)
    return metrics.error();
  const auto device = resolve_device(config.compute.device);
  if (!device)
    return device.error();
  prefer_deterministic_algorithms();
  auto model = make_model(config.model, io, /*seed=*/0);
  if (!model)
    return model.error();
  (*model)->to(*device);
  if (config.compute.channels_last)
    lay_out_channels_last(**model);
  (*model)->eval();
  return std::unique_ptr<evaluator>(
    new evaluator(std::make_unique<state>(config, io, *device, std::move(*model), std::move(*metrics))));
}

expected<void> evaluator::load(snapshot_ptr judged) {
  auto& s = *state_;
  s.owner.check(who);
  require(judged != nullptr, who, "no snapshot");
  if (auto ok = load_state_dict(*s.model, judged->weights); !ok)
    return ok;
  s.found = s.no_scores();
  s.metrics.begin();
  s.judged = std::move(judged);
  return {};
}

expected<void> evaluator::add(const batch_view& batch) {
  auto& s = *state_;
  s.owner.check(who);
  require(s.judged != nullptr, who, "a batch without a snapshot to judge");
  require(!s.model->is_training(), who, "the replica is in training mode");
  const auto inputs = wrap_batch(batch, s.io);
  if (!inputs)
    return inputs.error();
  torch::NoGradGuard no_grad;
  at::Tensor logits_BK;
  {
    autocast_guard mixed(s.device.type(), s.bf16);
    const auto x_BCHW = s.uploads.upload(inputs->x_BCHW);
    logits_BK = s.model->forward(s.bf16 ? x_BCHW : x_BCHW.to(at::kFloat));
  }
  logits_BK = logits_BK.to(at::device(at::kCPU).dtype(at::kFloat)).contiguous();
  s.uploads.wait();
  const auto K = static_cast<std::size_t>(s.io.num_classes);
  const std::span<const float> logits(logits_BK.data_ptr<float>(), static_cast<std::size_t>(batch.num_samples) * K);
  for (std::size_t i = 0; i < static_cast<std::size_t>(batch.num_samples); ++i) {
    s.found.add(logits.subspan(i * K, K), batch.labels[i]);
    s.metrics.add(logits.subspan(i * K, K), batch.labels[i]);
  }
  return {};
}

validation_report evaluator::finish() {
  auto& s = *state_;
  s.owner.check(who);
  require(s.judged != nullptr, who, "a report without a snapshot");
  auto figures = s.found.figures();
  validation_report report;
  report.snapshot = std::move(s.judged);
  report.num_samples = figures.num_samples;
  report.loss = figures.loss;
  report.top1 = figures.top1;
  report.topk = figures.topk;
  report.k = figures.k;
  report.confusion = std::move(figures.confusion);
  report.class_accuracy = std::move(figures.class_accuracy);
  report.figures = s.metrics.figures();
  s.judged.reset();
  return report;
}

bool evaluator::wants_page_locked_batches() const {
  state_->owner.check(who);
  return state_->device.is_cuda();
}

std::string evaluator::description() const {
  state_->owner.check(who);
  return describe_compute(state_->config.model, state_->config.compute, state_->device, state_->bf16);
}

} // namespace troupe
