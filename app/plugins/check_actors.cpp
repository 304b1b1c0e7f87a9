#include "app/plugins/check_actors.hpp"

#include "actors/plugin/testing_listener.hpp"
#include "actors/plugin/testing_samples.hpp"
#include "app/plugins/check_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace troupe {

namespace {

constexpr std::uint64_t max_bench_samples = 64;
constexpr std::uint64_t num_epochs = 3;
constexpr std::uint64_t steps_per_epoch = 4;
constexpr std::uint32_t samples_per_step = 8;

testing::settings settings_of(const parameters& values) {
  return {values.all().begin(), values.all().end()};
}

void say_failures(const std::vector<plugin_failure>& failures, const std::string& property, check_log& log) {
  log.say(property, failures.empty(),
          failures.empty() ? "" : fmt::format("{} times, first: {}", failures.size(), failures.front().what));
}

template <class Kind>
void check_pipeline(const Kind& what, const parameters& values, const check_options& options, check_log& log) {
  const auto given = settings_of(values);
  const auto num_samples = std::clamp<std::uint64_t>(options.num_samples, 8, max_bench_samples);
  auto bench = testing::bench_of(testing::noise_samples(num_samples, {3, 64, 48}));
  const auto first = bench.run(what, given);
  say_failures(first.failures, "does not throw", log);
  const auto bad = std::find_if(first.slots.begin(), first.slots.end(), [](const auto& x) { return !x.bad.empty(); });
  log.say("every sample comes out", bad == first.slots.end(),
          bad == first.slots.end() ? "" : fmt::format("sample {}: {}", bad->id, bad->bad));
  log.say("every buffer comes home", first.num_lost == 0, fmt::format("{} were lost", first.num_lost));
  log.say("the same again", bench.run(what, given).slots == first.slots, "a sample came out otherwise");
  log.say("the same from 1, 2, 3 and 8 instances", testing::same_with_any_number(bench, what, given),
          "a sample came out otherwise");
  bench.data[num_samples / 2] = testing::unreadable_sample(num_samples / 2);
  const auto with_bad = bench.run(what, given);
  say_failures(with_bad.failures, "lives with a sample that cannot be read", log);
}

/// What a listener hears of a run that is made up; the same for the same epoch.
void tell_epoch(testing::listener_bench& bench, std::uint64_t epoch, std::uint64_t num_samples) {
  for (std::uint64_t i = 0; i < steps_per_epoch; ++i) {
    const auto number = epoch * steps_per_epoch + i + 1;
    std::vector<sample_score> samples;
    for (std::uint32_t k = 0; k < samples_per_step; ++k) {
      sample_rng rng{1, epoch, number, k};
      samples.push_back({(i * samples_per_step + k) % num_samples, static_cast<std::int64_t>(k % 2),
                         static_cast<std::int64_t>(rng.below(2)), static_cast<float>(rng.uniform(0, 3))});
    }
    bench.step(number, epoch, std::move(samples), i + 1 == steps_per_epoch);
  }
  bench.validation(made_up_validation());
}

/// Weights and kept state after `num_epochs` epochs, from `first_epoch` on.
struct listened {
  std::vector<float> weights;
  std::string kept;
  friend bool operator==(const listened&, const listened&) = default;
};

listened listen(testing::listener_bench& bench, std::uint64_t first_epoch, std::uint64_t end,
                std::uint64_t num_samples) {
  listened out;
  for (auto epoch = first_epoch; epoch < end; ++epoch) {
    tell_epoch(bench, epoch, num_samples);
    if (const auto weights = bench.weigh(epoch))
      out.weights = *weights;
  }
  out.kept = bench.keep();
  return out;
}

void check_weights(const std::vector<float>& weights, std::uint64_t num_samples, check_log& log) {
  const bool good = std::all_of(weights.begin(), weights.end(), [](float x) { return std::isfinite(x) && x > 0; });
  log.say("weights are one per sample, each above 0", weights.empty() || (good && weights.size() == num_samples),
          fmt::format("there are {}, expected {}", weights.size(), num_samples));
}

} // namespace

void check_augmenter(const augmenter_kind& what, const parameters& values, const check_options& options,
                     check_log& log) {
  check_pipeline(what, values, options, log);
}

void check_stage(const stage_kind& what, const parameters& values, const check_options& options, check_log& log) {
  check_pipeline(what, values, options, log);
}

void check_listener(const listener_kind& what, const parameters& values, const check_options&, check_log& log) {
  const auto given = settings_of(values);
  constexpr std::uint64_t num_samples = steps_per_epoch * samples_per_step;
  const auto run = [&](const std::string& folder) {
    return testing::listener_setup{folder, {"cat", "dog"}, num_samples};
  };
  const check_folder first_folder;
  testing::listener_bench whole(what, given, run(first_folder.path()));
  const auto uninterrupted = listen(whole, 0, num_epochs, num_samples);
  say_failures(whole.failures(), "does not throw", log);
  check_weights(uninterrupted.weights, num_samples, log);

  const check_folder second_folder;
  auto setup = run(second_folder.path());
  testing::listener_bench before(what, given, setup);
  setup.kept = listen(before, 0, num_epochs - 1, num_samples).kept;
  setup.resumed_step = (num_epochs - 1) * steps_per_epoch;
  testing::listener_bench after(what, given, setup);
  const auto resumed = listen(after, num_epochs - 1, num_epochs, num_samples);
  say_failures(after.failures(), "does not throw when it is resumed", log);
  log.say("the same after a resume", resumed == uninterrupted, "weights or what it keeps came out otherwise");
}

} // namespace troupe
