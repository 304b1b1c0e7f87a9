// LibTorch's own DataLoader: worker threads that make tensors of single samples, which are then copied into a batch.
#include "actors/support/allocator_tuning.hpp"
#include "tests/bench/data_path/contestants.hpp"
#include "tests/bench/data_path/loop_meter.hpp"
#include "tests/bench/data_path/photo_maker.hpp"

#include <nlohmann/json.hpp>
#include <torch/torch.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <utility>

namespace troupe::bench {

namespace {

/// What the workers' copies of the data set have in common.
struct shared_photos {
  bool antialias;
  photo_files files;
  std::atomic<std::uint64_t> epoch{0};
};

/// Every worker has a copy of its own, with its own memory.
class photo_dataset : public torch::data::datasets::Dataset<photo_dataset> {
public:
  explicit photo_dataset(std::shared_ptr<shared_photos> photos)
    : photos_(std::move(photos)), maker_(std::make_unique<photo_maker>(photos_->antialias)) {}
  photo_dataset(const photo_dataset& other) : photo_dataset(other.photos_) {}
  photo_dataset(photo_dataset&&) = default;

  torch::data::Example<> get(std::size_t index) override {
    const auto& [antialias, files, epoch] = *photos_;
    auto image = torch::empty({photo_channels, photo_side, photo_side});
    if (auto made = maker_->make(files.paths[index], index, epoch, /*channels_last=*/false, image.data_ptr<float>());
        !made)
      throw std::runtime_error(to_string(made.error()));
    return {std::move(image), torch::tensor(files.labels[index])};
  }

  torch::optional<std::size_t> size() const override { return photos_->files.paths.size(); }

private:
  std::shared_ptr<shared_photos> photos_;
  std::unique_ptr<photo_maker> maker_;
};

/// Runs the contestant.
nlohmann::ordered_json measure(const run_options& options) {
  if (options.keeps_memory)
    keep_freed_memory();
  torch::set_num_threads(1);
  torch::manual_seed(run_seed);
  auto photos = std::make_shared<shared_photos>(options.antialias, photo_files::find(options.root));
  auto loader = torch::data::make_data_loader<torch::data::samplers::RandomSampler>(
    photo_dataset(photos).map(torch::data::transforms::Stack<>()),
    torch::data::DataLoaderOptions().batch_size(options.batch_size).workers(options.num_workers));
  loop_meter meter(options);
  meter.begin();
  for (; !meter.all_done(); ++photos->epoch) {
    for (const auto& batch : *loader) {
      meter.batch_came(static_cast<std::uint64_t>(batch.data.size(0)), 0);
      meter.step();
      meter.batch_done();
    }
    meter.epoch_done();
  }
  return meter.figures();
}

} // namespace

} // namespace troupe::bench

/// The module's entry: see load_libtorch.cpp.
extern "C" void bench_run_libtorch(const troupe::bench::run_options& options, nlohmann::ordered_json& figures) {
  figures = troupe::bench::measure(options);
}
