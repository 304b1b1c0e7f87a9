/// A data set of files in memory, and files to fill it with.
#pragma once

#include "actors/loader/datasets/dataset.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace troupe {

/// A file of the set; without bytes it cannot be read.
struct memory_file {
  std::string name;
  std::string bytes;
  std::int64_t label = 0;
};

class memory_dataset final : public dataset {
public:
  explicit memory_dataset(std::vector<memory_file> files, std::vector<std::string> classes = {"cat", "dog"})
    : files_(std::move(files)), classes_(std::move(classes)) {}

  [[nodiscard]] std::uint64_t num_samples() const noexcept override { return files_.size(); }
  [[nodiscard]] std::uint32_t channels() const noexcept override { return 0; }
  [[nodiscard]] std::uint32_t height() const noexcept override { return 0; }
  [[nodiscard]] std::uint32_t width() const noexcept override { return 0; }
  [[nodiscard]] std::uint32_t num_classes() const noexcept override {
    return static_cast<std::uint32_t>(classes_.size());
  }
  [[nodiscard]] const std::vector<std::string>& class_names() const noexcept override { return classes_; }
  [[nodiscard]] std::string fingerprint() const override { return "memory"; }
  [[nodiscard]] std::string sample_name(std::uint64_t id) const override { return files_[id].name; }
  [[nodiscard]] std::uint64_t encoded_bytes(std::uint64_t id) const noexcept override {
    return files_[id].bytes.size();
  }
  [[nodiscard]] std::int64_t label(std::uint64_t id) const noexcept override { return files_[id].label; }

  [[nodiscard]] expected<encoded_sample> read(std::uint64_t id) const override {
    const auto& file = files_[id];
    if (file.bytes.empty())
      return failure{ec::bad_data, "loader: " + file.name + ": empty file, expected an image"};
    encoded_sample out;
    out.id = id;
    out.label = file.label;
    out.format = sample_format::image_file;
    out.bytes = std::as_bytes(std::span{file.bytes});
    return out;
  }

private:
  std::vector<memory_file> files_;
  std::vector<std::string> classes_;
};

/// A PPM file of one colour.
[[nodiscard]] inline std::string ppm(int width, int height, unsigned char red, unsigned char green,
                                     unsigned char blue) {
  auto out = "P6\n" + std::to_string(width) + " " + std::to_string(height) + "\n255\n";
  for (int i = 0; i < width * height; ++i)
    for (const auto value : {red, green, blue})
      out += static_cast<char>(value);
  return out;
}

/// A PPM file in which all pixels differ, and from those of other numbers.
[[nodiscard]] inline std::string noisy_ppm(int width, int height, unsigned number) {
  auto out = "P6\n" + std::to_string(width) + " " + std::to_string(height) + "\n255\n";
  for (unsigned i = 0; i < static_cast<unsigned>(3 * width * height); ++i)
    out += static_cast<char>((i * 2654435761u + number * 40503u) >> 13);
  return out;
}

[[nodiscard]] inline std::string pgm(int width, int height, unsigned char value) {
  return "P5\n" + std::to_string(width) + " " + std::to_string(height) + "\n255\n"
         + std::string(static_cast<std::size_t>(width * height), static_cast<char>(value));
}

} // namespace troupe
