#include "actors/saver/checkpoint_keeper.hpp"

#include "actors/saver/checkpoint_name.hpp"
#include "actors/saver/exact_number.hpp"
#include "actors/saver/safetensors.hpp"
#include "actors/support/file_io.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <set>
#include <tuple>
#include <utility>

namespace troupe {

namespace {

// What the tracker's own record does not hold, for the summary.
constexpr const char* best_top1_note = "best.top1";
constexpr const char* best_loss_note = "best.loss";

constexpr std::uint64_t max_best_bytes = 1 << 16;

/// The notes in a `best.json`; none where it is damaged.
std::map<std::string, std::string> notes_in(const std::string& text) {
  std::map<std::string, std::string> notes;
  const auto parsed = nlohmann::json::parse(text, nullptr, false);
  if (parsed.is_object())
    for (auto& [key, value] : parsed.items())
      if (value.is_string())
        notes[key] = value.get<std::string>();
  return notes;
}

} // namespace

expected<checkpoint_keeper> checkpoint_keeper::make(saver_config config, checkpoint_extra extra,
                                                    std::string resumed_from) {
  auto best = best_tracker::make(config.monitor, config.mode, config.figures);
  if (!best)
    return best.error();
  auto entries = list_checkpoints(config.folder);
  if (!entries)
    return entries.error();
  checkpoint_keeper keeper(std::move(config), std::move(extra), std::move(resumed_from), std::move(*best));
  for (auto& entry : *entries) {
    if (entry.damage.empty())
      keeper.names_[entry.tag.version] = entry.name;
    if (entry.name == keeper.resumed_from_)
      keeper.latest_version_ = entry.tag.version;
  }
  if (auto restored = keeper.restore_best(); !restored)
    return restored.error();
  return keeper;
}

expected<void> checkpoint_keeper::restore_best() {
  if (resumed_from_.empty())
    return {};
  const auto resumed = parse_checkpoint_name(resumed_from_);
  if (auto text = read_file(best_file(), max_best_bytes))
    if (restore_best_from(notes_in(*text)) && resumed && best_.best()->tag.step <= resumed->step)
      return {};
  auto fresh = best_tracker::make(config_.monitor, config_.mode, config_.figures);
  best_ = std::move(*fresh);
  best_score_.reset();
  if (restore_best_from(extra_.notes) && names_.contains(best_.best()->tag.version))
    return publish_best();
  return {};
}

/// False if there is no record, or one of another monitor: it compares with nothing, and the search starts again.
bool checkpoint_keeper::restore_best_from(const std::map<std::string, std::string>& notes) {
  if (!best_.restore(notes) || !best_.best())
    return false;
  auto top1 = notes.find(best_top1_note);
  auto loss = notes.find(best_loss_note);
  auto top1_value = top1 == notes.end() ? std::nullopt : exact_number(top1->second);
  auto loss_value = loss == notes.end() ? std::nullopt : exact_number(loss->second);
  if (top1_value && loss_value)
    best_score_ = validation_score{*top1_value, *loss_value, best_.best()->tag.step};
  return true;
}

std::map<std::string, std::string> checkpoint_keeper::best_notes() const {
  auto notes = best_.to_notes();
  if (best_score_) {
    notes[best_top1_note] = exact_text(best_score_->top1);
    notes[best_loss_note] = exact_text(best_score_->loss);
  }
  return notes;
}

/// The record first: a kill between the two leaves a link that the next judgement or resume puts right.
expected<void> checkpoint_keeper::publish_best() {
  if (auto kept = replace_file(best_file(), nlohmann::json(best_notes()).dump(2) + "\n"); !kept)
    return kept;
  return publish_link(config_.folder, best_link, names_[best_.best()->tag.version]);
}

std::string checkpoint_keeper::best_file() const {
  return config_.folder + "/best.json";
}

checkpoint_extra checkpoint_keeper::extra_now() const {
  auto extra = extra_;
  std::erase_if(extra.notes, [](auto& note) { return note.first.starts_with("best."); });
  extra.notes.merge(best_notes());
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
  if (state.has_training_state && state.tag.version > latest_version_) {
    latest_version_ = state.tag.version;
    (void)publish_link(config_.folder, latest_link, names_[latest_version_]);
  }
  (void)tidy();
  return saved;
}

expected<std::optional<checkpoint_saved>> checkpoint_keeper::judge(const validation_report& report, time_point now) {
  const auto before = std::pair(best_, best_score_);
  if (!best_.offer(report))
    return std::optional<checkpoint_saved>{};
  const auto& tag = report.snapshot->tag;
  // What cannot be kept is not the best: a later, slightly worse one that can be is.
  const auto give_up = [&](const failure& why) {
    std::tie(best_, best_score_) = before;
    return why;
  };
  best_score_ = validation_score{report.top1, report.loss, tag.step};
  std::optional<checkpoint_saved> written;
  if (!names_.contains(tag.version)) {
    auto saved = write(*report.snapshot, now);
    if (!saved)
      return give_up(saved.error());
    written = std::move(*saved);
  }
  if (auto published = publish_best(); !published)
    return give_up(published.error());
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
