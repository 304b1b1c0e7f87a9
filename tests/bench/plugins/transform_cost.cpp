// Nanoseconds per sample that a plugin's transform costs when it does nothing: the same list of transforms with and without
// it, on the same samples, in turns on one thread. The least of many rounds, since a shared machine only ever adds.
//   bench_transform_cost IDLE.so
#include "actors/augmenter/transform_pipeline.hpp"
#include "app/plugins/plugin_loader.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <limits>
#include <vector>

namespace {

using namespace troupe;

constexpr std::uint64_t samples_per_round = 20'000;
constexpr int num_rounds = 200;

transform_pipeline make(std::vector<transform_config> list, std::int64_t channels, std::int64_t side) {
  list.push_back(normalize_config{.mean = {0.5}, .std = {0.5}});
  auto made = transform_pipeline::make(list, {.channels = channels, .height = side, .width = side});
  if (!made) {
    std::cerr << to_string(made.error()) << '\n';
    std::exit(2);
  }
  return std::move(*made);
}

double ns_per_sample(const transform_pipeline& pipeline, const encoded_sample& sample, std::vector<float>& out,
                     std::uint64_t count) {
  const auto begun = std::chrono::steady_clock::now();
  auto each = sample;
  for (each.id = 0; each.id < count; ++each.id)
    if (!pipeline.apply(each, 1, 0, {out.data(), pixel_type::float32, true}))
      std::exit(1);
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begun;
  return took.count() / static_cast<double>(count);
}

void compare(const char* name, std::int64_t channels, std::int64_t side, std::uint64_t count) {
  const std::vector<transform_config> list{random_crop_config{.size = side, .padding = 2},
                                           random_horizontal_flip_config{}};
  auto longer = list;
  longer.push_back(plugin_transform_config{"idle", {}});
  const auto without = make(list, channels, side), with = make(longer, channels, side);
  std::vector<std::byte> pixels(static_cast<std::size_t>(channels * side * side), std::byte{100});
  std::vector<float> out(pixels.size());
  encoded_sample sample;
  sample.channels = static_cast<std::uint32_t>(channels);
  sample.height = sample.width = static_cast<std::uint32_t>(side);
  sample.bytes = pixels;
  double least_without = std::numeric_limits<double>::max(), least_with = least_without;
  for (int round = 0; round < num_rounds; ++round) {
    least_without = std::min(least_without, ns_per_sample(without, sample, out, count));
    least_with = std::min(least_with, ns_per_sample(with, sample, out, count));
  }
  std::cout << name << ": " << least_without << " ns per sample without, " << least_with
            << " with: " << least_with - least_without << " ns\n";
}

} // namespace

int main(int argc, char** argv) {
  const auto loaded = load_plugin(argc > 1 ? argv[1] : "idle", ".");
  if (!loaded) {
    std::cerr << to_string(loaded.error()) << '\n';
    return 2;
  }
  compare("1x28x28, crop and flip", 1, 28, samples_per_round);
  compare("3x224x224, crop and flip", 3, 224, samples_per_round / 100);
}
