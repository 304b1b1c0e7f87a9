#include "actors/loader/datasets/cifar_dataset.hpp"

#include "actors/loader/datasets/byte_file.hpp"
#include "actors/loader/datasets/class_table.hpp"
#include "actors/loader/datasets/file_names.hpp"
#include "actors/loader/datasets/fingerprint.hpp"
#include "actors/loader/datasets/sample_file.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace troupe {

namespace {

constexpr std::uint32_t side = 32;
constexpr std::uint32_t num_channels = 3;
constexpr std::size_t plane_bytes = side * side;
constexpr std::size_t image_bytes = num_channels * plane_bytes;

/// What tells the two data sets apart.
struct layout {
  std::size_t label_bytes; ///< Before each image; the last of them counts.
  std::size_t num_classes;
  const char* names_file;
  std::vector<std::string> training_files;
};

layout layout_of(const std::string& dataset) {
  if (dataset == "cifar100")
    return {2, 100, "fine_label_names.txt", {"train.bin"}};
  return {1,
          10,
          "batches.meta.txt",
          {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin", "data_batch_5.bin"}};
}

/// The samples of all files, one behind the other.
struct cifar_samples {
  std::vector<std::byte> pixels; ///< height x width x channels each.
  std::vector<std::uint32_t> labels;
  std::vector<std::string> files;       ///< As the config names them.
  std::vector<std::uint64_t> file_ends; ///< Number of samples up to and with each file.

  [[nodiscard]] std::string name(std::uint64_t id) const {
    const auto file = std::upper_bound(file_ends.begin(), file_ends.end(), id) - file_ends.begin();
    if (file == static_cast<std::ptrdiff_t>(files.size()))
      return "cifar[" + std::to_string(id) + "]";
    const auto at = static_cast<std::size_t>(file);
    return printable_path(files[at]) + "[" + std::to_string(id - (at == 0 ? 0 : file_ends[at - 1])) + "]";
  }
};

class cifar_dataset final : public dataset {
public:
  cifar_dataset(cifar_samples samples, class_table classes, std::string fingerprint)
    : samples_(std::make_shared<const cifar_samples>(std::move(samples))), classes_(std::move(classes)),
      fingerprint_(std::move(fingerprint)) {}

  [[nodiscard]] std::uint64_t num_samples() const noexcept override { return samples_->labels.size(); }
  [[nodiscard]] std::uint32_t channels() const noexcept override { return num_channels; }
  [[nodiscard]] std::uint32_t height() const noexcept override { return side; }
  [[nodiscard]] std::uint32_t width() const noexcept override { return side; }
  [[nodiscard]] std::uint32_t num_classes() const noexcept override { return classes_.num_classes; }
  [[nodiscard]] const std::vector<std::string>& class_names() const noexcept override { return classes_.names; }
  [[nodiscard]] std::string fingerprint() const override { return fingerprint_; }
  [[nodiscard]] std::string sample_name(std::uint64_t id) const override { return samples_->name(id); }
  [[nodiscard]] std::uint64_t encoded_bytes(std::uint64_t) const noexcept override { return image_bytes; }
  [[nodiscard]] std::int64_t label(std::uint64_t id) const noexcept override { return samples_->labels[id]; }
  [[nodiscard]] const std::vector<std::string>& notices() const noexcept override { return classes_.notices; }

  [[nodiscard]] expected<encoded_sample> read(std::uint64_t id) const override {
    if (id >= num_samples())
      return failure{ec::bad_data, "loader: " + sample_name(id) + " does not exist, expected an id below "
                                     + std::to_string(num_samples())};
    return encoded_sample{.id = id,
                          .label = label(id),
                          .format = sample_format::raw_u8,
                          .channels = num_channels,
                          .height = side,
                          .width = side,
                          .bytes = std::span(samples_->pixels).subspan(id * image_bytes, image_bytes),
                          .owner = samples_};
  }

private:
  std::shared_ptr<const cifar_samples> samples_;
  class_table classes_;
  std::string fingerprint_;
};

/// The file has a plane of red, one of green, one of blue; we have the three side by side.
void add_pixels(std::span<const std::byte> planes, std::vector<std::byte>& pixels) {
  const auto start = pixels.size();
  pixels.resize(start + image_bytes);
  for (std::size_t channel = 0; channel < num_channels; ++channel)
    for (std::size_t i = 0; i < plane_bytes; ++i)
      pixels[start + i * num_channels + channel] = planes[channel * plane_bytes + i];
}

expected<void> add_file(const std::string& path, const layout& form, cifar_samples& out) {
  auto file = byte_file::open(path);
  if (!file)
    return std::move(file).error();
  const auto record_bytes = form.label_bytes + image_bytes;
  std::vector<std::byte> record(record_bytes);
  for (std::uint64_t i = 0;; ++i) {
    auto size = file->read(record);
    if (!size)
      return std::move(size).error();
    const auto total = std::to_string(i * record_bytes + *size);
    if (*size == 0 && i > 0)
      return {};
    if (*size != record_bytes)
      return failure{ec::bad_data, "loader: " + printable_path(path) + ": has " + total
                                     + " bytes, expected a multiple of " + std::to_string(record_bytes)
                                     + ", the size of a sample (binary version of the data set)"};
    const auto label = std::to_integer<std::uint32_t>(record[form.label_bytes - 1]);
    if (label >= form.num_classes)
      return failure{ec::bad_data, "loader: " + printable_path(path) + ": sample " + std::to_string(i) + " has label "
                                     + std::to_string(label) + ", expected a label below "
                                     + std::to_string(form.num_classes) + ", the number of classes"};
    out.labels.push_back(label);
    add_pixels(std::span(record).subspan(form.label_bytes), out.pixels);
  }
}

/// Returns the lines of the file of names; none if there is no such file.
expected<std::vector<std::string>> read_names(const std::string& path, std::size_t num_classes) {
  std::vector<std::string> names;
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    return names;
  const auto file = read_sample_file(path);
  if (!file)
    return file.error();
  std::string_view text(reinterpret_cast<const char*>(file->bytes.data()), file->bytes.size());
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    const auto end = line.find_last_not_of(" \t\r");
    if (end != std::string_view::npos)
      names.emplace_back(line.substr(0, end + 1));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  if (names.size() != num_classes)
    return failure{ec::bad_data, "loader: " + printable_path(path) + ": has " + std::to_string(names.size())
                                   + " names, expected " + std::to_string(num_classes) + ", one for each class"};
  return names;
}

/// Labels by name where the file's names are known and are those of the config; else the file's ids.
expected<class_table> classes_of(cifar_samples& samples, const std::vector<std::string>& names,
                                 const std::vector<std::string>& given, const layout& form, const std::string& source) {
  const auto is_given = [&given](const std::string& name) {
    return std::find(given.begin(), given.end(), name) != given.end();
  };
  const bool by_name = !names.empty() && (given.empty() || std::any_of(names.begin(), names.end(), is_given));
  std::vector<std::string> texts;
  for (std::size_t id = 0; id < form.num_classes; ++id)
    texts.push_back(by_name ? names[id] : std::to_string(id));
  label_list labels;
  for (const auto& text : texts)
    if (given.empty()) // All classes are there, also those without samples.
      labels.add(text, 0);
  for (auto label : samples.labels)
    labels.push_back(texts[label]);
  // Without a table, the order of the file's names is the table.
  auto table =
    make_class_table(labels, by_name ? label_style::names : label_style::names_or_ids, given.empty() ? names : given,
                     source, [&samples](std::uint64_t id) { return samples.name(id); });
  for (std::size_t i = 0; table && i < samples.labels.size(); ++i)
    samples.labels[i] = table->ids[labels.of_samples()[i]];
  return table;
}

} // namespace

expected<std::unique_ptr<dataset>> open_cifar_dataset(const dataset_config& config,
                                                      const std::vector<std::string>& classes) {
  const auto form = layout_of(config.dataset);
  cifar_samples samples;
  samples.files = config.files.empty() ? form.training_files : config.files;
  for (const auto& name : samples.files) {
    if (auto ok = add_file(absolute_path(config.root, name), form, samples); !ok)
      return ok.error();
    samples.file_ends.push_back(samples.labels.size());
  }
  const auto first_path = absolute_path(config.root, samples.files.front());
  const auto folder = std::filesystem::path(first_path).parent_path();
  const auto names = read_names((folder / form.names_file).string(), form.num_classes);
  if (!names)
    return names.error();
  auto table = classes_of(samples, *names, classes, form, first_path);
  if (!table)
    return std::move(table).error();
  auto fingerprint = fingerprint_builder()
                       .add(table->names)
                       .add(samples.labels)
                       .add(samples.pixels)
                       .finish(config.dataset, samples.labels.size(), table->num_classes);
  return std::unique_ptr<dataset>(
    std::make_unique<cifar_dataset>(std::move(samples), std::move(*table), std::move(fingerprint)));
}

} // namespace troupe
