#include "actors/glue/guard.hpp"
#include "app/config/data_sources.hpp"
#include "app/supervisor_state.hpp"

#include <caf/actor_ostream.hpp>

#include <algorithm>

namespace troupe {

namespace {

/// A data set on a slow file system may take its time to be scanned; a signal ends the wait.
constexpr std::chrono::seconds open_timeout{24 * 3600};

/// Longer tables of classes are for `troupe data`.
constexpr std::size_t max_told_classes = 20;

/// What the config asks for and cannot be had, here or of these data, is refused; all else has failed.
run_end end_for(const failure& why) {
  return why.code == ec::bad_config || why.code == ec::unsupported || why.code == ec::mismatch ? run_end::refused
                                                                                               : run_end::failed;
}

} // namespace

void supervisor_state::start() {
  if (job_->recorder != nullptr)
    tracer_ = company_.spawn_tracer();
  hear_of_plugin_failures();
  schedule_tick();
  open(pipeline_kind::training, job_->config.data.classes);
}

void supervisor_state::open(pipeline_kind kind, const std::vector<std::string>& classes) {
  auto loader = company_.spawn_loader(kind, classes);
  adopt(name_in(kind, "loader"), loader);
  (kind == pipeline_kind::training ? train_loader_ : validation_loader_) = loader;
  self_->request(loader, open_timeout, describe_atom_v)
    .then([this, kind](dataset_opened& data) { opened(kind, std::move(data)); },
          [this, kind](caf::error& error) {
            stop(run_end::failed, name_in(kind, "loader") + ": " + to_string(to_failure(error)));
          });
}

void supervisor_state::opened(pipeline_kind kind, dataset_opened data) {
  if (phase_ != run_phase::opening)
    return;
  if (data.error.code != ec::none) {
    const auto key = kind == pipeline_kind::training ? "data.train: " : "data.validation: ";
    stop(run_end::failed, key + to_string(data.error));
    return;
  }
  (kind == pipeline_kind::training ? train_data_ : validation_data_) = std::move(data);
  // Classes are told by name: what the training data call them counts for the validation data as well.
  if (kind == pipeline_kind::training && validation_source(job_->config.data))
    open(pipeline_kind::validation, train_data_->class_names);
  else
    take_stage();
}

void supervisor_state::take_stage() {
  auto facts = survey(*job_, std::move(*train_data_), std::move(validation_data_));
  if (!facts) {
    stop(end_for(facts.error()), to_string(facts.error()));
    return;
  }
  facts_ = std::move(*facts);
  change_phase(run_phase::building);
  const auto& pipeline = job_->config.pipeline;
  const auto budget_for = [&](const dataset_opened& data) {
    return bad_sample_budget(pipeline.max_bad_samples, pipeline.max_bad_share, data.num_samples);
  };
  bad_samples_.emplace(pipeline_kind::training, budget_for(facts_->train));
  bad_samples_.emplace(pipeline_kind::validation, budget_for(facts_->validation));
  if (job_->resume_from) {
    auto& known = bad_samples_.at(pipeline_kind::training);
    for (const auto& bad : job_->resume_from->bad_samples)
      known.add(bad.id);
    outcome_.bad_training_samples = known.count();
    // The run that is resumed may have been stopped by them; it goes on only where the config has been changed.
    const bool refused = known.count() > 0 && pipeline.bad_samples == bad_sample_policy::fail;
    if (refused || known.spent()) {
      stop(run_end::stopped, "the run that is resumed had " + std::to_string(known.count())
                               + " bad samples, which pipeline.bad_samples does not allow");
      return;
    }
  }
  logger_ = company_.spawn_logger(*facts_);
  adopt("logger", logger_);
  announce(*facts_);
  saver_ = company_.spawn_saver(*facts_, logger_);
  adopt("saver", saver_);
  trainer_ = company_.spawn_trainer(*facts_, logger_, saver_);
  adopt("trainer", trainer_);
}

void supervisor_state::announce(const stage_facts& facts) {
  const auto shape = [](const dataset_opened& d) {
    const auto each = d.channels == 0 ? std::string{"image files"}
                                      : "samples of " + std::to_string(d.channels) + "x" + std::to_string(d.height)
                                          + "x" + std::to_string(d.width);
    return std::to_string(d.num_samples) + " " + each;
  };
  tell(severity::info, "run folder: " + job_->folder);
  tell(severity::info,
       "training data: " + shape(facts.train) + ", " + std::to_string(facts.train.num_classes) + " classes");
  const auto num_told = std::min(facts.train.class_names.size(), max_told_classes);
  for (std::size_t i = 0; i < num_told; ++i)
    tell(severity::info, "  " + std::to_string(i) + " " + facts.train.class_names[i] + ": "
                           + std::to_string(facts.train.class_counts[i]) + " samples");
  if (facts.train.class_names.size() > num_told)
    tell(severity::info,
         "  and " + std::to_string(facts.train.class_names.size() - num_told) + " more classes, see classes.txt");
  if (facts.validation_transforms)
    tell(severity::info, "validation data: " + shape(facts.validation));
  for (auto& text : facts.train.notices)
    tell(severity::warning, "training data: " + text);
  for (auto& text : facts.validation.notices)
    tell(severity::warning, "validation data: " + text);
  for (auto& text : job_->notices)
    tell(severity::warning, text);
}

void supervisor_state::trainer_built(const trainer_ready& ready) {
  if (phase_ != run_phase::building)
    return;
  model_ = ready;
  if (ready.error.code != ec::none) {
    stop(end_for(ready.error), to_string(ready.error));
    return;
  }
  tell(severity::info, "model: " + ready.description + ", " + std::to_string(ready.num_parameters) + " parameters");
  if (ready.first_step > 0)
    tell(severity::info, "resumes after step " + std::to_string(ready.first_step) + " of "
                           + std::to_string(ready.total_steps) + " from " + job_->resumed_from);
  if (ready.first_step > 0 && ready.first_step >= ready.total_steps)
    tell(severity::info, "all epochs are trained already; a larger train.epochs goes on");
  if (!facts_->validation_transforms || job_->config.validation.every.count == 0) {
    begin_training_now();
    return;
  }
  validator_ = company_.spawn_validator(*facts_, logger_, saver_, trainer_);
  adopt("validator", validator_);
}

void supervisor_state::validator_built(const validator_ready& ready) {
  if (phase_ != run_phase::building)
    return;
  if (ready.error.code != ec::none)
    stop(end_for(ready.error), "validator: " + to_string(ready.error));
  else
    begin_training_now();
}

void supervisor_state::begin_training_now() {
  change_phase(run_phase::training);
  watch_.reset(steady_clock::now());
  spawn_listeners();
  if (validator_) {
    spawn_pipeline(pipeline_kind::validation, validator_);
    self_->send(validator_, validation_loader_);
    judge_what_was_not();
  }
  spawn_pipeline(pipeline_kind::training, trainer_);
  self_->send(trainer_, begin_training{train_loader_, validator_});
}

void supervisor_state::spawn_pipeline(pipeline_kind kind, const batch_sink& consumer) {
  const bool training = kind == pipeline_kind::training;
  const auto& loader = training ? train_loader_ : validation_loader_;
  auto collator = company_.spawn_collator(kind, *facts_, loader, consumer);
  adopt(name_in(kind, "collator"), collator);
  fill_sinks_[kind] = spawn_stages(kind, collator);
  self_->send(loader, fill_sinks_[kind]); // A sample that is given up goes the way of all others: ordered stages count.
  if ((training ? facts_->train : facts_->validation).reads_files)
    for (std::uint32_t i = 1; i <= job_->config.pipeline.readers; ++i)
      spawn_reader(name_in(kind, "reader#" + std::to_string(i)), loader);
  const auto own = company_.plugin_augmenter(kind);
  const auto num = own ? own->count : training ? job_->threads.num_augmenters : 1u;
  const auto role = own ? "augmenter " + own->what.name : std::string("augmenter");
  for (std::uint32_t i = 1; i <= num; ++i)
    spawn_augmenter(kind, name_in(kind, role + "#" + std::to_string(i)));
}

void supervisor_state::spawn_reader(const std::string& name, const loader_actor& loader) {
  auto reader = company_.spawn_reader(name, loader);
  adopt(name, reader, [this, name, loader] { spawn_reader(name, loader); });
}

void supervisor_state::spawn_augmenter(pipeline_kind kind, const std::string& name) {
  auto& loader = kind == pipeline_kind::training ? train_loader_ : validation_loader_;
  auto augmenter = company_.spawn_augmenter(kind, name, *facts_, loader, fill_sinks_[kind]);
  adopt(name, augmenter, [this, kind, name] { spawn_augmenter(kind, name); });
}

void supervisor_state::judge_what_was_not() {
  for (auto& snapshot : job_->unjudged) {
    ++judgements_expected_;
    self_->send(validator_, snapshot);
  }
}

} // namespace troupe
