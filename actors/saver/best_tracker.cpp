#include "actors/saver/best_tracker.hpp"

#include "actors/saver/exact_number.hpp"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <system_error>

namespace troupe {

namespace {

std::string mode_name(monitor_mode mode) {
  return mode == monitor_mode::max ? "max" : "min";
}

std::optional<std::uint64_t> whole_number(const std::string& text) {
  std::uint64_t x = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (error != std::errc{} || end != text.data() + text.size())
    return std::nullopt;
  return x;
}

} // namespace

expected<best_tracker> best_tracker::make(const std::string& monitor, monitor_mode mode,
                                          const std::vector<std::string>& figures) {
  if (monitor == "top1" || monitor == "topk" || monitor == "loss"
      || std::find(figures.begin(), figures.end(), monitor) != figures.end())
    return best_tracker{monitor, mode};
  std::string names;
  for (const auto& name : figures)
    names += ", " + name;
  return failure{ec::bad_config, "checkpoint.monitor: '" + monitor + "', expected top1, topk, loss" + names
                                   + (figures.empty() ? "" : " (validation.metrics)")};
}

double best_tracker::value_of(const validation_report& report) const noexcept {
  if (monitor_ == "loss")
    return report.loss;
  if (monitor_ == "top1" || monitor_ == "topk")
    return monitor_ == "top1" ? report.top1 : report.topk;
  for (const auto& figure : report.figures)
    if (figure.name == monitor_)
      return figure.value;
  return std::numeric_limits<double>::quiet_NaN();
}

bool best_tracker::offer(const validation_report& report) {
  assert(report.snapshot != nullptr);
  auto value = value_of(report);
  if (!std::isfinite(value))
    return false;
  if (best_ && !(mode_ == monitor_mode::max ? value > best_->value : value < best_->value))
    return false;
  best_ = best_record{value, report.snapshot->tag};
  return true;
}

std::map<std::string, std::string> best_tracker::to_notes() const {
  if (!best_)
    return {};
  return {{"best.monitor", monitor_},
          {"best.mode", mode_name(mode_)},
          {"best.value", exact_text(best_->value)},
          {"best.run", best_->tag.run},
          {"best.epoch", std::to_string(best_->tag.epoch)},
          {"best.step", std::to_string(best_->tag.step)},
          {"best.version", std::to_string(best_->tag.version)}};
}

expected<void> best_tracker::restore(const std::map<std::string, std::string>& notes) {
  if (!notes.contains("best.value"))
    return {};
  auto note = [&](const char* key) {
    auto found = notes.find(key);
    return found == notes.end() ? std::string{} : found->second;
  };
  if (note("best.monitor") != monitor_ || note("best.mode") != mode_name(mode_))
    return failure{ec::mismatch, "the checkpoint's best is by " + note("best.monitor") + " (" + note("best.mode")
                                   + "), expected " + monitor_ + " (" + mode_name(mode_) + ")"};
  auto value = exact_number(note("best.value"));
  auto epoch = whole_number(note("best.epoch"));
  auto step = whole_number(note("best.step"));
  auto version = whole_number(note("best.version"));
  if (!value || !std::isfinite(*value) || !epoch || !step || !version || !notes.contains("best.run"))
    return failure{ec::corrupt, "the checkpoint's notes of the best are incomplete: value '" + note("best.value")
                                  + "', version '" + note("best.version") + "'"};
  best_ = best_record{*value, {note("best.run"), *epoch, *step, *version}};
  return {};
}

} // namespace troupe
