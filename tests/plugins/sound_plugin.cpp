// One component of each kind, none with a fault.
#include "actors/plugin.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>

namespace {

using namespace troupe;

/// Halves pixels, or not.
class halve : public sample_transform {
public:
  halve(double p, const image_shape& input) : p_(p), shape_(input) {}

  [[nodiscard]] image_shape output_shape() const override { return shape_; }

  void apply(cv::Mat& image, transform_context& context) const override {
    const bool wanted = context.rng.uniform() < p_;
    if (context.note != nullptr)
      *context.note = wanted ? "halved" : "left alone";
    for (int y = 0; wanted && y < image.rows; ++y)
      for (auto* x = image.ptr(y); x < image.ptr(y) + static_cast<std::size_t>(image.cols) * image.elemSize(); ++x)
        *x /= 2;
  }

private:
  double p_;
  image_shape shape_;
};

/// Adds one number to a batch.
class shift : public batch_transform {
public:
  void apply(const batch_pixels& batch, sample_rng& rng) const override {
    const auto by = static_cast<float>(rng.uniform());
    for (auto& x : batch.pixels)
      x += by;
  }
};

/// `size` grey pictures of 2 x 2.
class ramp : public data_source {
public:
  explicit ramp(std::int64_t size) : size_(static_cast<std::uint64_t>(size)) {}

  [[nodiscard]] std::uint64_t num_samples() const override { return size_; }
  [[nodiscard]] image_shape shape() const override { return {1, 2, 2, 8}; }
  [[nodiscard]] std::vector<std::string> class_names() const override { return {"even", "odd"}; }
  [[nodiscard]] std::int64_t label(std::uint64_t id) const override { return static_cast<std::int64_t>(id % 2); }
  [[nodiscard]] std::string sample_name(std::uint64_t id) const override { return "ramp " + std::to_string(id); }
  [[nodiscard]] std::string fingerprint() const override { return "ramp-" + std::to_string(size_); }
  [[nodiscard]] std::vector<std::byte> read(std::uint64_t id) const override {
    return std::vector<std::byte>(4, static_cast<std::byte>(id));
  }

private:
  std::uint64_t size_;
};

/// Files "TINY", width, height, pixels.
class tiny : public sample_decoder {
public:
  [[nodiscard]] std::vector<std::string> extensions() const override { return {"tiny"}; }
  [[nodiscard]] bool recognises(std::span<const std::byte> bytes) const override {
    return bytes.size() >= 6 && std::memcmp(bytes.data(), "TINY", 4) == 0;
  }
  [[nodiscard]] image_shape shape(std::span<const std::byte> bytes) const override {
    return {1, std::to_integer<int>(bytes[5]), std::to_integer<int>(bytes[4]), 8};
  }
  void decode(std::span<const std::byte> bytes, cv::Mat& image) const override {
    if (bytes.size() != 6 + image.total())
      throw std::runtime_error("wrong size");
    std::copy(bytes.begin() + 6, bytes.end(), reinterpret_cast<std::byte*>(image.data));
  }
};

/// Mean of the label's logit.
class mean_logit : public validation_metric {
public:
  void begin() override { sum_ = count_ = 0; }
  void add(std::span<const float> logits, std::int64_t label) override {
    sum_ += static_cast<double>(logits[static_cast<std::size_t>(label)]);
    ++count_;
  }
  [[nodiscard]] double value() const override { return sum_ / std::max(count_, 1.0); }

private:
  double sum_ = 0;
  double count_ = 0;
};

class step_list : public log_sink {
public:
  explicit step_list(const std::string& folder) : out_(folder + "/steps.txt") {}
  void metrics(const step_completed& x) override { out_ << x.step << "\n"; }

private:
  std::ofstream out_;
};

} // namespace

TROUPE_PLUGIN(sound, "1.2") {
  plugin.transform("halve", "Halves light.", {param::number("p", 0.5, 0, 1, "Probability.")},
                   [](const parameters& values, const image_shape& input) {
                     return std::make_unique<halve>(values.number("p"), input);
                   });
  plugin.batch_transform("shift", "Adds a number.", {}, [](const auto&) { return std::make_unique<shift>(); });
  plugin.data_source("ramp", "Rising greys.", {param::whole("size", 32, 1, 255, "Samples.").in("samples")},
                     [](const auto& values, const auto&) { return std::make_unique<ramp>(values.whole("size")); });
  plugin.decoder("tiny", "Small files.", {}, [](const auto&) { return std::make_unique<tiny>(); });
  plugin.metric("mean_logit", "Mean logit.", {}, [](const auto&, auto) { return std::make_unique<mean_logit>(); });
  plugin.log_sink("step_list", "Lists steps.", {},
                  [](const auto&, const auto& context) { return std::make_unique<step_list>(context.folder); });
}
