#include "app/config/component_specs.hpp"
#include "app/config/option_keys.hpp"
#include "app/config/schema.hpp"

namespace troupe {

namespace {

constexpr int max_torch_threads = 1024;

codec<precision> precisions() {
  return choice<precision>({{"fp32", precision::fp32}, {"bf16", precision::bf16}, {"auto", precision::automatic}});
}

void add_model_keys(config_schema& to) {
  using c = model_config;
  auto add = add_section(to, "model", "What is trained.", &run_config::model);
  const optioned_kind<c> kind{"name", &c::name, &c::options, model_specs()};
  add_kind(add, kind, {"mlp", "lenet", "resnet18"}, "The architecture.").known_as({"arch", "architecture"});
  add("dropout", &c::dropout, number({.low = 0, .high = 1, .high_excluded = true}), "mlp, lenet: drop probability.");
  add("hidden", &c::hidden, whole<std::int64_t>(1, 65536), "mlp: width of the hidden layers.").in("units");
  add_options(add, kind, "What a plugin's model takes.");
}

void add_optimizer_keys(config_schema& to) {
  using c = optimizer_config;
  auto add = add_section(to, "optimizer", "How weights are updated.", &run_config::optimizer);
  add("name", &c::name, one_of({"sgd", "adamw"}), "The update rule.");
  add("lr", &c::lr, number({.low = 0, .low_excluded = true}), "Peak learning rate.")
    .known_as({"learning_rate", "base_lr", "max_lr", "peak_lr"});
  add("momentum", &c::momentum, number({.low = 0, .high = 1}), "sgd: share of the last update that is kept.");
  add("nesterov", &c::nesterov, boolean(), "sgd: look ahead by the momentum.");
  add("weight_decay", &c::weight_decay, number({.low = 0}), "Pull of the weights towards 0.").known_as({"wd", "l2"});
  add("beta1", &c::beta1, number({.low = 0, .high = 1, .high_excluded = true}), "adamw: decay of the mean.");
  add("beta2", &c::beta2, number({.low = 0, .high = 1, .high_excluded = true}), "adamw: decay of the variance.");
  add("eps", &c::eps, number({.low = 0, .low_excluded = true}), "adamw: added to the denominator.");
}

void add_schedule_keys(config_schema& to) {
  using c = lr_schedule_config;
  auto add = add_section(to, "lr_schedule", "How the learning rate moves.", &run_config::lr_schedule);
  add("name", &c::name, one_of({"constant", "step", "cosine"}), "What follows the warm-up.");
  add("warmup_steps", &c::warmup_steps, whole<std::uint64_t>(0), "Linear rise from 0 to the peak.")
    .in("steps")
    .known_as({"warmup", "num_warmup_steps"});
  add("min_lr", &c::min_lr, number({.low = 0}), "cosine: where it ends.").known_as({"eta_min"});
  add("gamma", &c::gamma, number({.low = 0, .high = 1, .low_excluded = true}), "step: factor at each drop.");
  add("step_epochs", &c::step_epochs, whole<std::uint64_t>(1), "step: time between drops.")
    .in("epochs")
    .known_as({"step_size"});
}

void add_train_keys(config_schema& to) {
  using s = train_section;
  auto add = add_section(to, "train", "The training loop.", &run_config::train);
  add("epochs", &s::epochs, whole<std::uint64_t>(1, 1'000'000), "Passes over the data.")
    .in("epochs")
    .changeable("a schedule that ends with the run ends elsewhere")
    .known_as({"num_epochs", "max_epochs", "n_epochs"});
  add("accumulate", &s::accumulate, whole<std::uint32_t>(1, 65536), "Batches per optimizer step.")
    .in("batches")
    .known_as({"grad_accum", "gradient_accumulation", "gradient_accumulation_steps"});
  add("clip_norm", &s::clip_norm, number({.low = 0}), "Bound on the norm of all gradients together; 0: off.")
    .known_as({"max_norm", "grad_clip", "gradient_clip_val", "max_grad_norm"});
  add("label_smoothing", &s::label_smoothing, number({.low = 0, .high = 1, .high_excluded = true}),
      "Share of the target that is spread over all classes.");
  add("precision", &s::number_format, precisions(), "auto: bf16 where the device computes it natively.")
    .known_as({"dtype", "amp", "number_format"});
  add("channels_last", &s::channels_last, boolean(), "Memory order NHWC, faster for convolutions.")
    .known_as({"memory_format"});
  add("torch_threads", &s::torch_threads, whole_or_auto<int>(max_torch_threads), "Threads of one training step.")
    .in("threads")
    .changeable("the run is no longer bit-exact")
    .known_as({"threads", "num_threads"});
  add("on_nonfinite", &s::nonfinite,
      choice<on_nonfinite>({{"stop", on_nonfinite::stop}, {"skip_step", on_nonfinite::skip_step}}),
      "What a loss that is not a finite number leads to.");
}

void add_validation_keys(config_schema& to) {
  using s = validation_section;
  auto add = add_section(to, "validation", "How snapshots are judged.", &run_config::validation);
  add("every", &s::every, every(), "How often; the end of the last epoch always counts.")
    .changeable()
    .known_as({"interval", "eval_every", "frequency"});
  add("policy", &s::policy,
      choice<validation_policy>({{"all", validation_policy::all}, {"latest", validation_policy::latest}}),
      "latest: a newer snapshot supersedes one that waits.")
    .changeable();
  add("batch_size", &s::batch_size, whole<std::uint32_t>(1, 65536), "Samples that are judged together.")
    .in("samples")
    .changeable();
  add("device", &s::device, device(), "Where the model is judged.").changeable();
  add("torch_threads", &s::torch_threads, whole_or_auto<int>(max_torch_threads), "Threads of one forward pass.")
    .in("threads")
    .changeable();
  add("precision", &s::number_format, precisions(), "auto: bf16 where the device computes it natively.").changeable();
  add("metrics", &s::metrics, component_list("metric", metric_specs()), "Figures that plugins add to a validation.")
    .changeable();
}

} // namespace

void add_training_keys(config_schema& to) {
  add_model_keys(to);
  add_optimizer_keys(to);
  add_schedule_keys(to);
  add_train_keys(to);
  add_validation_keys(to);
}

} // namespace troupe
