// Samples per second of a bare training loop and of bare inference: what a pipeline has to keep up with.
//   train_step [THREADS] [MODEL] [BATCH] [SECONDS] [fp32|bf16] [keep|give_back] [channels_last|channels_first]
// keep: the C library keeps freed memory (actors/support/allocator_tuning.hpp), as in the application.
#include "actors/support/allocator_tuning.hpp"
#include "actors/trainer/learner.hpp"
#include "actors/validator/evaluator.hpp"
#include "tests/support/toy_batch.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace troupe;

struct options {
  int threads = 1;
  std::string model = "lenet";
  std::int64_t batch = 128;
  double seconds = 5;
  precision number_format = precision::fp32;
  bool channels_last = true;
};

struct rate {
  double per_second = 0;
  double per_cpu_second = 0; ///< Of all threads; hardly moved by what else the machine does.
};

double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// Calls `work`, which handles `num_samples`, for about that long, after three calls to warm up.
template <class Work>
rate measure_rate(double seconds, std::int64_t num_samples, Work work) {
  using clock = std::chrono::steady_clock;
  for (int i = 0; i < 3; ++i)
    work();
  const auto start = clock::now();
  const auto cpu_start = cpu_seconds();
  std::chrono::duration<double> spent{};
  double done = 0;
  while (spent.count() < seconds) {
    work();
    done += static_cast<double>(num_samples);
    spent = clock::now() - start;
  }
  return {done / spent.count(), done / (cpu_seconds() - cpu_start)};
}

void print(const char* what, const std::string& setup, std::int64_t batch, const rate& measured) {
  std::printf("%s  %s, batch %lld: %.0f samples/s, %.0f samples per CPU second\n", what, setup.c_str(),
              static_cast<long long>(batch), measured.per_second, measured.per_cpu_second);
}

template <class T>
T value_or_exit(expected<T> x) {
  if (x)
    return std::move(*x);
  std::fprintf(stderr, "%s\n", x.error().context.c_str());
  std::exit(2);
}

void measure(const options& opt) {
  const model_io io;
  trainer_config recipe;
  recipe.model.name = opt.model;
  recipe.compute = {"cpu", opt.number_format, opt.channels_last, opt.threads};
  auto trained = value_or_exit(learner::make(recipe, io, 1000));
  toy_batch batch(io, opt.batch, 1);
  auto view = batch.view();
  view.channels_last = opt.channels_last; // The same bytes: one channel.
  const auto training = measure_rate(opt.seconds, opt.batch, [&] {
    static_cast<void>(value_or_exit(trained->forward_backward(view, 0)));
    static_cast<void>(trained->finish_step());
  });
  print("train", trained->description(), opt.batch, training);

  validator_config judging;
  judging.model = recipe.model;
  judging.compute = recipe.compute;
  auto judge = value_or_exit(evaluator::make(judging, io));
  if (auto loaded = judge->load(value_or_exit(trained->export_snapshot({}))); !loaded)
    std::exit(2);
  toy_batch samples(io, 256, 2);
  auto sample_view = samples.view();
  sample_view.channels_last = opt.channels_last;
  const auto inference = measure_rate(opt.seconds, 256, [&] { static_cast<void>(judge->add(sample_view)); });
  print("infer", judge->description(), 256, inference);
}

} // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> args(argv + 1, argv + argc);
  const auto arg = [&](std::size_t i, const char* otherwise) { return i < args.size() ? args[i] : otherwise; };
  options opt;
  opt.threads = std::atoi(arg(0, "1").c_str());
  opt.model = arg(1, "lenet");
  opt.batch = std::atoll(arg(2, "128").c_str());
  opt.seconds = std::atof(arg(3, "5").c_str());
  opt.number_format = arg(4, "fp32") == "bf16" ? precision::bf16 : precision::fp32;
  const bool keep = arg(5, "keep") == "keep";
  opt.channels_last = arg(6, "channels_last") == "channels_last";
  if (keep && !troupe::keep_freed_memory())
    std::fprintf(stderr, "the C library has no thresholds to raise\n");
  // Off the main thread, as in the application: other threads have arenas of their own.
  std::thread(measure, opt).join();
}
