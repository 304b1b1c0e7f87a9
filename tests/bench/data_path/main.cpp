/// Ways to feed a training with JPEG photos, each alone in its process; compare.py runs them side by side.
///   bench_data_path bare|troupe|libtorch --root DIR [--json] [--batch 64] [--workers 2] [--epochs 4] [--step-ms T]
///   bench_data_path index --dir DIR [--files 1000000] [--json]
/// LibTorch is loaded for its own DataLoader alone: what `troupe` takes to the first batch is the data path's part of the
/// start of a run.
#include "tests/bench/data_path/contestants.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <iostream>
#include <string>

namespace {

using namespace troupe::bench;
using nlohmann::ordered_json;

struct command_line {
  CLI::App app{"Measures ways to feed a training with photos", "bench_data_path"};
  run_options run;
  index_options index;
  double step_ms = 0;
  bool json = false;

  command_line() {
    app.require_subcommand(1);
    add_run("bare", "Threads and the parts of the data path, without actors", run_bare);
    add_run("troupe", "The actors of the data loop", run_troupe);
    add_run("libtorch", "LibTorch's DataLoader", run_libtorch);
    auto* command = app.add_subcommand("index", "A folder of very many files, opened with and without a kept index");
    command->add_option("--dir", index.folder, "The files' folder; made if it is not there")->required();
    command->add_option("--files", index.num_files, "How many")->check(CLI::Range(1'000, 10'000'000));
    finish(command, [this] { return run_index(index); });
  }

  void add_run(const char* name, const char* what, ordered_json (*measure)(const run_options&)) {
    auto* command = app.add_subcommand(name, what);
    command->add_option("--root", run.root, "Folder of class folders of JPEG files")->required();
    command->add_option("--batch", run.batch_size, "Photos in a batch")->check(CLI::Range(1, 65'536));
    command->add_option("--workers", run.num_workers, "Threads that make photos")->check(CLI::Range(1, 256));
    command->add_option("--epochs", run.num_epochs, "With the first, which warms up")->check(CLI::Range(2, 1'000));
    command->add_option("--step-ms", step_ms, "Sleep so long for each batch")->check(CLI::NonNegativeNumber);
    command->add_option("--antialias", run.antialias, "Of the resize: 0 or 1");
    command->add_flag("--keep-memory", run.keeps_memory, "libtorch: with glibc's thresholds raised as Troupe's are");
    command->add_option("--trace", run.trace, "troupe: what is recorded of the messages")
      ->check(CLI::IsMember({"off", "flight", "full"}));
    command->add_flag("--raw", run.raw, "troupe: the IDX files of Fashion-MNIST in the root, instead of photos");
    command->add_option("--plugin", run.plugin, "troupe: file of a plugin");
    command->add_option("--transform", run.transform, "Its transform, last before normalising");
    command->add_option("--stage", run.stage, "Its stage between augmenters and collator");
    command->add_option("--augmenter", run.augmenter, "Its actor in the augmenters' place");
    command->add_flag("--checksum", run.checksum, "Add up the pixels of bare or troupe: same sum, same work");
    finish(command, [this, measure] {
      run.step = milliseconds{step_ms};
      return measure(run);
    });
  }

  template <class Measure>
  void finish(CLI::App* command, Measure measure) {
    command->add_flag("--json", json, "Print one JSON object instead of a line for each figure");
    command->callback([this, measure] { print(measure()); });
  }

  void print(const ordered_json& figures) const {
    if (json)
      std::cout << figures.dump() << '\n';
    else
      for (const auto& [name, value] : figures.items())
        std::cout << name << ": " << value << '\n';
  }
};

} // namespace

int main(int argc, char** argv) {
  command_line line;
  CLI11_PARSE(line.app, argc, argv);
  return 0;
}
