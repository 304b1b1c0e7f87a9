/// The data of a run, open again after it, to make its samples and batches once more.
#pragma once

#include "actors/loader/sampler.hpp"
#include "actors/support/expected.hpp"
#include "app/config/run_config.hpp"
#include "app/data_report/data_report.hpp"
#include "app/trace_tools/remake/plugin_actors.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace troupe {

/// One sample as the run had it.
struct remade_sample {
  std::uint64_t id = 0; ///< Index in the data set.
  std::uint64_t slot = 0;
  std::string name;  ///< Path, or "images.gz[17]".
  std::string label; ///< Name of its class.
  std::uint64_t pixel_hash = 0;
  std::optional<std::uint64_t> recorded_hash; ///< None: not recorded (`trace.mode` was not `full`).
  std::vector<std::string> notes;             ///< What each transform drew: "random_crop: at (3, 1)".
  std::vector<unsigned char> rgb;             ///< The picture, `normalize` undone; empty if `problem` is not.
  std::string problem;                        ///< Why it could not be made.

  [[nodiscard]] bool same() const noexcept { return recorded_hash && *recorded_hash == pixel_hash; }
};

/// A run's data sets and transforms. Not for several threads.
class run_data {
public:
  /// Opens the training set by the config of the newest checkpoint, else by the one that the run folder keeps. Relative
  /// paths count from the folder that the run was started in, else from the working folder. The validation set is
  /// opened when it is first asked for. `plugins`: files that are loaded instead of the plugins that the config lists;
  /// none: those. Main thread, as `load_plugin`. Errors: not_found, bad_config, or what the data sets say.
  static expected<run_data> open(const std::string& run_folder, const std::vector<std::string>& plugins = {});

  [[nodiscard]] const run_config& config() const noexcept { return config_; }

  /// The training set, or that of validation; nullptr if there is none, or it cannot be opened.
  [[nodiscard]] const opened_set* set(bool of_validation) const;

  /// Why there is no validation set: the run has none, or it cannot be opened. Empty if there is one.
  [[nodiscard]] const std::string& validation_problem() const;

  /// Makes a sample again, as epoch `epoch` (0-based) had it.
  [[nodiscard]] remade_sample remake(bool of_validation, std::uint64_t id, std::uint64_t epoch) const;

  /// The training sample whose name is `path`, ends with "/" + `path`, or is the same file.
  [[nodiscard]] std::optional<std::uint64_t> find(const std::string& path) const;

  /// What plugins' actors had to do with the training samples.
  [[nodiscard]] const plugin_actors& actors() const noexcept { return actors_; }

  /// True if a listener may have said how the samples of epoch `epoch` (0-based) were drawn: its order is then not that of
  /// `plan`, and known only from records.
  [[nodiscard]] bool is_weighted(std::uint64_t epoch) const noexcept;

  /// Ids of a training batch in slot order, as far as seed and place in the run tell, if the samples `bad` could not be
  /// made in that epoch (see `compose_batch`). Errors: not_found if it lies behind the run's last epoch; unsupported if
  /// seed and place do not tell (see `is_weighted`).
  [[nodiscard]] expected<std::vector<std::uint64_t>> planned_batch(std::uint64_t batch,
                                                                   const std::set<std::uint64_t>& bad = {}) const;

  /// What tells the training data from those that the newest checkpoint was trained on, in one line; empty if nothing
  /// does, or there is no checkpoint. Numbers and names of samples are not those of the run then.
  [[nodiscard]] const std::string& change() const noexcept { return change_; }

  /// 0-based epoch of a training batch.
  [[nodiscard]] std::uint64_t epoch_of(std::uint64_t batch) const noexcept { return batch / plan_.batches_per_epoch(); }

  /// How the training epochs are cut into batches.
  [[nodiscard]] const epoch_plan& plan() const noexcept { return plan_; }

private:
  run_data(run_config config, opened_set training, const epoch_plan& plan)
    : config_(std::move(config)), actors_(plugin_actors_of(config_)), training_(std::move(training)), plan_(plan) {}

  static expected<run_data> open_in(const std::string& run_folder, const std::vector<std::string>& plugins);
  static expected<run_data> open_with(run_config config);
  void open_validation() const;

  run_config config_;
  plugin_actors actors_;
  bool has_weights_ = false; ///< The newest checkpoint has weights that samples are drawn by.
  opened_set training_;
  std::string change_;
  epoch_plan plan_;
  mutable bool tried_validation_ = false;
  mutable std::optional<opened_set> validation_;
  mutable std::string validation_problem_;
};

} // namespace troupe
