#include "actors/trainer/training_session.hpp"

#include "actors/support/network/host_memory.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace troupe {

namespace {

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) {
  return (a + b - 1) / b;
}

/// Ids of the samples in use.
std::vector<std::uint64_t> sample_ids_of(const batch_ref& batch, const batch_buffer& buffer) {
  const auto ids = buffer.sample_ids().first(batch.num_samples);
  return {ids.begin(), ids.end()};
}

/// Copies `count` elements into a tensor of its own memory.
template <class T>
named_tensor copy_of(std::string name, std::vector<std::int64_t> shape, dtype type, const T* from) {
  named_tensor out{std::move(name), {std::move(shape), type, nullptr}};
  auto bytes = allocate_host_memory(out.value.num_bytes(), false);
  std::memcpy(bytes.get(), from, out.value.num_bytes());
  out.value.bytes = std::move(bytes);
  return out;
}

} // namespace

expected<std::unique_ptr<training_session>> training_session::make(session_setup setup) {
  const auto steps_per_epoch = ceil_div(setup.batches_per_epoch, setup.config.accumulate);
  auto trained = learner::make(setup.config, setup.io, steps_per_epoch);
  if (!trained)
    return trained.error();
  if (setup.resume_from)
    if (auto restored = (*trained)->import_snapshot(*setup.resume_from); !restored)
      return restored.error();
  return std::unique_ptr<training_session>(new training_session(std::move(setup), std::move(*trained)));
}

training_session::training_session(session_setup setup, std::unique_ptr<learner> trained)
  : setup_(std::move(setup)), learner_(std::move(trained)), next_version_(setup_.first_version) {
  boundary_.tag.run = setup_.run;
  num_parameters_ = learner_->num_parameters();
  if (auto& from = setup_.resume_from) {
    boundary_.tag = from->tag;
    boundary_.next = from->next;
    boundary_.batches_trained = from->batches_trained;
    boundary_.samples_trained = from->samples_trained;
    boundary_.samples_skipped = from->samples_skipped;
    boundary_.bad_samples = from->bad_samples;
    for (const auto& bad : boundary_.bad_samples)
      known_bad_.insert(bad.id);
    boundary_.sums = from->sums;
    saved_step_ = from->tag.step;
    setup_.resume_from.reset();
  }
}

std::uint64_t training_session::steps_per_epoch() const noexcept {
  return ceil_div(setup_.batches_per_epoch, setup_.config.accumulate);
}

std::uint64_t training_session::total_steps() const noexcept {
  return setup_.config.epochs * steps_per_epoch();
}

batch_outcome training_session::train(const batch_ref& ready, std::span<const bad_sample> bad,
                                      const batch_buffer& buffer, const std::function<void()>& buffer_free) {
  batch_outcome outcome;
  if (group_batches_++ == 0)
    group_first_batch_ = ready.id;
  group_skipped_ += bad.size();
  group_bad_.insert(group_bad_.end(), bad.begin(), bad.end());
  // A GPU lets go of the buffer after the copy, long before the loss is known: its pixels are not kept then, and have to
  // be made again from the sample ids.
  const bool early = learner_->wants_page_locked_batches() && ready.num_samples > 0;
  auto suspect = early ? std::optional(copy_for_inspection(ready, buffer, false)) : std::nullopt;
  bool finite = true;
  if (ready.num_samples > 0) {
    const auto ids = sample_ids_of(ready, buffer); // The buffer may be somebody else's when the pass is over.
    auto result =
      learner_->forward_backward(view_of(buffer, ready), ready.id, early ? buffer_free : std::function<void()>{});
    if (!result) {
      outcome.error = result.error();
      return outcome;
    }
    finite = result->finite;
    group_samples_ += ready.num_samples;
    add_scores(std::move(result->scores), ids);
  }
  const bool group_full = ready.index % setup_.config.accumulate == setup_.config.accumulate - 1;
  const bool suspected_before = group_suspect_;
  group_suspect_ = group_suspect_ || !finite;
  // A gradient can overflow where no loss did; then the group's last batch stands for all of them.
  if ((group_full || ready.last_in_epoch) && !complete_step(ready, outcome))
    finite = finite && suspected_before;
  if (!finite && ready.num_samples > 0)
    outcome.rejected = early ? std::move(suspect) : std::optional(copy_for_inspection(ready, buffer, true));
  if (!early)
    buffer_free();
  return outcome;
}

bool training_session::complete_step(const batch_ref& batch, batch_outcome& outcome) {
  step_completed step;
  step.epoch = batch.epoch + 1;
  step.first_batch = group_first_batch_;
  step.num_batches = group_batches_;
  step.last_in_epoch = batch.last_in_epoch;
  const bool stepped = learner_->num_micro_batches() > 0; // Else all samples of the group were bad.
  const bool taken = !stepped || finish_step(step, outcome);
  step.step = learner_->step();
  boundary_.next = batch.next;
  boundary_.tag.epoch = batch.next.epoch;
  boundary_.batches_trained += group_batches_;
  boundary_.samples_trained += group_samples_;
  boundary_.samples_skipped += group_skipped_;
  group_batches_ = 0;
  group_samples_ = group_skipped_ = 0;
  remember_bad();
  group_suspect_ = false;
  add_window(step);
  outcome.finished = batch.last_in_epoch && batch.epoch + 1 >= setup_.config.epochs;
  if (stepped || batch.last_in_epoch)
    outcome.step = step;
  outcome.scores = std::exchange(group_scores_, {});
  if (outcome.error.code == ec::none)
    add_snapshots(batch, step.step, stepped, outcome);
  return taken;
}

void training_session::add_scores(std::vector<sample_score> scores, std::span<const std::uint64_t> ids) {
  for (std::size_t i = 0; i < scores.size(); ++i)
    scores[i].id = ids[i];
  group_scores_.insert(group_scores_.end(), scores.begin(), scores.end());
}

void training_session::remember_bad() {
  // What the collator left out went with its batch; the samples themselves are good.
  for (auto& bad : std::exchange(group_bad_, {}))
    if (bad.stage != "collator" && known_bad_.insert(bad.id).second)
      boundary_.bad_samples.push_back(std::move(bad));
}

bool training_session::finish_step(step_completed& step, batch_outcome& outcome) {
  const auto result = learner_->finish_step();
  step.num_samples = result.num_samples;
  step.learning_rate = result.learning_rate;
  step.grad_norm = result.grad_norm;
  if (result.not_taken) {
    // Nothing was learnt from these samples.
    group_skipped_ += std::exchange(group_samples_, 0);
    step.num_samples = 0;
    if (setup_.config.nonfinite == on_nonfinite::stop)
      outcome.error = *result.not_taken;
    return false;
  }
  step.loss_sum = result.loss_sum;
  step.num_correct = result.num_correct;
  boundary_.sums["window_loss_sum"] += result.loss_sum;
  boundary_.sums["window_correct"] += result.num_correct;
  boundary_.sums["window_samples"] += result.num_samples;
  return true;
}

void training_session::add_window(step_completed& step) {
  auto& sums = boundary_.sums;
  step.window_loss_sum = sums["window_loss_sum"];
  step.window_correct = static_cast<std::uint64_t>(sums["window_correct"]);
  step.window_samples = static_cast<std::uint64_t>(sums["window_samples"]);
  if (metrics_row_due(step.step, step.last_in_epoch, setup_.config.metrics_every))
    for (auto& [name, value] : sums)
      value = 0;
}

void training_session::add_snapshots(const batch_ref& batch, std::uint64_t step, bool stepped, batch_outcome& outcome) {
  const auto epochs_done = batch.last_in_epoch ? batch.epoch + 1 : 0;
  // Without a step the number is that of the step before, for which all that was due by steps is done.
  const auto due = [&](const cadence& x) {
    return cadence{stepped ? x.every_steps : 0, x.every_epochs}.due(step, epochs_done);
  };
  auto& config = setup_.config;
  const bool judged_ever = config.validation.every_steps != 0 || config.validation.every_epochs != 0;
  const bool validate = due(config.validation) || (judged_ever && outcome.finished);
  const bool save = due(config.checkpoint) || outcome.finished;
  if (!validate && !save)
    return;
  auto taken = take_snapshot(save);
  if (!taken) {
    outcome.error = taken.error();
    return;
  }
  if (save)
    outcome.to_save = *taken;
  if (validate)
    outcome.to_validate = *taken;
}

expected<snapshot_ptr> training_session::take_snapshot(bool with_training_state) {
  snapshot frame = boundary_;
  frame.has_training_state = with_training_state;
  frame.tag.version = next_version_;
  auto taken = learner_->export_snapshot(std::move(frame));
  if (taken) {
    ++next_version_;
    if (with_training_state)
      saved_step_ = learner_->step();
  }
  return taken;
}

expected<snapshot_ptr> training_session::stop() {
  learner_->abandon_step();
  group_suspect_ = false;
  group_batches_ = 0;
  group_samples_ = group_skipped_ = 0;
  group_bad_.clear();
  group_scores_.clear();
  if (saved_step_ == learner_->step() || learner_->step() == 0)
    return snapshot_ptr{};
  return take_snapshot(true);
}

batch_rejected training_session::copy_for_inspection(const batch_ref& batch, const batch_buffer& buffer,
                                                     bool with_pixels) {
  const auto& layout = buffer.layout();
  const auto n = std::int64_t{batch.num_samples};
  const std::int64_t c = layout.channels, h = layout.height, w = layout.width;
  batch_rejected out{batch, {}, "its loss or gradient is not finite"};
  if (with_pixels)
    out.tensors.push_back(copy_of("pixels", layout.channels_last ? std::vector{n, h, w, c} : std::vector{n, c, h, w},
                                  layout.type == pixel_type::float32 ? dtype::f32 : dtype::bf16, buffer.pixels()));
  out.tensors.push_back(copy_of("labels", {n}, dtype::i64, buffer.labels().data()));
  out.tensors.push_back(copy_of("sample_ids", {n}, dtype::i64, buffer.sample_ids().data()));
  return out;
}

} // namespace troupe
