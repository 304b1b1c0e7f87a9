#include "actors/validator/scores.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace troupe {

namespace {

bool ranks_above(std::span<const float> logits, std::size_t a, std::size_t b) {
  const auto x = logits[a], y = logits[b];
  if (std::isnan(x) != std::isnan(y))
    return std::isnan(x);
  return x > y || (!(y > x) && a < b);
}

/// -log softmax(logits)[label], with the largest logit taken out so that no exponential overflows.
double cross_entropy(std::span<const float> logits, std::size_t label) {
  const double largest = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (double logit : logits)
    sum += std::exp(logit - largest);
  return largest + std::log(sum) - logits[label];
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole ? static_cast<double>(part) / static_cast<double>(whole) : std::numeric_limits<double>::quiet_NaN();
}

} // namespace

scores::scores(std::uint32_t num_classes, std::uint32_t k)
  : num_classes_(num_classes), k_(std::min(k, num_classes)), confusion_(std::size_t{num_classes} * num_classes) {
  assert(num_classes > 0 && k > 0);
}

void scores::add(std::span<const float> logits, std::int64_t label) {
  assert(logits.size() == num_classes_ && label >= 0 && label < std::int64_t{num_classes_});
  const auto right = static_cast<std::size_t>(label);
  std::size_t best = 0, rank = 0;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    if (ranks_above(logits, i, best))
      best = i;
    if (ranks_above(logits, i, right))
      ++rank;
  }
  num_samples_ += 1;
  num_in_topk_ += rank < k_;
  loss_sum_ += cross_entropy(logits, right);
  confusion_[right * num_classes_ + best] += 1;
}

score_figures scores::figures() const {
  score_figures result;
  result.num_samples = num_samples_;
  result.k = k_;
  result.confusion = confusion_;
  std::uint64_t num_correct = 0;
  for (std::size_t label = 0; label < num_classes_; ++label) {
    const auto row = std::span(confusion_).subspan(label * num_classes_, num_classes_);
    std::uint64_t num_of_class = 0;
    for (auto count : row)
      num_of_class += count;
    num_correct += row[label];
    result.class_accuracy.push_back(share(row[label], num_of_class));
  }
  result.top1 = share(num_correct, num_samples_);
  result.topk = share(num_in_topk_, num_samples_);
  result.loss = num_samples_ ? loss_sum_ / static_cast<double>(num_samples_) : std::numeric_limits<double>::quiet_NaN();
  return result;
}

} // namespace troupe
