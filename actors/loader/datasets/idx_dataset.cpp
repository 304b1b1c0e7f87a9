#include "actors/loader/datasets/idx_dataset.hpp"

#include "actors/loader/datasets/idx_file.hpp"
#include "actors/support/crc32c.hpp"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <utility>

namespace troupe {

namespace {

class idx_dataset final : public dataset {
public:
  idx_dataset(std::string name, idx_file images, idx_file labels, std::uint32_t num_classes,
              std::vector<std::string> classes)
    : name_(std::move(name)), height_(images.shape[1]), width_(images.shape[2]), num_classes_(num_classes),
      classes_(std::move(classes)), labels_(std::move(labels.bytes)),
      pixels_(std::make_shared<const std::vector<std::byte>>(std::move(images.bytes))), fingerprint_(describe()) {}

  [[nodiscard]] std::uint64_t num_samples() const noexcept override { return labels_.size(); }
  [[nodiscard]] std::uint32_t channels() const noexcept override { return 1; }
  [[nodiscard]] std::uint32_t height() const noexcept override { return height_; }
  [[nodiscard]] std::uint32_t width() const noexcept override { return width_; }
  [[nodiscard]] std::uint32_t num_classes() const noexcept override { return num_classes_; }
  [[nodiscard]] const std::vector<std::string>& class_names() const noexcept override { return classes_; }
  [[nodiscard]] std::string fingerprint() const override { return fingerprint_; }
  [[nodiscard]] std::string sample_name(std::uint64_t id) const override {
    return name_ + "[" + std::to_string(id) + "]";
  }
  [[nodiscard]] std::uint64_t encoded_bytes(std::uint64_t) const noexcept override {
    return std::uint64_t{height_} * width_;
  }
  [[nodiscard]] std::int64_t label(std::uint64_t id) const noexcept override {
    return std::to_integer<std::int64_t>(labels_[id]);
  }

  [[nodiscard]] expected<encoded_sample> read(std::uint64_t id) const override {
    if (id >= num_samples())
      return failure{ec::bad_data, "loader: " + sample_name(id) + " does not exist, expected an id below "
                                     + std::to_string(num_samples())};
    const auto size = encoded_bytes(id);
    return encoded_sample{.id = id,
                          .label = label(id),
                          .format = sample_format::raw_u8,
                          .channels = 1,
                          .height = height_,
                          .width = width_,
                          .bytes = std::span(*pixels_).subspan(id * size, size),
                          .owner = pixels_};
  }

private:
  [[nodiscard]] std::string describe() const {
    std::array<char, 128> text{};
    std::snprintf(text.data(), text.size(),
                  "idx:%" PRIu64 "x1x%" PRIu32 "x%" PRIu32 ":classes=%" PRIu32 ":images=%08" PRIx32
                  ":labels=%08" PRIx32,
                  num_samples(), height_, width_, num_classes_, crc32c(*pixels_), crc32c(labels_));
    return text.data();
  }

  std::string name_;
  std::uint32_t height_;
  std::uint32_t width_;
  std::uint32_t num_classes_;
  std::vector<std::string> classes_;
  std::vector<std::byte> labels_;
  std::shared_ptr<const std::vector<std::byte>> pixels_;
  std::string fingerprint_; // Last: made of the others.
};

expected<void> check_labels(const std::string& path, const std::vector<std::byte>& labels, std::size_t num_classes) {
  const auto bad = std::find_if(labels.begin(), labels.end(),
                                [=](std::byte label) { return std::to_integer<std::size_t>(label) >= num_classes; });
  if (bad == labels.end())
    return {};
  return failure{ec::bad_data, "loader: " + path + ": sample " + std::to_string(bad - labels.begin()) + " has label "
                                 + std::to_string(std::to_integer<int>(*bad)) + ", expected a label below "
                                 + std::to_string(num_classes) + ", the number of classes"};
}

void keep_first(idx_file& file, std::uint64_t num_samples) {
  file.bytes.resize(file.bytes.size() / file.shape[0] * num_samples);
  file.bytes.shrink_to_fit();
  file.shape[0] = static_cast<std::uint32_t>(num_samples);
}

} // namespace

expected<std::unique_ptr<dataset>> open_idx_dataset(const dataset_config& config,
                                                    const std::vector<std::string>& classes) {
  if (config.images.empty() || config.labels.empty())
    return failure{ec::bad_config, std::string("loader: data set \"idx\" has no `")
                                     + (config.images.empty() ? "images" : "labels")
                                     + "`, expected the path of a file"};
  const auto images_path = std::filesystem::path(config.root) / config.images;
  const auto labels_path = std::filesystem::path(config.root) / config.labels;
  auto images = read_idx(images_path, idx_kind::images);
  if (!images)
    return std::move(images).error();
  auto labels = read_idx(labels_path, idx_kind::labels);
  if (!labels)
    return std::move(labels).error();
  if (images->shape[0] != labels->shape[0])
    return failure{ec::mismatch, "loader: " + images_path.string() + " has " + std::to_string(images->shape[0])
                                   + " images, but " + labels_path.string() + " has " + std::to_string(labels->shape[0])
                                   + " labels; expected as many"};
  const auto highest = std::to_integer<std::size_t>(*std::max_element(labels->bytes.begin(), labels->bytes.end()));
  const auto num_classes = classes.empty() ? highest + 1 : classes.size();
  if (auto ok = check_labels(labels_path.string(), labels->bytes, num_classes); !ok)
    return ok.error();
  if (config.limit > 0 && config.limit < labels->shape[0]) {
    keep_first(*images, config.limit);
    keep_first(*labels, config.limit);
  }
  return std::unique_ptr<dataset>(std::make_unique<idx_dataset>(config.images, std::move(*images), std::move(*labels),
                                                                static_cast<std::uint32_t>(num_classes), classes));
}

} // namespace troupe
