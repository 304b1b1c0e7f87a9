// Opening a folder of very many files: with a scan of all its folders, and again from the index that the scan left.
#include "actors/loader/datasets/open_dataset.hpp"
#include "actors/loader/sampler.hpp"
#include "tests/bench/data_path/contestants.hpp"
#include "tests/bench/data_path/photo_maker.hpp"
#include "tests/bench/data_path/value_or_exit.hpp"
#include "tests/support/scratch_folder.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

namespace troupe::bench {

namespace {

constexpr std::uint64_t num_folders = 1000;
/// An index of folders that were changed a moment ago is not kept: they may change again without showing it.
constexpr std::chrono::seconds settling_time{5};

void make_tree(const index_options& options) {
  const std::filesystem::path root(options.folder);
  for (std::uint64_t i = 0; i < options.num_files; ++i) {
    const auto folder = root / ("class_" + std::to_string(i % num_folders));
    if (i < num_folders)
      std::filesystem::create_directories(folder);
    std::ofstream(folder / ("photo_" + std::to_string(i) + ".jpg")) << 'x';
  }
  std::this_thread::sleep_for(settling_time);
}

/// Opens the data set and lists the samples of the first batch. Returns the seconds that this took.
double open_seconds(const index_options& options) {
  dataset_config config;
  config.dataset = "image_folder";
  config.root = options.folder;
  const auto begun = std::chrono::steady_clock::now();
  const auto data = value_or_exit(open_dataset(config, {}));
  const auto plan = value_or_exit(epoch_plan::make(data->num_samples(), options.batch_size, false, true, run_seed));
  const auto order = plan.order(0);
  std::vector<std::string> first_batch;
  for (std::uint32_t i = 0; i < plan.range(0).size; ++i)
    first_batch.push_back(data->sample_name(order[i]));
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begun;
  if (data->num_samples() != options.num_files)
    value_or_exit(expected<void>(failure{ec::mismatch, options.folder + " holds " + std::to_string(data->num_samples())
                                                         + " files, expected " + std::to_string(options.num_files)}));
  return wall.count();
}

} // namespace

nlohmann::ordered_json run_index(const index_options& options) {
  if (!std::filesystem::exists(options.folder))
    make_tree(options);
  const scratch_folder cache;
  setenv("XDG_CACHE_HOME", cache.path().c_str(), /*overwrite=*/1);
  const auto scan = open_seconds(options);
  const auto cached = open_seconds(options);
  return {{"files", options.num_files}, {"scan_seconds", scan}, {"cached_open_seconds", cached}};
}

} // namespace troupe::bench
