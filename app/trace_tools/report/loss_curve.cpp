#include "app/trace_tools/report/loss_curve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace troupe {

namespace {

constexpr double memory = 0.1;         ///< Weight of the newest step in what is usual.
constexpr std::uint64_t warm_up = 10;  ///< Steps until that is known.
constexpr double spreads = 5;          ///< A spike is so many usual distances away, and
constexpr double least_excess = 0.25;  ///< that much higher than usual, relatively.
constexpr std::size_t max_spikes = 64; ///< That are remembered.

} // namespace

double loss_spike::excess() const noexcept {
  return std::isfinite(value) ? value - usual : std::numeric_limits<double>::infinity();
}

void loss_curve::add(std::uint64_t step, std::uint64_t batch, double loss) {
  ++count_;
  if (std::isfinite(loss))
    add_to_buckets(step, loss);
  watch({step, batch, loss, usual_});
}

void loss_curve::add_to_buckets(std::uint64_t step, double loss) {
  auto& [sums, count] = buckets_[step / width_];
  if (count == 0)
    sums = {step, step, loss, loss, 0};
  sums.first_step = std::min(sums.first_step, step);
  sums.last_step = std::max(sums.last_step, step);
  sums.least = std::min(sums.least, loss);
  sums.most = std::max(sums.most, loss);
  sums.mean += loss;
  ++count;
  while (buckets_.size() > max_points_)
    widen_buckets();
}

void loss_curve::widen_buckets() {
  width_ *= 2;
  std::map<std::uint64_t, bucket> wider;
  for (const auto& [key, from] : buckets_) {
    const auto [place, is_new] = wider.try_emplace(key / 2, from);
    if (is_new)
      continue;
    auto& [sums, count] = place->second;
    sums.last_step = from.sums.last_step;
    sums.least = std::min(sums.least, from.sums.least);
    sums.most = std::max(sums.most, from.sums.most);
    sums.mean += from.sums.mean;
    count += from.count;
  }
  buckets_ = std::move(wider);
}

void loss_curve::watch(const loss_spike& step) {
  const bool finite = std::isfinite(step.value);
  const bool high = step.value - usual_ > std::max(spreads * spread_, least_excess * std::abs(usual_));
  if (!finite || (watched_ >= warm_up && high)) {
    spikes_.push_back(step);
    if (spikes_.size() > max_spikes)
      spikes_.erase(std::min_element(spikes_.begin(), spikes_.end(),
                                     [](const auto& a, const auto& b) { return a.excess() < b.excess(); }));
  }
  if (!finite)
    return;
  const auto seen = watched_ > warm_up ? std::min(step.value, usual_ + spreads * spread_) : step.value;
  const auto weight = std::max(memory, 1 / static_cast<double>(++watched_));
  usual_ += weight * (seen - usual_);
  spread_ += weight * (std::abs(seen - usual_) - spread_);
}

void loss_curve::go_back_to(std::uint64_t step) {
  std::erase_if(spikes_, [step](const auto& each) { return each.step >= step; });
  for (auto place = buckets_.lower_bound(step / width_); place != buckets_.end();) {
    if (place->second.sums.first_step >= step) {
      place = buckets_.erase(place);
      continue;
    }
    place->second.sums.last_step = step - 1;
    ++place;
  }
}

std::vector<curve_point> loss_curve::points() const {
  std::vector<curve_point> points;
  for (const auto& [key, each] : buckets_) {
    points.push_back(each.sums);
    points.back().mean /= static_cast<double>(each.count);
  }
  return points;
}

std::vector<loss_spike> loss_curve::spikes(std::size_t most) const {
  auto candidates = spikes_;
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const auto& a, const auto& b) { return a.excess() > b.excess(); });
  const auto range =
    buckets_.empty() ? 0 : buckets_.rbegin()->second.sums.last_step - buckets_.begin()->second.sums.first_step;
  const auto apart = range / 50;
  std::vector<loss_spike> result;
  for (const auto& each : candidates) {
    const bool crowded = std::any_of(result.begin(), result.end(), [&](const auto& taken) {
      return std::max(taken.step, each.step) - std::min(taken.step, each.step) <= apart;
    });
    if (!crowded && result.size() < most)
      result.push_back(each);
  }
  return result;
}

} // namespace troupe
