#include "actors/loader/datasets/subset_dataset.hpp"

#include "actors/support/rng.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace troupe {

namespace {

constexpr std::uint32_t split_stream = sample_rng::first_reserved_stream + 3;

class subset_dataset final : public dataset {
public:
  subset_dataset(std::unique_ptr<dataset> whole, std::vector<std::uint32_t> ids, const std::string& part)
    : whole_(std::move(whole)), ids_(std::move(ids)), fingerprint_(whole_->fingerprint() + ":" + part) {}

  [[nodiscard]] std::uint64_t num_samples() const noexcept override { return ids_.size(); }
  [[nodiscard]] std::uint32_t channels() const noexcept override { return whole_->channels(); }
  [[nodiscard]] std::uint32_t height() const noexcept override { return whole_->height(); }
  [[nodiscard]] std::uint32_t width() const noexcept override { return whole_->width(); }
  [[nodiscard]] std::uint32_t num_classes() const noexcept override { return whole_->num_classes(); }
  [[nodiscard]] const std::vector<std::string>& class_names() const noexcept override { return whole_->class_names(); }
  [[nodiscard]] std::string fingerprint() const override { return fingerprint_; }
  [[nodiscard]] std::string sample_name(std::uint64_t id) const override { return whole_->sample_name(ids_[id]); }
  [[nodiscard]] std::int64_t label(std::uint64_t id) const noexcept override { return whole_->label(ids_[id]); }
  [[nodiscard]] std::uint64_t encoded_bytes(std::uint64_t id) const noexcept override {
    return whole_->encoded_bytes(ids_[id]);
  }
  [[nodiscard]] float weight(std::uint64_t id) const noexcept override { return whole_->weight(ids_[id]); }
  [[nodiscard]] bool reads_files() const noexcept override { return whole_->reads_files(); }
  [[nodiscard]] const std::vector<std::string>& notices() const noexcept override { return whole_->notices(); }

  [[nodiscard]] expected<encoded_sample> read(std::uint64_t id) const override {
    if (id >= num_samples())
      return failure{ec::bad_data, "loader: sample " + std::to_string(id) + " of a part does not exist, expected an id "
                                     + "below " + std::to_string(num_samples())};
    auto sample = whole_->read(ids_[id]);
    if (sample)
      sample->id = id;
    return sample;
  }

private:
  std::unique_ptr<dataset> whole_;
  std::vector<std::uint32_t> ids_;
  std::string fingerprint_;
};

/// How many of `num_samples` are held out.
std::size_t num_held_out(std::size_t num_samples, double share) {
  if (num_samples < 2)
    return 0;
  const auto rounded = static_cast<std::size_t>(std::lround(share * static_cast<double>(num_samples)));
  return std::clamp<std::size_t>(rounded, 1, num_samples - 1);
}

/// Moves `count` of the ids to the front, each choice as likely as any other.
void draw_first(std::vector<std::uint32_t>& ids, std::size_t count, sample_rng& rng) {
  for (std::size_t i = 0; i < count; ++i)
    std::swap(ids[i], ids[i + rng.below(ids.size() - i)]);
}

} // namespace

std::unique_ptr<dataset> make_subset(std::unique_ptr<dataset> whole, std::vector<std::uint32_t> ids,
                                     const std::string& part) {
  return std::make_unique<subset_dataset>(std::move(whole), std::move(ids), part);
}

std::unique_ptr<dataset> first_samples(std::unique_ptr<dataset> whole, std::uint64_t num_samples) {
  if (num_samples >= whole->num_samples())
    return whole;
  std::vector<std::uint32_t> ids(num_samples);
  std::iota(ids.begin(), ids.end(), 0);
  return make_subset(std::move(whole), std::move(ids), "first=" + std::to_string(num_samples));
}

split_ids split_by_class(const dataset& whole, double share, std::uint64_t seed) {
  std::vector<std::vector<std::uint32_t>> of_class(whole.num_classes());
  for (std::uint32_t id = 0; id < whole.num_samples(); ++id)
    of_class[static_cast<std::size_t>(whole.label(id))].push_back(id);
  split_ids out;
  for (std::size_t label = 0; label < of_class.size(); ++label) {
    auto& ids = of_class[label];
    const auto count = num_held_out(ids.size(), share);
    sample_rng rng(seed, 0, label, split_stream);
    draw_first(ids, count, rng);
    const auto middle = ids.begin() + static_cast<std::ptrdiff_t>(count);
    out.held_out.insert(out.held_out.end(), ids.begin(), middle);
    out.kept.insert(out.kept.end(), middle, ids.end());
  }
  std::sort(out.kept.begin(), out.kept.end());
  std::sort(out.held_out.begin(), out.held_out.end());
  return out;
}

} // namespace troupe
