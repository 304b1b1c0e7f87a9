// What the parts of a run cost without actors, logs and checkpoints: data, augmentation, training and validation, one
// after another in one process, each timed alone. What a run takes beside their sum is the price of everything else.
//   bench_bare_parts CONFIG [key=value ...]     as `troupe train`; trains for train.epochs on the CPU
// Prints JSON: wall and CPU seconds (of all threads) per part. Training and validation are measured with one torch
// thread and with one per core.
// The loop is what a plain program does, on its main thread: forward, loss, backward, SGD. It reads no loss between
// steps and measures no gradient norm.
#include "actors/loader/datasets/open_dataset.hpp"
#include "actors/support/allocator_tuning.hpp"
#include "actors/support/network/autocast_guard.hpp"
#include "actors/support/network/device_ops.hpp"
#include "actors/support/network/image_model.hpp"
#include "actors/support/network/input_tensors.hpp"
#include "actors/support/network/memory_layout.hpp"
#include "actors/trainer/lr_schedule.hpp"
#include "app/config/load_config.hpp"
#include "app/thread_plan.hpp"
#include "tests/bench/filled_batches.hpp"

#include <nlohmann/json.hpp>
#include <torch/torch.h>

#include <sys/resource.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace troupe;
using json = nlohmann::ordered_json;

template <class T>
T value_or_exit(expected<T> x) {
  if (!x) {
    std::cerr << "bench_bare_parts: " << to_string(x.error()) << '\n';
    std::exit(2);
  }
  if constexpr (!std::is_void_v<T>)
    return std::move(*x);
}

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& x) {
    return static_cast<double>(x.tv_sec) + static_cast<double>(x.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Runs `work` and adds what it took to `parts`.
template <class Work>
void measure(json& parts, const char* name, int threads, Work work) {
  const auto cpu_before = cpu_seconds();
  const auto begun = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begun;
  parts.push_back({{"part", name}, {"threads", threads}, {"wall", wall.count()}, {"cpu", cpu_seconds() - cpu_before}});
}

/// A data set with its batches. The members refer to each other, so it stays where it is.
struct split {
  std::unique_ptr<dataset> data;
  std::optional<transform_pipeline> transforms;
  std::optional<epoch_plan> plan;
  std::optional<filled_batches> batches;
};

std::unique_ptr<split> open_split(const run_config& config, bool training) {
  auto out = std::make_unique<split>();
  out->data = value_or_exit(open_dataset(training ? config.data.train : *config.data.validation, config.data.classes));
  out->transforms = value_or_exit(
    transform_pipeline::make(training ? config.transforms.train : config.transforms.validation,
                             {out->data->channels(), out->data->height(), out->data->width(), config.data.decode}));
  out->plan = value_or_exit(epoch_plan::make(out->data->num_samples(),
                                             training ? config.pipeline.batch_size : config.validation.batch_size,
                                             training && config.pipeline.drop_last, training, config.run.seed));
  out->batches.emplace(*out->data, *out->transforms, *out->plan, config.train.channels_last);
  return out;
}

/// How often a run judges the model: when it is due, and after the last step.
std::uint64_t num_validations(const run_config& config, std::uint64_t steps_per_epoch) {
  const auto& every = config.validation.every;
  if (!config.data.validation || every.count == 0)
    return 0;
  const auto total = every.in_epochs ? config.train.epochs : config.train.epochs * steps_per_epoch;
  return (total + every.count - 1) / every.count;
}

std::unique_ptr<torch::optim::Optimizer> make_optimizer(const optimizer_config& x, std::vector<at::Tensor> parameters) {
  if (x.name == "adamw")
    return std::make_unique<torch::optim::AdamW>(
      std::move(parameters),
      torch::optim::AdamWOptions(x.lr).betas({x.beta1, x.beta2}).eps(x.eps).weight_decay(x.weight_decay));
  return std::make_unique<torch::optim::SGD>(
    std::move(parameters),
    torch::optim::SGDOptions(x.lr).momentum(x.momentum).nesterov(x.nesterov).weight_decay(x.weight_decay));
}

std::shared_ptr<image_model> new_model(const run_config& config, const model_io& io) {
  auto model = value_or_exit(make_model(config.model, io, config.run.seed));
  if (config.train.channels_last)
    lay_out_channels_last(*model);
  return model;
}

/// Trains for all epochs, with one batch per step. Returns the last loss.
double train(const run_config& config, const model_io& io, image_model& model, filled_batches& batches) {
  const bool bf16 = uses_bf16(config.train.number_format, at::kCPU);
  const auto options = torch::nn::functional::CrossEntropyFuncOptions().label_smoothing(config.train.label_smoothing);
  auto optimizer = make_optimizer(config.optimizer, model.parameters());
  const auto steps_per_epoch = batches.num_batches();
  const auto total_steps = config.train.epochs * steps_per_epoch;
  torch::manual_seed(config.run.seed);
  model.train();
  at::Tensor loss;
  for (std::uint64_t step = 0; step < total_steps; ++step) {
    const auto inputs = value_or_exit(wrap_batch(batches[step % steps_per_epoch], io));
    optimizer->param_groups().front().options().set_lr(
      learning_rate_at(config.lr_schedule, config.optimizer.lr, step, steps_per_epoch, total_steps));
    optimizer->zero_grad();
    at::Tensor logits;
    {
      autocast_guard mixed(at::kCPU, bf16);
      logits = model.forward(inputs.x_BCHW);
    }
    loss = torch::nn::functional::cross_entropy(logits.to(at::kFloat), inputs.labels_B, options);
    loss.backward();
    optimizer->step();
  }
  return loss.item<double>();
}

struct score {
  double loss = 0;
  double top1 = 0;
};

score validate(const run_config& config, const model_io& io, image_model& model, filled_batches& batches) {
  const bool bf16 = uses_bf16(config.validation.number_format, at::kCPU);
  const auto sum = torch::nn::functional::CrossEntropyFuncOptions().reduction(torch::kSum);
  torch::NoGradGuard no_grad;
  model.eval();
  score out;
  for (std::uint64_t i = 0; i < batches.num_batches(); ++i) {
    const auto inputs = value_or_exit(wrap_batch(batches[i], io));
    at::Tensor logits;
    {
      autocast_guard mixed(at::kCPU, bf16);
      logits = model.forward(inputs.x_BCHW);
    }
    out.loss += torch::nn::functional::cross_entropy(logits.to(at::kFloat), inputs.labels_B, sum).item<double>();
    out.top1 += logits.argmax(1).eq(inputs.labels_B).sum().item<double>();
  }
  const auto num_samples = static_cast<double>(batches.num_samples());
  return {out.loss / num_samples, out.top1 / num_samples};
}

/// Training and validation with that many torch threads, from a fresh model.
void measure_network(const run_config& config, const model_io& io, int threads, split& training, split* validation,
                     std::uint64_t validations, json& result) {
  value_or_exit(set_torch_threads(threads));
  const auto model = new_model(config, io);
  json outcome{{"threads", threads}};
  measure(result["parts"], "training", threads,
          [&] { outcome["last_loss"] = train(config, io, *model, *training.batches); });
  if (validations > 0) {
    score found;
    measure(result["parts"], "validation", threads, [&] {
      for (std::uint64_t i = 0; i < validations; ++i)
        found = validate(config, io, *model, *validation->batches);
    });
    outcome["validation_loss"] = found.loss;
    outcome["top1"] = found.top1;
  }
  result["trained"].push_back(outcome);
}

json measure_parts(const run_config& config) {
  std::unique_ptr<split> training, validation;
  json parts = json::array();
  measure(parts, "open", 1, [&] {
    training = open_split(config, true);
    if (config.data.validation)
      validation = open_split(config, false);
  });
  const auto epochs = config.train.epochs;
  const auto validations = num_validations(config, training->batches->num_batches());
  measure(parts, "augmentation", 1, [&] {
    for (std::uint64_t epoch = 0; epoch < epochs; ++epoch)
      value_or_exit(training->batches->fill(config.run.seed, epoch));
    for (std::uint64_t i = 0; i < validations; ++i)
      value_or_exit(validation->batches->fill(config.run.seed, 0));
  });
  json result{{"model", config.model.name},
              {"epochs", epochs},
              {"steps", epochs * training->batches->num_batches()},
              {"batch_size", config.pipeline.batch_size},
              {"samples_per_epoch", training->batches->num_samples()},
              {"validations", validations},
              {"parts", std::move(parts)},
              {"trained", json::array()}};
  const auto& made = *training->transforms;
  const model_io io{made.output_channels(), made.output_height(), made.output_width(),
                    static_cast<std::int64_t>(training->data->num_classes())};
  for (const int threads : std::set<int>{1, num_usable_cores()})
    measure_network(config, io, threads, *training, validation.get(), validations, result);
  return result;
}

/// What this loop cannot do is refused: the comparison would not be of the same work.
void check(const run_config& config) {
  const char* why = config.train.accumulate != 1                                 ? "train.accumulate: expected 1"
                    : config.train.clip_norm != 0                                ? "train.clip_norm: expected 0"
                    : value_or_exit(resolve_device(config.run.device)).is_cuda() ? "run.device: expected cpu"
                                                                                 : nullptr;
  if (why)
    value_or_exit(expected<void>(failure{ec::unsupported, why}));
}

} // namespace

int main(int argc, char** argv) {
  troupe::keep_freed_memory();
  if (argc < 2) {
    std::cerr << "usage: bench_bare_parts CONFIG [key=value ...]\n";
    return 2;
  }
  const auto config = value_or_exit(load_config(argv[1], {argv + 2, argv + argc}));
  check(config);
  std::cout << measure_parts(config).dump(2) << '\n';
}
