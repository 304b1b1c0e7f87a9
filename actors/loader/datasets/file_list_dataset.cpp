#include "actors/loader/datasets/file_list_dataset.hpp"

#include "actors/loader/datasets/file_names.hpp"
#include "actors/loader/datasets/sample_file.hpp"

#include <utility>

namespace troupe {

namespace {

class file_list_dataset final : public dataset {
public:
  explicit file_list_dataset(file_list list) : list_(std::move(list)) {}

  [[nodiscard]] std::uint64_t num_samples() const noexcept override { return list_.files.size(); }
  [[nodiscard]] std::uint32_t channels() const noexcept override { return 0; }
  [[nodiscard]] std::uint32_t height() const noexcept override { return 0; }
  [[nodiscard]] std::uint32_t width() const noexcept override { return 0; }
  [[nodiscard]] std::uint32_t num_classes() const noexcept override { return list_.classes.num_classes; }
  [[nodiscard]] const std::vector<std::string>& class_names() const noexcept override { return list_.classes.names; }
  [[nodiscard]] std::string fingerprint() const override { return list_.fingerprint; }
  [[nodiscard]] std::string sample_name(std::uint64_t id) const override { return printable_path(path_of(id)); }
  [[nodiscard]] std::int64_t label(std::uint64_t id) const noexcept override { return list_.labels[id]; }
  [[nodiscard]] std::uint64_t encoded_bytes(std::uint64_t id) const noexcept override { return list_.sizes[id]; }
  [[nodiscard]] float weight(std::uint64_t id) const noexcept override {
    return list_.weights.empty() ? 1.0f : list_.weights[id];
  }
  [[nodiscard]] bool reads_files() const noexcept override { return true; }
  [[nodiscard]] const std::vector<std::string>& notices() const noexcept override { return list_.notices; }

  [[nodiscard]] expected<encoded_sample> read(std::uint64_t id) const override {
    if (id >= num_samples())
      return failure{ec::bad_data, "loader: " + printable_path(list_.root) + ": sample " + std::to_string(id)
                                     + " does not exist, expected an id below " + std::to_string(num_samples())};
    auto file = read_sample_file(path_of(id));
    if (!file)
      return std::move(file).error();
    return encoded_sample{.id = id,
                          .label = label(id),
                          .format = sample_format::image_file,
                          .weight = weight(id),
                          .bytes = file->bytes,
                          .owner = std::move(file->owner)};
  }

private:
  [[nodiscard]] std::string path_of(std::uint64_t id) const { return path_in(list_.root, list_.files[id]); }

  file_list list_;
};

} // namespace

std::unique_ptr<dataset> make_file_list_dataset(file_list list) {
  return std::make_unique<file_list_dataset>(std::move(list));
}

} // namespace troupe
