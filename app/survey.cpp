#include "actors/augmenter/transform_pipeline.hpp"
#include "actors/collator/batch_steps.hpp"
#include "app/company.hpp"
#include "app/make_transforms.hpp"

namespace troupe {

namespace {

std::string shape_text(std::int64_t c, std::int64_t h, std::int64_t w) {
  return std::to_string(c) + "x" + std::to_string(h) + "x" + std::to_string(w);
}

sample_shape shape_of(const dataset_opened& data) {
  return {data.channels, data.height, data.width};
}

expected<void> survey_validation(const run_job& job, stage_facts& facts) {
  const auto& train = facts.train;
  const auto& validation = facts.validation;
  if (validation.num_classes > train.num_classes)
    return failure{ec::mismatch, "data.validation has labels of " + std::to_string(validation.num_classes)
                                   + " classes, data.train of " + std::to_string(train.num_classes)};
  auto made =
    make_transforms(job.config.transforms.validation, shape_of(validation), job.config.data, "transforms.validation");
  if (!made)
    return made.error();
  facts.validation_transforms = std::move(*made);
  const auto& t = *facts.validation_transforms;
  const auto& io = facts.io;
  if (t.output_channels() != io.channels || t.output_height() != io.height || t.output_width() != io.width)
    return failure{ec::mismatch,
                   "validation samples are " + shape_text(t.output_channels(), t.output_height(), t.output_width())
                     + " after their transforms, training samples " + shape_text(io.channels, io.height, io.width)};
  return {};
}

expected<void> compare_with_resumed(const run_job& job, const stage_facts& facts) {
  if (!job.resume_from)
    return {};
  auto note = job.resume_notes.find(fingerprint_note);
  if (note != job.resume_notes.end() && note->second != facts.train.fingerprint)
    return failure{ec::mismatch, "cannot resume: the training data have changed (fingerprint " + facts.train.fingerprint
                                   + ", the checkpoint was trained on " + note->second + ")"};
  return {};
}

} // namespace

expected<stage_facts> survey(const run_job& job, dataset_opened train, std::optional<dataset_opened> validation) {
  stage_facts facts;
  facts.train = std::move(train);
  auto made = make_transforms(job.config.transforms.train, shape_of(facts.train), job.config.data, "transforms.train");
  if (!made)
    return made.error();
  facts.train_transforms = std::move(*made);
  const auto& t = *facts.train_transforms;
  facts.io = {t.output_channels(), t.output_height(), t.output_width(), facts.train.num_classes};
  facts.steps_per_epoch =
    (facts.train.batches_per_epoch + job.config.train.accumulate - 1) / job.config.train.accumulate;
  if (validation) {
    facts.validation = std::move(*validation);
    if (auto fits = survey_validation(job, facts); !fits)
      return fits.error();
  }
  if (auto steps = batch_steps::make(job.config.transforms.batch_steps); !steps)
    return failure{steps.error().code, "transforms.batch_steps: " + steps.error().context};
  if (auto same = compare_with_resumed(job, facts); !same)
    return same.error();
  return facts;
}

} // namespace troupe
