#include "actors/loader/pixel_cache.hpp"

#include "actors/loader/disk_cache.hpp"

#include <unordered_map>
#include <utility>

namespace troupe {

namespace {

class memory_cache final : public pixel_cache {
public:
  explicit memory_cache(std::uint64_t max_bytes) : max_bytes_(max_bytes) {}

  [[nodiscard]] fetcher find(std::uint64_t id) const override {
    const auto it = samples_.find(id);
    if (it == samples_.end())
      return {};
    return [kept = it->second](encoded_sample& sample) {
      sample.format = sample_format::cached_u8;
      sample.channels = kept->channels;
      sample.height = kept->height;
      sample.width = kept->width;
      sample.bytes = kept->bytes;
      sample.owner = kept;
      return true;
    };
  }

  void put(const decoded_sample& sample) override {
    if (full_ || samples_.contains(sample.id))
      return;
    if (num_bytes_ + sample.bytes.size() > max_bytes_) {
      full_ = true;
      return;
    }
    num_bytes_ += sample.bytes.size();
    samples_.emplace(sample.id, std::make_shared<const decoded_sample>(sample));
  }

  [[nodiscard]] bool takes_more() const noexcept override { return !full_; }
  [[nodiscard]] std::uint64_t num_samples() const noexcept override { return samples_.size(); }
  [[nodiscard]] std::uint64_t num_bytes() const noexcept override { return num_bytes_; }

private:
  std::uint64_t max_bytes_;
  std::uint64_t num_bytes_ = 0;
  bool full_ = false;
  std::unordered_map<std::uint64_t, std::shared_ptr<const decoded_sample>> samples_;
};

} // namespace

expected<std::shared_ptr<pixel_cache>> pixel_cache::open(const cache_config& config, const std::string& identity) {
  switch (config.mode) {
  case cache_mode::none:
    break;
  case cache_mode::memory:
    return std::shared_ptr<pixel_cache>(std::make_shared<memory_cache>(config.max_bytes));
  case cache_mode::disk:
    return open_disk_cache(config, identity);
  }
  return std::shared_ptr<pixel_cache>{};
}

} // namespace troupe
