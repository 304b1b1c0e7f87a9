#include "app/company.hpp"

#include "actors/augmenter/augmenter_actor.hpp"
#include "actors/augmenter/transform_pipeline.hpp"
#include "actors/collator/collator_actor.hpp"
#include "actors/glue/thread_identity.hpp"
#include "actors/loader/loader_actor.hpp"
#include "actors/loader/reader_actor.hpp"
#include "actors/logger/logger_actor.hpp"
#include "actors/saver/saver_actor.hpp"
#include "actors/tracer/tracer_actor.hpp"
#include "actors/trainer/trainer_actor.hpp"
#include "actors/validator/validator_actor.hpp"
#include "app/config/data_sources.hpp"
#include "app/plugins/plugin_loader.hpp"

#include <caf/actor_system.hpp>

#include <algorithm>

namespace troupe {

namespace {

/// Validation must not slow training down where both compete for a core.
constexpr int validator_niceness = 10;

cadence to_cadence(const interval& x) {
  return x.in_epochs ? cadence{0, x.count} : cadence{x.count, 0};
}

/// Whatever of the config shapes the pixels that a cache keeps.
std::string decoding_identity(const data_section& data) {
  const auto& x = data.decode;
  return "channels=" + std::to_string(x.channels) + ",bits=" + std::to_string(x.bits)
         + ",side=" + std::to_string(data.cache.side) + ",turned=" + std::to_string(x.apply_orientation)
         + ",scaled=" + std::to_string(x.scaled_jpeg) + ",max_pixels=" + std::to_string(x.max_pixels) + ","
         + std::to_string(x.max_pixels_per_byte);
}

/// Names of the figures that plugins add to validations.
std::vector<std::string> figures_of(const run_config& config) {
  std::vector<std::string> out;
  for (const auto& metric : config.validation.metrics)
    out.push_back(metric.name);
  return out;
}

batch_layout layout_for(const run_config& config, const model_io& io, std::uint32_t batch_size) {
  return {batch_size,
          static_cast<std::uint32_t>(io.channels),
          static_cast<std::uint32_t>(io.height),
          static_cast<std::uint32_t>(io.width),
          config.train.channels_last,
          config.pipeline.pixels};
}

} // namespace

std::string name_in(pipeline_kind kind, const std::string& role) {
  return kind == pipeline_kind::training ? role : "validation " + role;
}

tracer_actor company::spawn_tracer() const {
  const auto& config = job_.config.trace;
  return system_.spawn<caf::detached>(tracer, tracer_config{config.mode, job_.folder + "/trace", config.max_size, 0},
                                      job_.recorder);
}

loader_actor company::spawn_loader(pipeline_kind kind, const std::vector<std::string>& classes) const {
  const auto& config = job_.config;
  const bool training = kind == pipeline_kind::training;
  loader_config out;
  out.data = training ? training_source(config.data) : *validation_source(config.data);
  out.classes = classes;
  out.cache = config.data.cache;
  out.decoding = decoding_identity(config.data);
  out.seed = config.run.seed;
  out.shuffle = training;
  out.drop_last = training && config.pipeline.drop_last;
  out.batch_size = training ? config.pipeline.batch_size : config.validation.batch_size;
  out.chunk_size = std::min(job_.threads.chunk_size, out.batch_size);
  out.read_ahead = config.pipeline.read_ahead;
  out.max_encoded_bytes = config.pipeline.max_encoded_bytes;
  loader_setup setup{std::move(out), name_in(kind, "loader"), supervisor_};
  if (training) {
    const auto heard = listeners();
    setup.sampling_changes = std::any_of(heard.begin(), heard.end(), [](auto& each) { return each.weighs; });
    setup.sampling = job_.attached.sampling;
  }
  return system_.spawn<caf::detached>(loader, std::move(setup));
}

reader_actor company::spawn_reader(const std::string& name, const loader_actor& loader) const {
  return system_.spawn<caf::detached>(reader, reader_setup{name, loader});
}

logger_actor company::spawn_logger(const stage_facts& facts) const {
  const auto& config = job_.config;
  logger_config out;
  out.folder = job_.folder;
  out.console = config.log.console;
  out.csv = config.log.csv;
  out.tensorboard = config.log.tensorboard;
  out.every_steps = config.log.every_steps;
  out.classes = facts.train.class_names;
  out.total_epochs = config.train.epochs;
  out.total_steps = config.train.epochs * facts.steps_per_epoch;
  out.resumed = job_.resume_from != nullptr;
  out.resumed_step = out.resumed ? job_.resume_from->tag.step : 0;
  out.config_yaml = job_.config_yaml;
  out.run = job_.name;
  out.sinks = config.log.sinks;
  out.figures = figures_of(config);
  out.hyper_parameters = {{"model", config.model.name},
                          {"optimizer", config.optimizer.name},
                          {"lr", config.optimizer.lr},
                          {"lr_schedule", config.lr_schedule.name},
                          {"weight_decay", config.optimizer.weight_decay},
                          {"batch_size", double(config.pipeline.batch_size)},
                          {"accumulate", double(config.train.accumulate)},
                          {"epochs", double(config.train.epochs)},
                          {"label_smoothing", config.train.label_smoothing},
                          {"seed", double(config.run.seed)}};
  return system_.spawn<caf::detached>(logger, logger_setup{std::move(out), job_.write, job_.warn, supervisor_});
}

saver_actor company::spawn_saver(const stage_facts& facts, const logger_actor& logger) const {
  const auto& config = job_.config.checkpoint;
  saver_setup out;
  out.config = {job_.folder + "/checkpoints", config.keep_last, config.monitor, config.mode, figures_of(job_.config)};
  out.config_yaml = job_.config_yaml;
  out.classes = facts.train.class_names;
  out.notes = job_.resume_notes;
  std::erase_if(out.notes, [](auto& note) { return note.first.starts_with("plugin."); });
  out.notes[fingerprint_note] = facts.train.fingerprint;
  for (const auto& plugin : loaded_plugins())
    out.notes["plugin." + plugin.name] = plugin.digest;
  out.resumed_from = job_.resumed_from;
  out.logger = logger;
  out.supervisor = supervisor_;
  return system_.spawn<caf::detached>(saver, std::move(out));
}

trainer_actor company::spawn_trainer(const stage_facts& facts, const logger_actor& logger,
                                     const saver_actor& saver) const {
  const auto& config = job_.config;
  trainer_setup out;
  out.config.model = config.model;
  out.config.compute = {config.run.device, config.train.number_format, config.train.channels_last,
                        job_.threads.trainer_torch_threads};
  out.config.optimizer = config.optimizer;
  out.config.lr_schedule = config.lr_schedule;
  out.config.seed = config.run.seed;
  out.config.epochs = config.train.epochs;
  out.config.accumulate = config.train.accumulate;
  out.config.clip_norm = config.train.clip_norm;
  out.config.label_smoothing = config.train.label_smoothing;
  out.config.nonfinite = config.train.nonfinite;
  out.config.checkpoint = to_cadence(config.checkpoint.every);
  out.config.validation = facts.validation_transforms ? to_cadence(config.validation.every) : cadence{};
  out.config.metrics_every = config.log.every_steps;
  out.config.scores_samples = !listeners().empty();
  out.num_samples = facts.train.num_samples;
  out.sampling = job_.attached.sampling;
  out.listener_timeout = listener_timeout();
  out.io = facts.io;
  out.run = job_.name;
  out.batches_per_epoch = facts.train.batches_per_epoch;
  out.layout = layout_for(config, facts.io, config.pipeline.batch_size);
  out.prefetch_batches = config.pipeline.prefetch_batches;
  out.resume_from = job_.resume_from;
  out.first_version = job_.first_version;
  out.cpus = first_usable_cpus(job_.threads.trainer_torch_threads);
  out.wait_for_validator = config.validation.policy == validation_policy::all;
  out.logger = logger;
  out.saver = saver;
  out.supervisor = supervisor_;
  return system_.spawn<caf::detached>(trainer, std::move(out));
}

validator_actor company::spawn_validator(const stage_facts& facts, const logger_actor& logger, const saver_actor& saver,
                                         const trainer_actor& trainer) const {
  const auto& config = job_.config;
  validator_setup out;
  out.config.model = config.model;
  out.config.compute = {config.validation.device, config.validation.number_format, config.train.channels_last,
                        job_.threads.validator_torch_threads};
  out.config.policy = config.validation.policy;
  out.config.metrics = config.validation.metrics;
  out.io = facts.io;
  out.layout = layout_for(config, facts.io, config.validation.batch_size);
  out.niceness = validator_niceness;
  out.logger = logger;
  out.saver = saver;
  out.trainer = trainer;
  out.supervisor = supervisor_;
  return system_.spawn<caf::detached>(validator, std::move(out));
}

collator_actor company::spawn_collator(pipeline_kind kind, const stage_facts& facts, const loader_actor& loader,
                                       const batch_sink& consumer) const {
  const auto& config = job_.config;
  collator_setup out;
  out.name = name_in(kind, "collator");
  out.consumer = consumer;
  out.loader = loader;
  if (kind == pipeline_kind::training) {
    if (job_.resume_from)
      out.first = job_.resume_from->next;
    out.first_batch = first_batch(kind, facts);
    out.batch_steps = config.transforms.batch_steps;
    out.replace_bad = config.pipeline.bad_samples == bad_sample_policy::replace;
    out.mix = config.transforms.batch;
    out.seed = config.run.seed;
  }
  return system_.spawn(collator, std::move(out));
}

augmenter_actor company::spawn_augmenter(pipeline_kind kind, const std::string& name, const stage_facts& facts,
                                         const loader_actor& loader, const stage_actor& next) const {
  if (const auto own = plugin_augmenter(kind))
    return spawn_plugin_augmenter(*own, kind, name, facts, loader, next);
  const bool training = kind == pipeline_kind::training;
  augmenter_setup out{training ? facts.train_transforms : facts.validation_transforms,
                      job_.config.run.seed,
                      name,
                      loader,
                      next,
                      job_.config.trace.mode == trace_mode::full};
  return system_.spawn(augmenter, std::move(out));
}

} // namespace troupe
