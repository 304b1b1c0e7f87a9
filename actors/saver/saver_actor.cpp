#include "actors/saver/saver_actor.hpp"

#include "actors/glue/guard.hpp"
#include "actors/glue/thread_identity.hpp"
#include "actors/saver/checkpoint_keeper.hpp"
#include "actors/support/shell_text.hpp"

#include <filesystem>

namespace troupe {

namespace {

using saver_pointer = traced_pointer<saver_actor, saver_state>;

/// Below everybody else's: a checkpoint may take its time, a step may not.
constexpr int saver_niceness = 5;

std::chrono::system_clock::time_point now() {
  return std::chrono::system_clock::now();
}

void report_failure(saver_pointer self, const snapshot_tag& tag, const failure& why) {
  ++self->state.counts.failed;
  if (tag.version == self->state.newest_asked)
    self->state.counts.last_failed = true;
  trace_mark("checkpoint failed", ids_of(tag));
  self->send(self->state.setup.logger, checkpoint_failed{tag, why});
}

void report_success(saver_pointer self, const checkpoint_saved& saved) {
  ++self->state.counts.durable;
  if (saved.tag.version == self->state.newest_asked)
    self->state.counts.last_failed = false;
  trace_mark("checkpoint durable", ids_of(saved));
  self->send(self->state.setup.logger, saved);
}

void write(saver_pointer self, const snapshot_ptr& snapshot) {
  if (auto saved = self->state.keeper->save(*snapshot, now())) {
    report_success(self, *saved);
  } else {
    report_failure(self, snapshot->tag, saved.error());
    if (snapshot->tag.version == self->state.newest_asked)
      self->state.to_retry = snapshot;
  }
}

void write_waiting(saver_pointer self) {
  if (auto snapshot = std::exchange(self->state.waiting, std::nullopt))
    write(self, *snapshot);
}

/// Of the snapshots that come while another is written only the newest is kept: by the time the message to oneself is
/// served, they have overtaken each other. Those that come late (with weights alone, or older than what was asked for
/// since) wait to be judged: none of them may be lost. One that has its checkpoint already needs no second one.
void accept(saver_pointer self, const snapshot_ptr& snapshot) {
  auto& st = self->state;
  const auto version = snapshot->tag.version;
  if (st.keeper->has(version) || (st.waiting && (*st.waiting)->tag.version == version))
    return;
  ++st.counts.asked;
  if (!snapshot->has_training_state || version < st.newest_asked) {
    write(self, snapshot);
    return;
  }
  st.newest_asked = version;
  if (st.waiting) {
    ++st.counts.superseded;
    trace_mark("checkpoint superseded", ids_of(*st.waiting));
  }
  st.waiting = snapshot;
  self->send(self, internal_atom_v);
}

void judge(saver_pointer self, const validation_report& report) {
  // The checkpoint of the judged step may still wait: "best" is to point at it, not at a second copy.
  write_waiting(self);
  const auto& tag = report.snapshot->tag;
  const bool is_there = self->state.keeper->has(tag.version);
  auto written = self->state.keeper->judge(report, now());
  if (written && !*written)
    return;
  if (is_there) {
    self->send(
      self->state.setup.logger,
      notice{severity::warning, "the best could not be published, and stays as it was: " + to_string(written.error())});
    return;
  }
  ++self->state.counts.asked;
  if (written)
    report_success(self, **written);
  else
    report_failure(self, tag, written.error());
}

std::string folder_of(const std::string& path) {
  return std::filesystem::path(path).parent_path().string();
}

void save_rejected(saver_pointer self, const batch_rejected& batch) {
  auto path = self->state.keeper->save_rejected(batch);
  const auto what = "batch " + std::to_string(batch.batch.id) + " (epoch " + std::to_string(batch.batch.epoch + 1)
                    + ", batch " + std::to_string(batch.batch.index + 1) + "): " + batch.reason + "; ";
  self->send(self->state.setup.logger,
             path ? notice{severity::error, what + "its samples are kept in " + *path
                                              + "; to look at it: troupe trace show " + shell_text(folder_of(*path))
                                              + " batch:" + std::to_string(batch.batch.id) + " --out batch.png"}
                  : notice{severity::error, what + "it could not be kept: " + to_string(path.error())});
}

/// The newest snapshot is worth a second try: nothing comes after it.
void retry_newest(saver_pointer self) {
  auto& st = self->state;
  auto snapshot = std::exchange(st.to_retry, nullptr);
  if (!snapshot || snapshot->tag.version != st.newest_asked)
    return;
  if (auto saved = st.keeper->save(*snapshot, now())) {
    --st.counts.failed;
    report_success(self, *saved);
  }
}

void finish(saver_pointer self) {
  write_waiting(self);
  retry_newest(self);
  self->send(self->state.setup.supervisor, saver_finished{self->state.counts, self->state.keeper->best()});
}

} // namespace

saver_state::saver_state() = default;
saver_state::~saver_state() = default;

saver_actor::behavior_type saver(saver_pointer self, saver_setup setup) {
  name_thread("saver");
  lower_priority(saver_niceness);
  trace_name(self, "saver");
  report_exceptions(self, "saver");
  auto keeper =
    checkpoint_keeper::make(setup.config, {setup.config_yaml, setup.classes, setup.notes}, setup.resumed_from);
  if (!keeper)
    self->quit(to_error(keeper.error()));
  else
    self->state.keeper = std::make_unique<checkpoint_keeper>(std::move(*keeper));
  self->state.setup = std::move(setup);
  return {
    [self](const snapshot_ptr& snapshot) { accept(self, snapshot); },
    [self](const validation_report& report) { judge(self, report); },
    [self](const batch_rejected& batch) { save_rejected(self, batch); },
    [self](finish_atom) { finish(self); },
    [self](status_atom) {
      auto& counts = self->state.counts;
      return actor_status{"waits for a snapshot", counts.durable + counts.failed, !self->state.waiting};
    },
    [self](internal_atom) { write_waiting(self); },
  };
}

} // namespace troupe
