/// Facts about the run as a whole: how training began and ended, what the others tell the supervisor.
#pragma once

#include "messages/batch_buffer.hpp"
#include "messages/batch_ref.hpp"
#include "messages/checkpoint.hpp"
#include "messages/failure.hpp"
#include "messages/host_tensor.hpp"
#include "messages/metric.hpp"
#include "messages/snapshot.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

/// Why training should end before its last step.
enum class stop_reason : std::uint8_t { none, signal, policy, failure };

/// Asks the trainer to end at the next step boundary; with `save`, by a checkpoint of that step.
struct stop_training {
  stop_reason reason = stop_reason::none;
  bool save = true;
};

/// The model is built, a checkpoint restored if there was one.
struct trainer_ready {
  std::uint64_t first_step = 0; ///< Steps done already.
  std::uint64_t total_steps = 0;
  std::uint64_t num_parameters = 0;
  std::string description; ///< "lenet on cpu, fp32, channels_last, 2 threads"
  failure error;           ///< `none`, or why there will be no training.
};

/// The trainer's books at the end. samples_served = trained + skipped.
struct training_ended {
  stop_reason reason = stop_reason::none; ///< `none`: all epochs are done.
  failure error;                          ///< Set if the trainer itself found the reason to stop.
  std::uint64_t epochs = 0;               ///< Epochs completed, over all resumes.
  std::uint64_t steps = 0;
  std::uint64_t batches = 0;
  std::uint64_t samples_trained = 0; ///< Over all resumes.
  std::uint64_t samples_skipped = 0;
  std::uint64_t samples_here = 0;             ///< Trained by this process.
  std::uint64_t snapshots_for_validation = 0; ///< Asked for by this process.
  double train_seconds = 0;                   ///< First batch wanted to last step done.
  double data_wait_seconds = 0;
  double validation_wait_seconds = 0;
};

/// A pipeline's buffers are made. At the end of the run each of them must have come home.
struct buffers_minted {
  std::string pipeline; ///< "training" or "validation"
  std::shared_ptr<const buffer_home> home;
};

/// The validator is done with a snapshot: judged it, or let a newer one supersede it.
struct snapshot_judged {
  std::uint64_t version = 0;
  std::uint64_t step = 0;
  bool superseded = false;
};

/// The replica is built.
struct validator_ready {
  failure error;
};

/// A batch that made the loss non-finite, for a look afterwards.
struct batch_rejected {
  batch_ref batch;
  std::vector<named_tensor> tensors; ///< pixels, labels, sample_ids
  std::string reason;
};

/// A sample of one of the run's data sets that could not be made; told once.
struct bad_sample_found {
  std::string data; ///< "training" or "validation"
  bad_sample sample;
};

/// A plugin threw, or did not keep its promise.
struct plugin_failed {
  std::string plugin;    ///< Its name.
  std::string component; ///< Its part that failed: "clahe", "augmenter mosaic#1".
  std::string what;
  std::uint64_t sample =
    std::numeric_limits<std::uint64_t>::max(); ///< That it was at; the largest: none in particular.
  bool disabled = false;                       ///< It is not called any more.
};

/// Asks for the end of the run: at the next step boundary, with a checkpoint. "stopped" is how it ends.
struct end_wanted {
  std::string who;
  std::string reason;
};

/// What a listener has to remember over a resume.
struct kept_state {
  std::string bytes;
};

/// How a listener wants samples drawn from the epoch after next on.
struct sampling_answer {
  std::shared_ptr<const std::vector<float>> weights; ///< By id, each above 0; null: as before.
};

/// How bad a piece of news is.
enum class severity : std::uint8_t { info, warning, error };

/// A line for the user.
struct notice {
  severity level = severity::info;
  std::string text;
};

/// The saver has nothing left to write.
struct saver_finished {
  checkpoint_counts counts;
  std::optional<validation_score> best; ///< By the monitored figure, over all resumes.
};

/// Asks the logger for its last records.
struct close_log {
  bool run_succeeded = true; ///< Told to TensorBoard.
};

/// The logger has closed its files.
struct logger_finished {
  std::uint64_t lost_rows = 0; ///< Rows and records that could not be written.
  std::string first_error;
  std::optional<validation_score> newest_validation; ///< Of this process.
};

} // namespace troupe
