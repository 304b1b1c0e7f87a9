/// Loss, accuracies and confusion as exact sums over samples.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace troupe {

/// What was found about all samples so far.
struct score_figures {
  std::uint64_t num_samples = 0;
  double loss = 0; ///< Mean cross-entropy; NaN without samples.
  double top1 = 0; ///< Share of samples, 0..1; NaN without samples.
  double topk = 0;
  std::uint32_t k = 0;
  std::vector<std::uint64_t> confusion; ///< [classes x classes], row = label, column = prediction.
  std::vector<double> class_accuracy;   ///< Recall per class; NaN for a class without samples.
};

/// Adds up scores sample by sample: counts do not depend on how samples are batched, losses are summed in double.
/// Among equal logits the lower class ranks first; NaN ranks above every number, as in torch.argmax.
class scores {
public:
  /// `k` is cut to the number of classes. @pre both are at least 1
  scores(std::uint32_t num_classes, std::uint32_t k);

  /// @pre as many logits as classes; `label` is one of them
  void add(std::span<const float> logits, std::int64_t label);

  [[nodiscard]] score_figures figures() const;

private:
  std::uint32_t num_classes_;
  std::uint32_t k_;
  std::uint64_t num_samples_ = 0;
  std::uint64_t num_in_topk_ = 0;
  double loss_sum_ = 0;
  std::vector<std::uint64_t> confusion_;
};

} // namespace troupe
