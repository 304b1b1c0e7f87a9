#include "actors/loader/datasets/synthetic_dataset.hpp"

#include "actors/support/rng.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <utility>

namespace troupe {

namespace {

constexpr std::uint32_t max_side = 256;
constexpr int grid = 6; ///< A pattern is a grid x grid raster of random greys per channel, smoothly enlarged.
constexpr std::uint64_t pattern_seed = 0x74726F757065;
constexpr std::uint32_t label_stream = sample_rng::first_reserved_stream + 1;
constexpr std::uint32_t pixel_stream = sample_rng::first_reserved_stream + 2;

using pattern = std::array<int, grid * grid>; ///< 0..255

/// Between which two cells of the raster a row or column of pixels lies. All in integers: no machine rounds differently.
struct place {
  int cell = 0;   ///< 0..grid - 2
  int weight = 0; ///< 0..256: share of cell + 1.
};

using axis = std::array<place, max_side>;

axis make_axis(int num_pixels, int shift) {
  axis result;
  for (int i = 0; i < num_pixels; ++i) {
    const int centre = (2 * (i + shift) + 1) * grid * 128 / num_pixels - 128;
    const int position = std::clamp(centre, 0, (grid - 1) * 256);
    const int cell = std::min(position / 256, grid - 2);
    result[static_cast<std::size_t>(i)] = {cell, position - 256 * cell};
  }
  return result;
}

int draw_shift(sample_rng& rng, std::uint32_t num_pixels) {
  const auto reach = num_pixels / 8;
  return static_cast<int>(rng.below(2 * reach + 1)) - static_cast<int>(reach);
}

/// Even noise of -48..48, four to a draw.
class noise_source {
public:
  explicit noise_source(sample_rng& rng) noexcept : rng_(rng) {}

  int next() noexcept {
    if (num_left_ == 0) {
      bits_ = rng_.bits();
      num_left_ = 4;
    }
    const auto byte = static_cast<int>(bits_ & 0xFF);
    bits_ >>= 8;
    --num_left_;
    return byte * 97 / 256 - 48;
  }

private:
  sample_rng& rng_;
  std::uint32_t bits_ = 0;
  int num_left_ = 0;
};

class synthetic_dataset final : public dataset {
public:
  synthetic_dataset(const dataset_config& config, std::vector<std::string> classes)
    : num_samples_(config.limit == 0 ? config.size : std::min(config.size, config.limit)), seed_(config.seed),
      channels_(static_cast<std::uint32_t>(config.shape[0])), height_(static_cast<std::uint32_t>(config.shape[1])),
      width_(static_cast<std::uint32_t>(config.shape[2])), num_classes_(static_cast<std::uint32_t>(config.num_classes)),
      classes_(std::move(classes)) {
    for (std::uint32_t label = 0; label < num_classes_; ++label) {
      sample_rng rng(pattern_seed, 0, label, pixel_stream);
      for (std::uint32_t channel = 0; channel < channels_; ++channel)
        for (auto& grey : patterns_.emplace_back())
          grey = static_cast<int>(rng.below(256));
    }
  }

  [[nodiscard]] std::uint64_t num_samples() const noexcept override { return num_samples_; }
  [[nodiscard]] std::uint32_t channels() const noexcept override { return channels_; }
  [[nodiscard]] std::uint32_t height() const noexcept override { return height_; }
  [[nodiscard]] std::uint32_t width() const noexcept override { return width_; }
  [[nodiscard]] std::uint32_t num_classes() const noexcept override { return num_classes_; }
  [[nodiscard]] const std::vector<std::string>& class_names() const noexcept override { return classes_; }
  [[nodiscard]] std::string fingerprint() const override {
    return "synthetic-1:" + std::to_string(num_samples_) + "x" + std::to_string(channels_) + "x"
           + std::to_string(height_) + "x" + std::to_string(width_) + ":classes=" + std::to_string(num_classes_)
           + ":seed=" + std::to_string(seed_);
  }
  [[nodiscard]] std::string sample_name(std::uint64_t id) const override {
    return "synthetic[" + std::to_string(id) + "]";
  }
  [[nodiscard]] std::uint64_t encoded_bytes(std::uint64_t) const noexcept override {
    return std::uint64_t{channels_} * height_ * width_;
  }
  [[nodiscard]] std::int64_t label(std::uint64_t id) const noexcept override { return label_of(id); }

  [[nodiscard]] expected<encoded_sample> read(std::uint64_t id) const override {
    if (id >= num_samples_)
      return failure{ec::bad_data, "loader: " + sample_name(id) + " does not exist, expected an id below "
                                     + std::to_string(num_samples_)};
    const auto size = encoded_bytes(id);
    const auto label = label_of(id);
    auto pixels = std::make_shared_for_overwrite<std::byte[]>(size);
    draw(id, label, pixels.get());
    return encoded_sample{.id = id,
                          .label = label,
                          .format = sample_format::raw_u8,
                          .channels = channels_,
                          .height = height_,
                          .width = width_,
                          .bytes = {pixels.get(), size},
                          .owner = pixels};
  }

private:
  /// The n-th round of the classes goes through them in the order offset, offset + stride, ... modulo their number.
  [[nodiscard]] std::uint32_t label_of(std::uint64_t id) const noexcept {
    sample_rng rng(seed_, 0, id / num_classes_, label_stream);
    const auto offset = rng.below(num_classes_);
    auto stride = 1 + rng.below(num_classes_ - 1);
    while (std::gcd(stride, num_classes_) != 1)
      stride = 1 + rng.below(num_classes_ - 1);
    return static_cast<std::uint32_t>((offset + stride * (id % num_classes_)) % num_classes_);
  }

  void draw(std::uint64_t id, std::uint32_t label, std::byte* out) const {
    sample_rng rng(seed_, 0, id, pixel_stream);
    const auto rows = make_axis(static_cast<int>(height_), draw_shift(rng, height_));
    const auto columns = make_axis(static_cast<int>(width_), draw_shift(rng, width_));
    const int contrast = 128 + static_cast<int>(rng.below(129));
    noise_source noise(rng);
    std::array<std::array<int, grid>, 3> lines{};
    for (std::uint32_t y = 0; y < height_; ++y) {
      for (std::uint32_t channel = 0; channel < channels_; ++channel)
        lines[channel] = line_of(patterns_[label * channels_ + channel], rows[y]);
      for (std::uint32_t x = 0; x < width_; ++x)
        for (std::uint32_t channel = 0; channel < channels_; ++channel) {
          const auto* cells = lines[channel].data() + columns[x].cell;
          const int grey = (cells[0] * (256 - columns[x].weight) + cells[1] * columns[x].weight) >> 16;
          const int shade = 128 + (grey - 128) * contrast / 256 + noise.next();
          *out++ = static_cast<std::byte>(std::clamp(shade, 0, 255));
        }
    }
  }

  /// One row of the raster at `where`, times 256.
  static std::array<int, grid> line_of(const pattern& raster, place where) {
    std::array<int, grid> line;
    const auto* cells = raster.data() + grid * where.cell;
    for (std::size_t i = 0; i < grid; ++i)
      line[i] = cells[i] * (256 - where.weight) + cells[i + grid] * where.weight;
    return line;
  }

  std::uint64_t num_samples_;
  std::uint64_t seed_;
  std::uint32_t channels_;
  std::uint32_t height_;
  std::uint32_t width_;
  std::uint32_t num_classes_;
  std::vector<std::string> classes_;
  std::vector<pattern> patterns_; ///< [class x channel]
};

failure bad(const std::string& field, std::int64_t value, const std::string& wanted) {
  return {ec::bad_config,
          "loader: synthetic data set: " + field + " is " + std::to_string(value) + ", expected " + wanted};
}

expected<void> check(const dataset_config& config, std::size_t num_names) {
  const auto& shape = config.shape;
  if (shape.size() != 3)
    return bad("number of extents in `shape`", static_cast<std::int64_t>(shape.size()), "3: channels, height, width");
  if (shape[0] != 1 && shape[0] != 3)
    return bad("shape[0] (channels)", shape[0], "1 or 3");
  for (std::size_t i : {1u, 2u})
    if (shape[i] < 8 || shape[i] > max_side)
      return bad(i == 1 ? "shape[1] (height)" : "shape[2] (width)", shape[i], "8..256");
  if (config.num_classes < 2 || config.num_classes > 1000)
    return bad("num_classes", config.num_classes, "2..1000");
  if (config.size == 0 || config.size > 0xFFFF'FFFF)
    return failure{ec::bad_config,
                   "loader: synthetic data set: size is " + std::to_string(config.size) + ", expected 1..4294967295"};
  if (num_names != 0 && num_names != static_cast<std::size_t>(config.num_classes))
    return failure{ec::mismatch, "loader: synthetic data set: num_classes is " + std::to_string(config.num_classes)
                                   + ", but there are " + std::to_string(num_names) + " class names; expected as many"};
  return {};
}

} // namespace

expected<std::unique_ptr<dataset>> open_synthetic_dataset(const dataset_config& config,
                                                          const std::vector<std::string>& classes) {
  if (auto ok = check(config, classes.size()); !ok)
    return ok.error();
  return std::unique_ptr<dataset>(std::make_unique<synthetic_dataset>(config, classes));
}

} // namespace troupe
