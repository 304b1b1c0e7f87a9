#include "app/config/validate.hpp"

#include "app/config/component_rules.hpp"
#include "app/config/data_rules.hpp"
#include "app/config/data_sources.hpp"
#include "app/config/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace troupe {

namespace {

/// Returns the size of the training set, as far as the config alone tells it.
std::optional<std::uint64_t> known_size(const dataset_config& data) {
  if (data.dataset == "synthetic" && data.part == data_part::whole)
    return data.limit > 0 ? std::min(data.limit, data.size) : data.size;
  return std::nullopt;
}

/// Returns a bound on the size of the training set: the real one may be smaller.
std::optional<std::uint64_t> size_bound(const dataset_config& data) {
  if (const auto size = known_size(data))
    return size;
  return data.limit > 0 ? std::optional{data.limit} : std::nullopt;
}

/// Returns the optimizer steps of the whole run for a training set of `size` samples.
std::uint64_t total_steps(const run_config& config, std::uint64_t size) {
  const auto& pipeline = config.pipeline;
  const auto batches = (size + (pipeline.drop_last ? 0 : pipeline.batch_size - 1)) / pipeline.batch_size;
  const std::uint64_t accumulate = config.train.accumulate;
  return config.train.epochs * ((batches + accumulate - 1) / accumulate);
}

void check_pipeline(const run_config& config, std::vector<violation>& out) {
  const auto& x = config.pipeline;
  if (x.chunk_size > x.batch_size)
    out.push_back({{"pipeline.chunk_size", "pipeline.batch_size"},
                   fmt::format("{} is more than pipeline.batch_size, {}", x.chunk_size, x.batch_size)});
  const auto size = size_bound(training_source(config.data));
  if (x.drop_last && size && *size < x.batch_size)
    out.push_back({{"pipeline.drop_last", "pipeline.batch_size", "data.train.limit", "data.train.size"},
                   fmt::format("leaves no batch of {} samples in an epoch of {}", x.batch_size, *size)});
}

void check_training(const run_config& config, std::vector<violation>& out) {
  const auto& optimizer = config.optimizer;
  if (optimizer.name == "sgd" && optimizer.nesterov && optimizer.momentum == 0)
    out.push_back({{"optimizer.nesterov", "optimizer.momentum", "optimizer.name"},
                   "true needs optimizer.momentum > 0; write false, or set the momentum"});
  if (config.lr_schedule.min_lr > optimizer.lr)
    out.push_back({{"lr_schedule.min_lr", "optimizer.lr"},
                   fmt::format("{} is more than optimizer.lr, {}", config.lr_schedule.min_lr, optimizer.lr)});
}

/// Adds a problem for every value that its own key would not take: what is written must read back.
void check_ranges(const run_config& config, problem_list& problems) {
  run_config scratch;
  for (const auto& key : schema().keys) {
    const auto value = key.write(config);
    if (!value || !schema().counts(key, config))
      continue;
    if (const auto tree = parse_document(*value, "config", position_style::name_only, problems))
      key.read(*tree, key.path, scratch, problems);
  }
}

} // namespace

std::vector<violation> find_violations(const run_config& config) {
  std::vector<violation> out;
  check_data(config, out);
  check_pipeline(config, out);
  check_training(config, out);
  check_components(config, out);
  return out;
}

expected<void> validate(const run_config& config) {
  problem_list problems;
  check_ranges(config, problems);
  if (problems.empty())
    for (const auto& x : find_violations(config))
      problems.add({"config", 0, 0}, x.keys.front(), x.text);
  if (!problems.empty())
    return problems.report();
  return {};
}

std::vector<std::string> find_oddities(const run_config& config) {
  std::vector<std::string> out;
  if (!validation_source(config.data))
    out.push_back("data.validation is left out: nothing is judged, and no checkpoint becomes the best");
  else if (config.validation.every.count == 0)
    out.push_back("validation.every is 0: only the end of the last epoch is judged");
  if (const auto n = config.pipeline.prefetch_batches; n < 2 || n > 4)
    out.push_back(fmt::format("pipeline.prefetch_batches is {}: {}", n,
                              n < 2 ? "the trainer waits while its only batch is filled"
                                    : "2 to 4 are enough, more of them only cost memory"));
  const auto warmup = config.lr_schedule.warmup_steps;
  if (const auto size = known_size(training_source(config.data)); size && warmup >= total_steps(config, *size))
    out.push_back(fmt::format("lr_schedule.warmup_steps is {} in a run of {} steps: the peak is never reached", warmup,
                              total_steps(config, *size)));
  return out;
}

} // namespace troupe
