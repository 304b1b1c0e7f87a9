#include "tests/bench/data_path/loop_meter.hpp"

#include "actors/support/crc32c.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

namespace troupe::bench {

namespace {

double seconds_between(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

rusage usage_of_process() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage;
}

double cpu_seconds() {
  const auto usage = usage_of_process();
  const auto seconds = [](const timeval& x) {
    return static_cast<double>(x.tv_sec) + static_cast<double>(x.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double peak_rss_mb() {
  return static_cast<double>(usage_of_process().ru_maxrss) / 1e3;
}

/// Since the kernel made the process, so that loading its libraries counts. To a tick of 10 ms.
double seconds_since_process_start() {
  std::ifstream file("/proc/self/stat");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::istringstream fields(text.substr(text.rfind(')') + 1)); // The name before may hold blanks.
  constexpr int fields_before_start = 19;
  std::string skipped;
  for (int i = 0; i < fields_before_start; ++i)
    fields >> skipped;
  double ticks = 0;
  fields >> ticks;
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9
         - ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

} // namespace

loop_meter::loop_meter(const run_options& options) : options_(options) {}

void loop_meter::begin() {
  cpu_before_ = cpu_seconds();
  epoch_begun_ = idle_since_ = clock::now();
}

void loop_meter::batch_came(std::uint64_t num_images, std::uint64_t num_bad, std::span<const std::byte> pixels) {
  now_.waited += seconds_between(idle_since_, clock::now());
  if (now_.images == 0)
    now_.until_first = now_.waited;
  if (first_batch_ == 0)
    first_batch_ = seconds_since_process_start();
  now_.images += num_images;
  now_.bad += num_bad;
  if (options_.checksum)
    checksum_ = crc32c(pixels, checksum_);
}

void loop_meter::step() const {
  if (options_.step.count() > 0)
    std::this_thread::sleep_for(options_.step);
}

void loop_meter::batch_done() {
  idle_since_ = clock::now();
}

void loop_meter::epoch_done() {
  const auto cpu = cpu_seconds();
  now_.cpu = cpu - cpu_before_;
  now_.wall = seconds_between(epoch_begun_, idle_since_);
  epochs_.push_back(now_);
  now_ = {};
  cpu_before_ = cpu;
  epoch_begun_ = idle_since_;
}

double loop_meter::median_of(double (*figure)(const epoch&)) const {
  std::vector<double> values;
  std::transform(epochs_.begin() + 1, epochs_.end(), std::back_inserter(values), figure);
  std::sort(values.begin(), values.end());
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

nlohmann::ordered_json loop_meter::figures() const {
  nlohmann::ordered_json out{
    {"images_per_second", median_of([](const epoch& x) { return static_cast<double>(x.images) / x.wall; })},
    {"cpu_us_per_image", median_of([](const epoch& x) { return x.cpu * 1e6 / static_cast<double>(x.images); })},
    {"first_batch_ms", first_batch_ * 1e3},
    {"later_first_batch_ms", median_of([](const epoch& x) { return x.until_first * 1e3; })},
    {"wait_share", median_of([](const epoch& x) { return x.waited / x.wall; })},
    {"peak_rss_mb", peak_rss_mb()},
    {"images", epochs_.back().images},
    {"bad", epochs_.back().bad},
  };
  if (options_.checksum)
    out["checksum"] = checksum_;
  return out;
}

} // namespace troupe::bench
