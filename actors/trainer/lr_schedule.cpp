#include "actors/trainer/lr_schedule.hpp"

#include <cmath>
#include <numbers>
#include <string>

namespace troupe {

namespace {

double cosine(double peak_lr, double min_lr, std::uint64_t step, std::uint64_t first, std::uint64_t last) noexcept {
  if (step >= last)
    return min_lr;
  if (step <= first)
    return peak_lr;
  const auto done = static_cast<double>(step - first) / static_cast<double>(last - first);
  return min_lr + (peak_lr - min_lr) * 0.5 * (1 + std::cos(std::numbers::pi * done));
}

failure refuse(const std::string& what, double value, const std::string& limit) {
  return {ec::bad_config, "lr_schedule: " + what + " is " + std::to_string(value) + ", expected " + limit};
}

} // namespace

expected<void> check_lr_schedule(const lr_schedule_config& config, double peak_lr) {
  if (config.name != "constant" && config.name != "step" && config.name != "cosine")
    return failure{ec::bad_config,
                   "lr_schedule: unknown name '" + config.name + "', expected one of constant, step, cosine"};
  if (config.name == "cosine" && !(config.min_lr >= 0 && config.min_lr <= peak_lr))
    return refuse("min_lr", config.min_lr, "0 to optimizer.lr (" + std::to_string(peak_lr) + ")");
  if (config.name == "step" && !(config.gamma > 0 && config.gamma <= 1))
    return refuse("gamma", config.gamma, "0 < gamma <= 1");
  if (config.name == "step" && config.step_epochs < 1)
    return refuse("step_epochs", 0, "at least 1");
  return {};
}

double learning_rate_at(const lr_schedule_config& config, double peak_lr, std::uint64_t step,
                        std::uint64_t steps_per_epoch, std::uint64_t total_steps) noexcept {
  auto rate = peak_lr;
  if (config.name == "cosine")
    rate = cosine(peak_lr, config.min_lr, step, config.warmup_steps, total_steps);
  else if (config.name == "step")
    rate *= std::pow(config.gamma, static_cast<double>(step / steps_per_epoch / config.step_epochs));
  if (step < config.warmup_steps)
    rate *= static_cast<double>(step + 1) / static_cast<double>(config.warmup_steps);
  return rate;
}

} // namespace troupe
