/// The saver's book-keeping: what is written, what is best, what may go. Logic only, but for the files.
#pragma once

#include "actors/saver/best_tracker.hpp"
#include "actors/saver/checkpoint.hpp"
#include "actors/saver/checkpoint_folder.hpp"
#include "actors/saver/saver_config.hpp"
#include "messages/checkpoint.hpp"
#include "messages/metric.hpp"
#include "messages/run_events.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

/// Owned by one thread. Every function blocks until the files are durable.
class checkpoint_keeper {
public:
  using time_point = std::chrono::system_clock::time_point;

  /// The best so far of a run that goes on comes from `best.json` in the folder, or, where that tells of steps that the
  /// run has not taken (it was resumed from before them), from `extra.notes`, those of the checkpoint resumed from.
  /// `resumed_from` is that checkpoint's name, which is never deleted. bad_config: an unknown monitor.
  static expected<checkpoint_keeper> make(saver_config config, checkpoint_extra extra, std::string resumed_from);

  /// Writes the snapshot, points `latest` at it if training can go on from it, deletes what need not be kept.
  expected<checkpoint_saved> save(const snapshot& state, time_point now);

  /// If the judged snapshot is the best so far, points `best` at its checkpoint; where it has none, it is written first,
  /// weights only, and returned.
  expected<std::optional<checkpoint_saved>> judge(const validation_report& report, time_point now);

  /// Writes a refused batch as `rejected-batch-<id>.safetensors` into the run folder and returns the path.
  expected<std::string> save_rejected(const batch_rejected& batch);

  /// Whether there is a checkpoint of that version.
  [[nodiscard]] bool has(std::uint64_t version) const { return names_.contains(version); }

  /// By the monitored figure, over all resumes.
  [[nodiscard]] const std::optional<validation_score>& best() const noexcept { return best_score_; }

private:
  checkpoint_keeper(saver_config config, checkpoint_extra extra, std::string resumed_from, best_tracker best)
    : config_(std::move(config)), extra_(std::move(extra)), resumed_from_(std::move(resumed_from)),
      best_(std::move(best)) {}

  [[nodiscard]] std::string best_file() const;
  expected<void> restore_best();
  [[nodiscard]] bool restore_best_from(const std::map<std::string, std::string>& notes);
  expected<void> publish_best();
  [[nodiscard]] std::map<std::string, std::string> best_notes() const;
  [[nodiscard]] checkpoint_extra extra_now() const;
  expected<checkpoint_saved> write(const snapshot& state, time_point now);
  expected<void> tidy();

  saver_config config_;
  checkpoint_extra extra_;
  std::string resumed_from_;
  best_tracker best_;
  std::optional<validation_score> best_score_;
  std::uint64_t latest_version_ = 0;           ///< That `latest` points at.
  std::map<std::uint64_t, std::string> names_; ///< Checkpoints in the folder, by version.
};

} // namespace troupe
