#include "app/trace_tools/remake/batch_members.hpp"

#include "app/trace_tools/analysis/actor_role.hpp"
#include "app/trace_tools/remake/batch_plan.hpp"
#include "app/trace_tools/remake/recorded_batch.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

namespace troupe {

namespace {

using record_visitor = std::function<void(const recorded_sample&)>;

/// Hands over the training samples of all processes.
void visit_samples(const recorded_trace& trace, const record_visitor& visit) {
  for (const auto& process : trace.processes) {
    std::vector<bool> augments;
    for (const auto& name : process.names)
      augments.push_back(role_of(name).role == "augmenter" && !role_of(name).in_validation);
    visit_records(process, [&](const trace_record& record) {
      if (record.kind == trace_kind::sample && record.receiver < augments.size() && augments[record.receiver])
        visit(to_sample(record));
    });
  }
}

/// Whether the epoch's order has the sample where the batch begins. Samples in other places may be replacements.
class order_check {
public:
  explicit order_check(const epoch_plan& plan) : plan_(plan) {}

  [[nodiscard]] bool fits(const recorded_sample& sample) {
    const auto per_epoch = plan_.batches_per_epoch();
    if (sample.batch / per_epoch != sample.epoch)
      return false;
    const auto ref = plan_.batch(sample.epoch, sample.batch % per_epoch);
    if (epoch_ != sample.epoch) {
      order_ = plan_.order(sample.epoch);
      epoch_ = sample.epoch;
    }
    return sample.slot < ref.num_samples && order_[ref.first_position + sample.slot] == sample.sample;
  }

private:
  const epoch_plan& plan_;
  std::optional<std::uint64_t> epoch_;
  std::vector<std::uint32_t> order_;
};

} // namespace

void batch_members::read_records() {
  if (std::exchange(read_, true))
    return;
  const auto known = known_bad_samples(run_folder_, std::numeric_limits<std::uint64_t>::max() - 1);
  const auto suspects = known ? *known : std::set<std::uint64_t>{};
  constexpr std::uint64_t num_checked = 1024;
  std::uint64_t num_seen = 0, num_strange = 0;
  order_check order{data_.plan()};
  visit_samples(trace_, [&](const recorded_sample& sample) {
    if (sample.bad)
      bad_[sample.epoch].insert(sample.sample);
    else if (suspects.contains(sample.sample))
      made_[sample.epoch].insert(sample.sample);
    if (num_seen < num_checked && !data_.is_weighted(sample.epoch)) {
      ++num_seen;
      num_strange += order.fits(sample) ? 0 : 1;
    }
  });
  contradicted_ = num_strange * 2 > num_seen; // Replacements are fewer than what they stand in for.
}

const std::set<std::uint64_t>& batch_members::bad_in(std::uint64_t epoch) {
  read_records();
  auto& bad = bad_[epoch];
  if (settled_.insert(epoch).second)
    if (const auto before = known_bad_samples(run_folder_, epoch))
      std::set_difference(before->begin(), before->end(), made_[epoch].begin(), made_[epoch].end(),
                          std::inserter(bad, bad.end()));
  return bad;
}

bool batch_members::is_known(std::uint64_t batch) const {
  const auto epoch = data_.epoch_of(batch);
  return !contradicted_ && epoch < data_.config().train.epochs && !data_.is_weighted(epoch);
}

void batch_members::compose(std::uint64_t epoch) {
  if (composed_ == epoch)
    return;
  composed_ = epoch;
  batches_ = compose_epoch(data_.plan(), data_.config(), epoch, bad_in(epoch));
}

std::optional<std::vector<std::uint64_t>> batch_members::of(std::uint64_t batch) {
  read_records();
  if (!is_known(batch))
    return std::nullopt;
  compose(data_.epoch_of(batch));
  return batches_[batch % data_.plan().batches_per_epoch()];
}

std::optional<std::uint64_t> batch_members::count(std::uint64_t batch) {
  read_records();
  if (!is_known(batch))
    return std::nullopt;
  if (bad_in(data_.epoch_of(batch)).empty())
    return data_.plan().range(batch % data_.plan().batches_per_epoch()).size;
  return of(batch)->size();
}

} // namespace troupe
