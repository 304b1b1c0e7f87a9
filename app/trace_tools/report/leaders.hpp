/// The largest few of many.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace troupe {

/// Keeps the `most` things with the largest keys, largest first; of equal keys the ones that came first.
template <class Key, class Value>
class leaders {
public:
  explicit leaders(std::size_t most) : most_(most) {}

  /// True if a thing with this key would be kept: make it only then.
  [[nodiscard]] bool wants(const Key& key) const {
    return most_ > 0 && (kept_.size() < most_ || key > kept_.back().first);
  }

  void add(const Key& key, Value value) {
    if (!wants(key))
      return;
    const auto place =
      std::upper_bound(kept_.begin(), kept_.end(), key, [](const Key& a, const auto& b) { return a > b.first; });
    kept_.insert(place, {key, std::move(value)});
    if (kept_.size() > most_)
      kept_.pop_back();
  }

  [[nodiscard]] const std::vector<std::pair<Key, Value>>& kept() const noexcept { return kept_; }

private:
  std::size_t most_;
  std::vector<std::pair<Key, Value>> kept_;
};

} // namespace troupe
