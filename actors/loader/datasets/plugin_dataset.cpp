#include "actors/loader/datasets/plugin_dataset.hpp"

#include "actors/support/components/plugin_guard.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <utility>

namespace troupe {

namespace {

constexpr std::uint64_t max_samples = 0xFFFF'FFFF;
constexpr std::uint64_t typical_file_bytes = 100'000; ///< Said of files, whose sizes nobody knows.

/// What the source says of itself.
struct facts {
  std::uint64_t num_samples = 0;
  image_shape shape;
  std::vector<std::string> class_names;
  std::vector<std::uint32_t> labels;
  std::vector<float> weights; ///< Empty: all are 1.
  std::string fingerprint;
  bool reads_files = false;
};

[[noreturn]] void refuse(const std::string& what, const std::string& value, const std::string& wanted) {
  throw std::out_of_range(what + " is " + value + ", expected " + wanted);
}

std::uint64_t checked_size(std::uint64_t size) {
  if (size < 1 || size > max_samples)
    refuse("the number of samples", std::to_string(size), "1..4294967295");
  return size;
}

image_shape checked_shape(const image_shape& x) {
  const bool of_files = x.channels == 0 && x.height == 0 && x.width == 0;
  const bool of_pixels = x.channels >= 1 && x.channels <= 4 && x.fixed() && x.height <= max_image_side
                         && x.width <= max_image_side && x.bits == 8;
  if (!of_files && !of_pixels)
    refuse("the samples' shape", to_string(x) + " of " + std::to_string(x.bits) + " bits",
           "1..4 channels and sides of 1..32767 of 8 bits, or all 0 for image files");
  return x;
}

std::vector<std::string> checked_names(std::vector<std::string> names, const std::vector<std::string>& given) {
  if (names.size() < 2 || names.size() > max_samples)
    refuse("the number of class names", std::to_string(names.size()), "at least 2");
  const auto differs = std::mismatch(names.begin(), names.end(), given.begin(), given.end()).first;
  if (!given.empty() && names != given)
    refuse("the class names differ from those given: the number of them",
           std::to_string(names.size())
             + (differs == names.end() ? "" : ", the first that differs \"" + *differs + "\""),
           std::to_string(given.size()) + ", the same in that order");
  return names;
}

std::string checked_fingerprint(std::string text) {
  const bool is_word =
    !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7F; });
  if (!is_word)
    refuse("the fingerprint", '"' + text + '"', "one word");
  return text;
}

std::uint32_t checked_label(const data_source& source, std::uint64_t id, std::size_t num_classes) {
  const auto label = source.label(id);
  if (label < 0 || std::cmp_greater_equal(label, num_classes))
    refuse("the label of sample " + std::to_string(id), std::to_string(label), "0.." + std::to_string(num_classes - 1));
  return static_cast<std::uint32_t>(label);
}

float checked_weight(const data_source& source, std::uint64_t id) {
  const auto weight = source.weight(id);
  if (!(std::isfinite(weight) && weight > 0))
    refuse("the weight of sample " + std::to_string(id), std::to_string(weight), "a finite number above 0");
  return weight;
}

/// Throws for a value that cannot be.
facts ask(const data_source& source, const std::vector<std::string>& classes) {
  facts out;
  out.num_samples = checked_size(source.num_samples());
  out.shape = checked_shape(source.shape());
  out.class_names = checked_names(source.class_names(), classes);
  out.labels.reserve(out.num_samples);
  out.weights.reserve(out.num_samples);
  for (std::uint64_t id = 0; id < out.num_samples; ++id) {
    out.labels.push_back(checked_label(source, id, out.class_names.size()));
    out.weights.push_back(checked_weight(source, id));
  }
  if (std::all_of(out.weights.begin(), out.weights.end(), [](float x) { return x == 1; }))
    out.weights = {};
  out.fingerprint = checked_fingerprint(source.fingerprint());
  out.reads_files = source.reads_files();
  return out;
}

class plugin_dataset final : public dataset {
public:
  plugin_dataset(std::string name, std::unique_ptr<data_source> source, std::unique_ptr<plugin_guard> guard,
                 facts known)
    : name_(std::move(name)), source_(std::move(source)), guard_(std::move(guard)), facts_(std::move(known)) {}

  [[nodiscard]] std::uint64_t num_samples() const noexcept override { return facts_.num_samples; }
  [[nodiscard]] std::uint32_t channels() const noexcept override { return unsigned_of(facts_.shape.channels); }
  [[nodiscard]] std::uint32_t height() const noexcept override { return unsigned_of(facts_.shape.height); }
  [[nodiscard]] std::uint32_t width() const noexcept override { return unsigned_of(facts_.shape.width); }
  [[nodiscard]] std::uint32_t num_classes() const noexcept override {
    return static_cast<std::uint32_t>(facts_.class_names.size());
  }
  [[nodiscard]] const std::vector<std::string>& class_names() const noexcept override { return facts_.class_names; }
  [[nodiscard]] std::string fingerprint() const override { return name_ + ":" + facts_.fingerprint; }
  [[nodiscard]] std::uint64_t encoded_bytes(std::uint64_t) const noexcept override {
    return is_raw() ? facts_.shape.num_elements() : typical_file_bytes;
  }
  [[nodiscard]] std::int64_t label(std::uint64_t id) const noexcept override { return facts_.labels[id]; }
  [[nodiscard]] float weight(std::uint64_t id) const noexcept override {
    return facts_.weights.empty() ? 1 : facts_.weights[id];
  }
  [[nodiscard]] bool reads_files() const noexcept override { return facts_.reads_files; }

  [[nodiscard]] std::string sample_name(std::uint64_t id) const override {
    std::string name;
    const bool asked = guard_->enabled() && guard_->call(id, [&] { name = source_->sample_name(id); });
    return asked && !name.empty() ? name : name_ + "[" + std::to_string(id) + "]";
  }

  [[nodiscard]] expected<encoded_sample> read(std::uint64_t id) const override {
    if (id >= num_samples())
      return failure{ec::bad_data, "loader: sample " + std::to_string(id) + " of " + guard_->component()
                                     + " does not exist, expected an id below " + std::to_string(num_samples())};
    if (!guard_->enabled())
      return failure{ec::plugin_failed, "loader: " + guard_->component() + " is disabled, so it reads nothing"};
    const auto bytes = std::make_shared<std::vector<std::byte>>();
    if (auto ok = guard_->call(id, [&] { *bytes = source_->read(id); }); !ok)
      return of_loader(ok.error());
    if (is_raw() ? bytes->size() != facts_.shape.num_elements() : bytes->empty())
      return of_loader(guard_->failed(
        id, "read gave " + std::to_string(bytes->size()) + " bytes, expected "
              + (is_raw() ? std::to_string(facts_.shape.num_elements()) + " for " + to_string(facts_.shape)
                          : "those of an image file")));
    return encoded_sample{.id = id,
                          .label = label(id),
                          .format = is_raw() ? sample_format::raw_u8 : sample_format::image_file,
                          .weight = weight(id),
                          .channels = channels(),
                          .height = height(),
                          .width = width(),
                          .bytes = *bytes,
                          .owner = bytes};
  }

private:
  [[nodiscard]] static std::uint32_t unsigned_of(int x) noexcept { return static_cast<std::uint32_t>(x); }
  [[nodiscard]] static failure of_loader(const failure& x) { return {x.code, "loader: " + x.context}; }
  [[nodiscard]] bool is_raw() const noexcept { return facts_.shape.channels > 0; }

  std::string name_; ///< Of the component.
  std::unique_ptr<data_source> source_;
  std::unique_ptr<plugin_guard> guard_;
  facts facts_;
};

} // namespace

expected<std::unique_ptr<dataset>> open_plugin_dataset(const data_source_component& kind, const dataset_config& config,
                                                       const std::vector<std::string>& classes) {
  auto guard = std::make_unique<plugin_guard>(kind.plugin, "data set " + kind.name);
  std::unique_ptr<data_source> source;
  facts known;
  const auto asked = guard->call(no_sample, [&] {
    source = kind.make(config.options, classes);
    if (!source)
      throw std::runtime_error("made no data set");
    known = ask(*source, classes);
  });
  if (!asked)
    return failure{ec::bad_data, "loader: " + asked.error().context};
  return std::unique_ptr<dataset>(
    std::make_unique<plugin_dataset>(kind.name, std::move(source), std::move(guard), std::move(known)));
}

} // namespace troupe
