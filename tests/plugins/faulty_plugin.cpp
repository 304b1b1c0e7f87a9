// Components with a fault each.
#include "actors/plugin.hpp"

#include <csignal>
#include <stdexcept>
#include <string>

namespace {

using namespace troupe;

struct own_type {};

/// Throws, in turns, all that can be thrown.
[[noreturn]] void fail() {
  static int turn = 0;
  switch (turn++ % 3) {
  case 0:
    throw std::runtime_error("out of order");
  case 1:
    throw 7;
  default:
    throw own_type{};
  }
}

class transform_base : public sample_transform {
public:
  explicit transform_base(const image_shape& input) : shape(input) {}
  [[nodiscard]] image_shape output_shape() const override { return shape; }
  image_shape shape;
};

struct thrower : transform_base {
  using transform_base::transform_base;
  void apply(cv::Mat&, transform_context&) const override { fail(); }
};

struct forgetful : transform_base {
  using transform_base::transform_base;
  mutable unsigned char calls = 0;
  void apply(cv::Mat& image, transform_context&) const override { image.data[0] = calls++; }
};

struct shrinker : transform_base {
  using transform_base::transform_base;
  void apply(cv::Mat& image, transform_context&) const override { image = image.rowRange(0, 1).clone(); }
};

struct scribbler : transform_base {
  using transform_base::transform_base;
  void apply(cv::Mat& image, transform_context&) const override { image.data[image.total() * image.elemSize()] = 0; }
};

struct crasher : transform_base {
  using transform_base::transform_base;
  void apply(cv::Mat&, transform_context&) const override { std::raise(SIGSEGV); }
};

struct batch_thrower : batch_transform {
  void apply(const batch_pixels&, sample_rng&) const override { fail(); }
};

struct nan_maker : batch_transform {
  void apply(const batch_pixels& batch, sample_rng&) const override {
    batch.pixels[0] = std::numeric_limits<float>::quiet_NaN();
  }
};

struct bad_source : data_source {
  [[nodiscard]] std::uint64_t num_samples() const override { return 4; }
  [[nodiscard]] image_shape shape() const override { return {1, 2, 2, 8}; }
  [[nodiscard]] std::vector<std::string> class_names() const override { return {"a", "b"}; }
  [[nodiscard]] std::int64_t label(std::uint64_t id) const override { return static_cast<std::int64_t>(id); }
  [[nodiscard]] std::string sample_name(std::uint64_t) const override { fail(); }
  [[nodiscard]] std::string fingerprint() const override { return "two words"; }
  [[nodiscard]] std::vector<std::byte> read(std::uint64_t) const override { return std::vector<std::byte>(3); }
};

struct greedy : sample_decoder {
  [[nodiscard]] std::vector<std::string> extensions() const override { return {"*.Any"}; }
  [[nodiscard]] bool recognises(std::span<const std::byte>) const override { return true; }
  [[nodiscard]] image_shape shape(std::span<const std::byte>) const override { return {2, 0, 9, 8}; }
  void decode(std::span<const std::byte>, cv::Mat&) const override { fail(); }
};

struct sum : validation_metric {
  double total = 0;
  void begin() override {}
  void add(std::span<const float> logits, std::int64_t) override { total += static_cast<double>(logits[0]); }
  [[nodiscard]] double value() const override { return total; }
};

struct metric_thrower : validation_metric {
  void begin() override { fail(); }
  void add(std::span<const float>, std::int64_t) override { fail(); }
  [[nodiscard]] double value() const override { fail(); }
};

struct sink_thrower : log_sink {
  void metrics(const step_completed&) override { fail(); }
  void validation(const validation_report&) override { fail(); }
  void told(const notice&) override { fail(); }
  void close(bool) override { fail(); }
};

template <class Transform>
void add(plugin& to, const std::string& name) {
  to.transform(name, "", {}, [](const auto&, const auto& input) { return std::make_unique<Transform>(input); });
}

} // namespace

TROUPE_PLUGIN(faulty, "1.0") {
  plugin.transform("unmakeable", "", {},
                   [](const auto&, const auto&) -> std::unique_ptr<sample_transform> { throw own_type{}; });
  plugin.transform("nobody", "", {}, [](const auto&, const auto&) { return nullptr; });
  add<thrower>(plugin, "thrower");
  add<forgetful>(plugin, "forgetful");
  add<shrinker>(plugin, "shrinker");
  add<scribbler>(plugin, "scribbler");
  add<crasher>(plugin, "crasher");
  plugin.batch_transform("batch_thrower", "", {}, [](const auto&) { return std::make_unique<batch_thrower>(); });
  plugin.batch_transform("nan_maker", "", {}, [](const auto&) { return std::make_unique<nan_maker>(); });
  plugin.data_source("bad_source", "", {}, [](const auto&, const auto&) { return std::make_unique<bad_source>(); });
  plugin.decoder("greedy", "", {}, [](const auto&) { return std::make_unique<greedy>(); });
  plugin.metric("sum", "", {}, [](const auto&, auto) { return std::make_unique<sum>(); });
  plugin.metric("metric_thrower", "", {}, [](const auto&, auto) { return std::make_unique<metric_thrower>(); });
  plugin.log_sink("sink_thrower", "", {}, [](const auto&, const auto&) { return std::make_unique<sink_thrower>(); });
}
