#include "app/trace_tools/remake/run_data.hpp"

#include "actors/loader/datasets/read_sample.hpp"
#include "actors/saver/checkpoint_state.hpp"
#include "actors/support/file_io.hpp"
#include "app/config/load_config.hpp"
#include "app/data_report/sample_painter.hpp"
#include "app/trace_tools/remake/batch_plan.hpp"
#include "app/trace_tools/remake/data_place.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace troupe {

namespace {

namespace fs = std::filesystem;

/// A listener is asked after each epoch, for the one after the next.
constexpr std::uint64_t first_weighted_epoch = 2;
constexpr std::uint64_t max_state_bytes = std::uint64_t{1} << 28;

failure not_found_from(const failure& error, const std::optional<std::string>& place) {
  return {error.code, error.context + " (paths of the config are relative; tried "
                        + (place ? "the folder that the run was started in, " + *place + ", and " : "")
                        + "the working folder, " + fs::current_path().string() + ")"};
}

/// That of the newest checkpoint, if there is one.
expected<checkpoint_state> newest_state(const std::string& run_folder) {
  const auto text = read_file(run_folder + "/checkpoints/latest/state.json", max_state_bytes);
  return text ? parse_state(*text) : text.error();
}

/// Compares the data set with the note of the newest checkpoint.
std::string change_since(const checkpoint_state& state, const dataset& data) {
  const auto note = state.notes.find("data.fingerprint");
  if (note == state.notes.end() || note->second == data.fingerprint())
    return {};
  return "the training data are not those of the run: fingerprint " + data.fingerprint() + ", expected " + note->second
         + ", that of its newest checkpoint (files added, removed or renamed)";
}

bool has_weights(const checkpoint_state& state) {
  return std::any_of(state.attachments.begin(), state.attachments.end(),
                     [](const auto& name) { return name.starts_with("sampling."); });
}

/// The config that the run keeps. With `plugins` its own are left out: their files may be gone, and of each plugin there
/// is one in a process.
expected<run_config> load_run_config(const std::string& run_folder, const std::vector<std::string>& plugins) {
  const std::vector<std::string> overrides(plugins.empty() ? 0 : 1, "plugins=[]");
  auto config = load_config(config_path_of(run_folder), overrides, plugins);
  if (!config && config.error().context.find("plugins[") != std::string::npos)
    return failure{config.error().code,
                   config.error().context
                     + "\nif the run's plugins are elsewhere now, name their files: --plugin FILE, "
                       "once for each of them"};
  return config;
}

/// The sample, or why there is none; data sets expect ids that they have.
expected<encoded_sample> read_checked(const dataset& data, std::uint64_t id) {
  if (id >= data.num_samples())
    return failure{ec::mismatch, "the data set has " + std::to_string(data.num_samples())
                                   + " samples, expected more than " + std::to_string(id)};
  return read_sample(data, id);
}

} // namespace

expected<run_data> run_data::open(const std::string& run_folder, const std::vector<std::string>& plugins) {
  auto opened = open_in(run_folder, plugins);
  if (!opened)
    return opened;
  if (const auto state = newest_state(run_folder)) {
    opened->change_ = change_since(*state, *opened->training_.data);
    opened->has_weights_ = has_weights(*state);
  }
  return opened;
}

expected<run_data> run_data::open_in(const std::string& run_folder, const std::vector<std::string>& plugins) {
  auto config = load_run_config(run_folder, plugins);
  if (!config)
    return config.error();
  if (!has_relative_data(config->data))
    return open_with(std::move(*config));
  const auto place = started_in(run_folder, config->run);
  if (place) {
    auto there = *config;
    there.data = with_data_in(std::move(there.data), *place);
    if (auto opened = open_with(std::move(there)); opened || opened.error().code != ec::not_found)
      return opened;
  }
  auto opened = open_with(std::move(*config));
  return opened ? std::move(opened) : not_found_from(opened.error(), place);
}

expected<run_data> run_data::open_with(run_config config) {
  auto training = open_training_set(config);
  if (!training)
    return training.error();
  const auto plan = epoch_plan::make(training->data->num_samples(), config.pipeline.batch_size,
                                     config.pipeline.drop_last, /*shuffle=*/true, config.run.seed);
  if (!plan)
    return plan.error();
  return run_data(std::move(config), std::move(*training), *plan);
}

void run_data::open_validation() const {
  if (std::exchange(tried_validation_, true))
    return;
  auto opened = open_validation_set(config_, training_);
  if (!opened)
    validation_problem_ = to_string(opened.error());
  else if (!*opened)
    validation_problem_ = "the run has no validation data";
  else
    validation_ = std::move(*opened);
}

const opened_set* run_data::set(bool of_validation) const {
  if (!of_validation)
    return &training_;
  open_validation();
  return validation_ ? &*validation_ : nullptr;
}

const std::string& run_data::validation_problem() const {
  open_validation();
  return validation_problem_;
}

remade_sample run_data::remake(bool of_validation, std::uint64_t id, std::uint64_t epoch) const {
  remade_sample out;
  out.id = id;
  const auto* from = set(of_validation);
  if (from == nullptr) {
    out.problem = validation_problem_;
    return out;
  }
  const auto sample = read_checked(*from->data, id);
  if (id < from->data->num_samples()) {
    out.name = from->data->sample_name(id);
    out.label = from->class_names[static_cast<std::size_t>(from->data->label(id))];
  }
  if (!sample) {
    out.problem = to_string(sample.error());
    return out;
  }
  sample_painter painter(*from->transforms, of_validation ? config_.transforms.validation : config_.transforms.train);
  auto painted = painter.paint(*sample, config_.run.seed, epoch, {.pixel_hash = &out.pixel_hash, .notes = &out.notes});
  if (painted)
    out.rgb = std::move(*painted);
  else
    out.problem = to_string(painted.error());
  return out;
}

bool run_data::is_weighted(std::uint64_t epoch) const noexcept {
  return epoch >= first_weighted_epoch && (actors_.weighs || has_weights_);
}

std::optional<std::uint64_t> run_data::find(const std::string& path) const {
  const auto& data = *training_.data;
  std::optional<std::uint64_t> by_end;
  for (std::uint64_t id = 0; id < data.num_samples(); ++id) {
    const auto name = data.sample_name(id);
    if (name == path)
      return id;
    if (!by_end && name.ends_with("/" + path))
      by_end = id;
  }
  std::error_code ignored;
  if (by_end || path.empty() || !fs::exists(path, ignored))
    return by_end;
  const fs::path given = path, wanted = fs::canonical(path, ignored);
  for (std::uint64_t id = 0; id < data.num_samples(); ++id) {
    const fs::path name = data.sample_name(id);
    if ((name.filename() == wanted.filename() || name.filename() == given.filename())
        && fs::equivalent(name, wanted, ignored))
      return id;
  }
  return std::nullopt;
}

expected<std::vector<std::uint64_t>> run_data::planned_batch(std::uint64_t batch,
                                                             const std::set<std::uint64_t>& bad) const {
  const auto per_epoch = plan_.batches_per_epoch(), num_epochs = config_.train.epochs;
  if (epoch_of(batch) >= num_epochs)
    return failure{ec::not_found, "batch " + std::to_string(batch) + ": the run has " + std::to_string(num_epochs)
                                    + " epochs of " + std::to_string(per_epoch) + " batches, expected a batch below "
                                    + std::to_string(num_epochs * per_epoch)};
  if (is_weighted(epoch_of(batch)))
    return failure{ec::unsupported,
                   "batch " + std::to_string(batch) + ": the samples of epoch " + std::to_string(epoch_of(batch) + 1)
                     + " may have been drawn as a listener of the run said, which seed and place do not tell: "
                       "expected a batch of the first two epochs, or records of its samples "
                       "(trace.mode: full)"};
  return compose_batch(plan_, config_, epoch_of(batch), batch % per_epoch, bad);
}

} // namespace troupe
