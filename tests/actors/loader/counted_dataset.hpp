/// A data set of image files that are not there: it counts who reads what.
#pragma once

#include "actors/loader/datasets/dataset.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace troupe::test {

/// Samples whose bytes all are their id; label id % 3, weight id + 0.5.
class counted_dataset final : public dataset {
public:
  explicit counted_dataset(std::uint64_t num_samples, std::set<std::uint64_t> unreadable = {})
    : num_reads(num_samples), unreadable_(std::move(unreadable)) {}

  static constexpr std::uint64_t sample_bytes = 100;
  mutable std::vector<std::atomic<int>> num_reads; ///< By id.

  [[nodiscard]] std::uint64_t num_samples() const noexcept override { return num_reads.size(); }
  [[nodiscard]] std::uint32_t channels() const noexcept override { return 0; }
  [[nodiscard]] std::uint32_t height() const noexcept override { return 0; }
  [[nodiscard]] std::uint32_t width() const noexcept override { return 0; }
  [[nodiscard]] std::uint32_t num_classes() const noexcept override { return 3; }
  [[nodiscard]] const std::vector<std::string>& class_names() const noexcept override { return names_; }
  [[nodiscard]] std::string fingerprint() const override { return "counted"; }
  [[nodiscard]] std::string sample_name(std::uint64_t id) const override { return std::to_string(id) + ".jpg"; }
  [[nodiscard]] std::uint64_t encoded_bytes(std::uint64_t) const noexcept override { return sample_bytes; }
  [[nodiscard]] std::int64_t label(std::uint64_t id) const noexcept override {
    return static_cast<std::int64_t>(id % 3);
  }
  [[nodiscard]] float weight(std::uint64_t id) const noexcept override { return static_cast<float>(id) + 0.5f; }
  [[nodiscard]] bool reads_files() const noexcept override { return true; }

  [[nodiscard]] expected<encoded_sample> read(std::uint64_t id) const override {
    ++num_reads[id];
    if (unreadable_.contains(id))
      return failure{ec::io_error, sample_name(id) + ": the disk says no"};
    auto bytes = std::make_shared<std::vector<std::byte>>(sample_bytes, static_cast<std::byte>(id));
    encoded_sample out;
    out.id = id;
    out.label = label(id);
    out.weight = weight(id);
    out.format = sample_format::image_file;
    out.bytes = *bytes;
    out.owner = std::move(bytes);
    return out;
  }

private:
  std::set<std::uint64_t> unreadable_;
  std::vector<std::string> names_;
};

} // namespace troupe::test
