/// The ways to feed a training that bench_data_path compares.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <chrono>
#include <cstdint>
#include <string>

namespace troupe::bench {

using milliseconds = std::chrono::duration<double, std::milli>;

/// One run over a folder of class folders with photos.
struct run_options {
  std::string root;
  std::uint32_t batch_size = 64;
  std::uint32_t num_workers = 2; ///< Threads that make samples.
  std::uint64_t num_epochs = 4;  ///< At least 2: the first only warms up.
  bool antialias = true;         ///< Of the resize.
  milliseconds step{0};          ///< What the consumer sleeps for each batch.
  bool keeps_memory = false;     ///< libtorch: glibc's thresholds raised, as Troupe raises them for itself.
  std::string trace = "flight";  ///< troupe: what is recorded of the messages: off, flight or full.
  bool raw = false;      ///< troupe: raw samples of 28x28 (Fashion-MNIST in `root`), which cost next to nothing.
  std::string plugin;    ///< troupe: a plugin to be loaded; empty: none.
  std::string transform; ///< Its transform that comes last, before the pixels are normalised.
  std::string stage;     ///< Its stage between augmenters and collator.
  std::string augmenter; ///< Its actor in the augmenters' place.
  bool checksum = false; ///< Adds up all pixels, which takes its time: two runs that made the same show the same.
};

/// Each runs once, in a process of its own, and returns its figures: see `loop_meter`. Exits with 2 after a failure.
/// All make float32 images of 224 x 224: `bare` and `troupe` in channels-last order, as Troupe does unless told not to,
/// `libtorch` with the channels first, as LibTorch does.
[[nodiscard]] nlohmann::ordered_json run_bare(const run_options& options);
[[nodiscard]] nlohmann::ordered_json run_troupe(const run_options& options);
[[nodiscard]] nlohmann::ordered_json run_libtorch(const run_options& options);

/// How long it takes to open a folder of very many files.
struct index_options {
  std::string folder; ///< The tree; made if it is not there.
  std::uint64_t num_files = 1'000'000;
  std::uint32_t batch_size = 64;
};

[[nodiscard]] nlohmann::ordered_json run_index(const index_options& options);

} // namespace troupe::bench
