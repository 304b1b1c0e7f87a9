#include "actors/saver/checkpoint_keeper.hpp"

#include "actors/saver/exact_number.hpp"
#include "actors/saver/safetensors.hpp"
#include "actors/support/file_io.hpp"

#include <filesystem>
#include <set>

namespace troupe {

namespace {

// What the tracker's own record does not hold, for the summary.
constexpr const char* best_top1_note = "best.top1";
constexpr const char* best_loss_note = "best.loss";

} // namespace

expected<checkpoint_keeper> checkpoint_keeper::make(saver_config config, checkpoint_extra extra,
                                                    std::string resumed_from) {
  auto best = best_tracker::make(config.monitor, config.mode);
  if (!best)
    return best.error();
  // A record of another monitor compares with nothing: the search for the best starts again.
  if (auto restored = best->restore(extra.notes); !restored && restored.error().code != ec::mismatch)
    return restored.error();
  auto entries = list_checkpoints(config.folder);
  if (!entries)
    return entries.error();
  checkpoint_keeper keeper(std::move(config), std::move(extra), std::move(resumed_from), std::move(*best));
  for (auto& entry : *entries)
    if (entry.damage.empty())
      keeper.names_[entry.tag.version] = entry.name;
  keeper.restore_best_score();
  return keeper;
}

void checkpoint_keeper::restore_best_score() {
  auto& notes = extra_.notes;
  auto top1 = notes.find(best_top1_note);
  auto loss = notes.find(best_loss_note);
  if (!best_.best() || top1 == notes.end() || loss == notes.end())
    return;
  auto top1_value = exact_number(top1->second);
  auto loss_value = exact_number(loss->second);
  if (top1_value && loss_value)
    best_score_ = validation_score{*top1_value, *loss_value, best_.best()->tag.step};
}

checkpoint_extra checkpoint_keeper::extra_now() const {
  auto extra = extra_;
  for (auto& [name, value] : best_.to_notes())
    extra.notes[name] = value;
  if (best_score_) {
    extra.notes[best_top1_note] = exact_text(best_score_->top1);
    extra.notes[best_loss_note] = exact_text(best_score_->loss);
  }
  return extra;
}

expected<checkpoint_saved> checkpoint_keeper::write(const snapshot& state, time_point now) {
  const auto begun = std::chrono::steady_clock::now();
  auto entry = write_checkpoint(config_.folder, state, extra_now(), now);
  if (!entry)
    return entry.error();
  names_[state.tag.version] = entry->name;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  return checkpoint_saved{entry->tag, entry->path, entry->num_bytes, took.count()};
}

expected<checkpoint_saved> checkpoint_keeper::save(const snapshot& state, time_point now) {
  auto saved = write(state, now);
  if (!saved)
    return saved;
  // The checkpoint is durable and will be found; a link or an old checkpoint that cannot be changed is no reason to
  // say otherwise. Both are tried again after the next one.
  (void)publish_link(config_.folder, latest_link, names_[state.tag.version]);
  (void)tidy();
  return saved;
}

expected<std::optional<checkpoint_saved>> checkpoint_keeper::judge(const validation_report& report, time_point now) {
  if (!best_.offer(report))
    return std::optional<checkpoint_saved>{};
  const auto& tag = report.snapshot->tag;
  best_score_ = validation_score{report.top1, report.loss, tag.step};
  std::optional<checkpoint_saved> written;
  if (!names_.contains(tag.version)) {
    auto saved = write(*report.snapshot, now);
    if (!saved)
      return saved.error();
    written = std::move(*saved);
  }
  if (auto linked = publish_link(config_.folder, best_link, names_[tag.version]); !linked)
    return linked.error();
  (void)tidy();
  return written;
}

expected<void> checkpoint_keeper::tidy() {
  auto entries = list_checkpoints(config_.folder);
  if (!entries)
    return entries.error();
  std::set<std::string> keep{resumed_from_};
  for (auto link : {latest_link, best_link})
    if (auto name = linked_checkpoint(config_.folder, link))
      keep.insert(*name);
  for (auto& entry : to_delete(*entries, config_.keep_last, keep)) {
    if (auto deleted = delete_checkpoint(entry); !deleted)
      return deleted.error();
    names_.erase(entry.tag.version);
  }
  return {};
}

expected<std::string> checkpoint_keeper::save_rejected(const batch_rejected& batch) {
  const auto folder = std::filesystem::path(config_.folder).parent_path();
  const auto path = (folder / ("rejected-batch-" + std::to_string(batch.batch.id) + ".safetensors")).string();
  if (auto removed = remove_path(path); !removed)
    return removed.error();
  auto file = output_file::create(path);
  if (!file)
    return file.error();
  if (auto written = write_safetensors(*file, batch.tensors, {{"reason", batch.reason}}); !written)
    return written.error();
  if (auto synced = file->sync(); !synced)
    return synced.error();
  if (auto closed = file->close(); !closed)
    return closed.error();
  return path;
}

} // namespace troupe
