#include "actors/loader/sampling_history.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

namespace troupe {

namespace {

/// The epoch that is trained and the next, which is read and served meanwhile.
constexpr std::uint64_t settled_ahead = 2;

failure bad_weights(const sample_weights& weights, const std::string& why) {
  return {ec::bad_data, "loader: version " + std::to_string(weights.version) + " of the sample weights, from epoch "
                          + std::to_string(weights.from_epoch) + " on: " + why};
}

} // namespace

expected<sampling_history> sampling_history::make(std::uint64_t num_samples, bool changes,
                                                  const std::vector<sample_weights>& known) {
  sampling_history out;
  out.num_samples_ = num_samples;
  out.changes_ = changes;
  for (const auto& each : known) {
    if (auto ok = out.check(each); !ok)
      return ok.error();
    out.known_[each.version] = each;
  }
  return out;
}

expected<void> sampling_history::check(const sample_weights& weights) const {
  const auto num_weights = weights.weights ? weights.weights->size() : 0;
  if (num_weights != num_samples_)
    return bad_weights(weights, std::to_string(num_weights) + " weights, expected one for each of the "
                                  + std::to_string(num_samples_) + " samples");
  const auto usable = [](float x) { return std::isfinite(x) && x > 0; };
  const auto bad = std::find_if_not(weights.weights->begin(), weights.weights->end(), usable);
  if (bad != weights.weights->end())
    return bad_weights(weights, "that of sample " + std::to_string(bad - weights.weights->begin()) + " is "
                                  + std::to_string(*bad) + ", expected a finite number above 0");
  return {};
}

expected<void> sampling_history::settle(const sampling_settled& what) {
  if (what.change && !known_.contains(what.change->version)) {
    if (auto ok = check(*what.change); !ok)
      return ok;
    if (changes_ && what.change->from_epoch < settled_end_)
      return bad_weights(*what.change, "the epochs before " + std::to_string(settled_end_)
                                         + " are settled already, expected weights for later ones");
    known_[what.change->version] = *what.change;
  }
  begin_at(what.epoch + 1);
  return {};
}

void sampling_history::begin_at(std::uint64_t epoch) noexcept {
  settled_end_ = std::max(settled_end_, epoch + settled_ahead);
}

sampling_history::versions::const_iterator sampling_history::in_force(std::uint64_t epoch) const noexcept {
  const auto newest =
    std::find_if(known_.rbegin(), known_.rend(), [&](const auto& each) { return each.second.from_epoch <= epoch; });
  return newest == known_.rend() ? known_.end() : std::prev(newest.base());
}

std::span<const float> sampling_history::weights_in(std::uint64_t epoch) const noexcept {
  const auto found = in_force(epoch);
  return found == known_.end() ? std::span<const float>{} : std::span<const float>(*found->second.weights);
}

void sampling_history::forget_before(std::uint64_t epoch) {
  if (const auto found = in_force(epoch); changes_ && found != known_.end())
    known_.erase(known_.cbegin(), found);
}

} // namespace troupe
