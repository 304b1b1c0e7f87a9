/// The whole config of a run, one struct per section of the YAML file. Defaults are the ones documented there.
#pragma once

#include "actors/augmenter/transforms/transform_config.hpp"
#include "actors/collator/batch_mix.hpp"
#include "actors/loader/cache_config.hpp"
#include "actors/loader/datasets/dataset_config.hpp"
#include "actors/logger/logger_config.hpp"
#include "actors/saver/saver_config.hpp"
#include "actors/support/components/parameters.hpp"
#include "actors/support/components/plugin_guard.hpp"
#include "actors/support/imaging/decode_config.hpp"
#include "actors/support/network/network_config.hpp"
#include "actors/tracer/tracer_config.hpp"
#include "actors/trainer/trainer_config.hpp"
#include "actors/validator/validator_config.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

/// `0`: never, `N`: every N steps, `Nep`: every N epochs.
struct interval {
  std::uint64_t count = 0;
  bool in_epochs = false;
};

enum class bad_sample_policy : std::uint8_t { replace, skip, fail };

struct run_section {
  std::string name = "run";
  std::string dir = "runs";
  std::uint64_t seed = 1;
  std::string device = "auto"; ///< auto | cpu | cuda:N
};

struct data_section {
  dataset_config train;
  std::optional<dataset_config> validation;
  std::vector<std::string> classes;
  double held_out = 0; ///< Share of each class of `train` that is judged instead of learnt; 0: none, `validation` says.
  std::uint64_t split_seed = 1;
  decode_config decode;
  cache_config cache;
};

struct transforms_section {
  std::vector<transform_config> train;
  std::vector<transform_config> validation;
  batch_mix_config batch;
  std::vector<component_use> batch_steps; ///< Of plugins; after mixing, in this order.
};

/// A plugin's actor in the run.
struct stage_use {
  component_use what;
  std::uint32_t count = 0;    ///< Instances; 0: auto.
  bool in_validation = false; ///< It works on validation samples, too.
};

struct pipeline_section {
  std::uint32_t batch_size = 128;
  std::uint32_t augmenters = 0; ///< 0: auto
  std::uint32_t chunk_size = 0; ///< 0: auto
  std::uint32_t prefetch_batches = 3;
  std::uint32_t readers = 4; ///< For each data set made of files.
  std::uint32_t read_ahead = 4;
  pixel_type pixels = pixel_type::float32;
  bool drop_last = false;
  std::uint64_t max_encoded_bytes = 256u << 20;
  std::chrono::milliseconds stall_timeout{60'000};
  bad_sample_policy bad_samples = bad_sample_policy::replace;
  std::uint64_t max_bad_samples = 100;
  double max_bad_share = 0.01;
  std::vector<stage_use> stages; ///< Actors of plugins; those between augmenters and collator in this order.
  plugin_policy on_plugin_failure = plugin_policy::skip;
};

struct train_section {
  std::uint64_t epochs = 10;
  std::uint32_t accumulate = 1;
  double clip_norm = 0;
  double label_smoothing = 0;
  precision number_format = precision::automatic;
  bool channels_last = true;
  int torch_threads = 0; ///< 0: auto
  on_nonfinite nonfinite = on_nonfinite::stop;
};

struct validation_section {
  interval every{1, true};
  validation_policy policy = validation_policy::all;
  std::uint32_t batch_size = 256;
  std::string device = "cpu";
  int torch_threads = 0; ///< 0: auto
  precision number_format = precision::fp32;
  std::vector<component_use> metrics; ///< Of plugins.
};

struct checkpoint_section {
  interval every{1, true};
  std::uint64_t keep_last = 3;
  std::string monitor = "top1";
  monitor_mode mode = monitor_mode::max;
};

struct log_section {
  console_mode console = console_mode::automatic;
  bool csv = true;
  bool tensorboard = true;
  std::uint64_t every_steps = 50;
  std::vector<component_use> sinks; ///< Of plugins.
};

struct trace_section {
  trace_mode mode = trace_mode::flight;
  std::uint64_t max_size = std::uint64_t{2} << 30; ///< Bytes.
};

struct run_config {
  run_section run;
  data_section data;
  transforms_section transforms;
  pipeline_section pipeline;
  model_config model;
  optimizer_config optimizer;
  lr_schedule_config lr_schedule;
  train_section train;
  validation_section validation;
  checkpoint_section checkpoint;
  log_section log;
  trace_section trace;
  std::vector<std::string> plugins;
};

} // namespace troupe
