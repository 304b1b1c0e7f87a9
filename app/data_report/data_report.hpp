/// What `troupe data` says about the data of a config.
#pragma once

#include "actors/augmenter/transform_pipeline.hpp"
#include "actors/loader/datasets/dataset.hpp"
#include "app/config/run_config.hpp"
#include "app/data_report/copies.hpp"
#include "app/data_report/image_statistics.hpp"
#include "app/data_report/pipeline_cost.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// A data set of a run, open, with the transforms for it.
struct opened_set {
  std::string name; ///< "training" or "validation"
  dataset_config source;
  std::shared_ptr<const dataset> data;
  std::vector<std::string> class_names; ///< By id, one for each class.
  std::shared_ptr<const transform_pipeline> transforms;
};

/// Opens the training set of a run as training does. Errors: bad_config, or what the data set says, with the key of
/// what is wrong.
[[nodiscard]] expected<opened_set> open_training_set(const run_config& config);

/// Opens the validation set, by the classes of `training`. Nothing if the run has none. Errors: as above; mismatch.
[[nodiscard]] expected<std::optional<opened_set>> open_validation_set(const run_config& config,
                                                                      const opened_set& training);

/// Opens the data sets of a run as training does: training first, then validation if there is one, by the same classes.
/// Errors: bad_config, or what the data sets say, each with the key of what is wrong.
[[nodiscard]] expected<std::vector<opened_set>> open_sets(const run_config& config);

struct class_row {
  std::string name;
  std::uint64_t num_samples = 0; ///< In the whole set.
};

/// Samples of one set with the same bytes.
struct copies_of_one {
  std::vector<std::string> names;
  bool differ_in_class = false;
};

struct set_report {
  std::string name; ///< "training" or "validation"
  std::string source;
  std::uint64_t num_samples = 0;
  std::uint64_t num_examined = 0; ///< The first ones; all unless a limit was set. What follows the classes is theirs.
  std::vector<std::string> notices;
  std::vector<class_row> classes; ///< By id.
  image_statistics images;
  std::vector<copies_of_one> copies;
  std::vector<bad_entry> bad;
  bool too_many_bad = false; ///< A run would be stopped (`pipeline.bad_samples`).
};

/// Samples of different sets with the same bytes: what is judged by has been learnt.
struct leak {
  std::vector<std::string> training;
  std::vector<std::string> validation;
};

struct data_report {
  std::vector<set_report> sets;
  std::vector<leak> leaks;
  channel_statistics channels; ///< Of the training samples.
  std::optional<pipeline_cost> cost;

  [[nodiscard]] bool too_many_bad() const noexcept;
};

/// How a report is made.
struct report_order {
  std::uint64_t limit = 0; ///< Look at the first so many samples of each set; 0: at all.
  int num_threads = 1;
  int num_cores = 1; ///< Those that training would have.
  /// Told now and then what is being done: "training", samples done, samples in all. May be empty.
  std::function<void(std::string_view, std::uint64_t, std::uint64_t)> progress;
};

/// Looks at all that there is. The same for any number of threads, but for the measured times. Blocks for long.
[[nodiscard]] data_report report_on(const std::vector<opened_set>& sets, const run_config& config,
                                    const report_order& order);

} // namespace troupe
