#include "actors/loader/datasets/tar_dataset.hpp"

#include "actors/loader/datasets/class_table.hpp"
#include "actors/loader/datasets/file_names.hpp"
#include "actors/loader/datasets/fingerprint.hpp"
#include "actors/loader/datasets/parallel_tasks.hpp"
#include "actors/loader/datasets/sample_file.hpp"
#include "actors/loader/datasets/shard_names.hpp"
#include "actors/loader/datasets/tar_index.hpp"
#include "actors/loader/datasets/tar_reader.hpp"
#include "actors/support/file_io.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace troupe {

namespace {

constexpr std::size_t max_open_shards = 256; ///< More are opened whenever they are read: a process may have 1024 files.

struct shard {
  std::string name; ///< As the config has it.
  std::string path;
  std::uint64_t end = 0; ///< Number of samples up to and with this shard.
  file_descriptor file;  ///< Not open if the images are in memory, or if there are too many shards.
  std::shared_ptr<const std::vector<std::byte>> inflated;
};

struct tar_samples {
  std::vector<shard> shards;
  path_list images;
  std::vector<std::uint64_t> offsets;
  std::vector<std::uint64_t> sizes;
  std::vector<std::uint32_t> labels;
  class_table classes;
  std::vector<std::string> notices;
  std::string fingerprint;

  [[nodiscard]] const shard& shard_of(std::uint64_t id) const noexcept {
    return *std::upper_bound(shards.begin(), shards.end(), id,
                             [](std::uint64_t x, const shard& y) { return x < y.end; });
  }
  [[nodiscard]] std::string name(std::uint64_t id) const {
    return printable_path(shard_of(id).name + "/" + std::string(images[id]));
  }
};

file_descriptor open_shard(const std::string& path) {
  return file_descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
}

class tar_dataset final : public dataset {
public:
  explicit tar_dataset(tar_samples samples) : all_(std::move(samples)) {}

  [[nodiscard]] std::uint64_t num_samples() const noexcept override { return all_.images.size(); }
  [[nodiscard]] std::uint32_t channels() const noexcept override { return 0; }
  [[nodiscard]] std::uint32_t height() const noexcept override { return 0; }
  [[nodiscard]] std::uint32_t width() const noexcept override { return 0; }
  [[nodiscard]] std::uint32_t num_classes() const noexcept override { return all_.classes.num_classes; }
  [[nodiscard]] const std::vector<std::string>& class_names() const noexcept override { return all_.classes.names; }
  [[nodiscard]] std::string fingerprint() const override { return all_.fingerprint; }
  [[nodiscard]] std::string sample_name(std::uint64_t id) const override { return all_.name(id); }
  [[nodiscard]] std::uint64_t encoded_bytes(std::uint64_t id) const noexcept override { return all_.sizes[id]; }
  [[nodiscard]] std::int64_t label(std::uint64_t id) const noexcept override { return all_.labels[id]; }
  [[nodiscard]] bool reads_files() const noexcept override { return true; }
  [[nodiscard]] const std::vector<std::string>& notices() const noexcept override { return all_.notices; }

  [[nodiscard]] expected<encoded_sample> read(std::uint64_t id) const override {
    if (id >= num_samples())
      return failure{ec::bad_data, "loader: sample " + std::to_string(id) + " of " + all_.shards.front().name
                                     + " ... does not exist, expected an id below " + std::to_string(num_samples())};
    const auto size = static_cast<std::size_t>(all_.sizes[id]);
    if (size == 0)
      return failure{ec::bad_data, "loader: " + sample_name(id) + ": empty file, expected an image"};
    encoded_sample out;
    out.id = id;
    out.label = label(id);
    out.format = sample_format::image_file;
    const auto& from = all_.shard_of(id);
    if (from.inflated) {
      out.bytes = std::span(*from.inflated).subspan(all_.offsets[id], size);
      out.owner = from.inflated;
      return out;
    }
    const auto buffer = std::make_shared_for_overwrite<std::byte[]>(size);
    out.bytes = {buffer.get(), size};
    out.owner = buffer;
    if (auto ok = fill({buffer.get(), size}, from, id); !ok)
      return ok.error();
    return out;
  }

private:
  expected<void> fill(std::span<std::byte> out, const shard& from, std::uint64_t id) const {
    const auto opened = from.file.number() < 0 ? open_shard(from.path) : file_descriptor();
    const int fd = from.file.number() < 0 ? opened.number() : from.file.number();
    if (fd < 0)
      return failure{errno == ENOENT ? ec::not_found : ec::io_error,
                     "loader: " + printable_path(from.path)
                       + ": cannot open: " + std::generic_category().message(errno)};
    for (auto offset = static_cast<off_t>(all_.offsets[id]); !out.empty();) {
      const auto size = ::pread(fd, out.data(), out.size(), offset);
      if (size < 0 && errno == EINTR)
        continue;
      if (size <= 0)
        return failure{size < 0 ? ec::io_error : ec::bad_data,
                       "loader: " + sample_name(id) + ": cannot read at offset " + std::to_string(offset) + " of "
                         + printable_path(from.path) + ": "
                         + (size < 0 ? std::generic_category().message(errno) : "the shard has become shorter")};
      out = out.subspan(static_cast<std::size_t>(size));
      offset += size;
    }
    return {};
  }

  tar_samples all_;
};

/// Plain shards many at a time: reading their headers is mostly waiting. Compressed ones share one bound on memory.
expected<std::vector<tar_index>> read_indices(const std::vector<std::string>& paths) {
  std::vector<expected<tar_index>> indices;
  std::uint64_t left = max_inflated_bytes;
  if (std::none_of(paths.begin(), paths.end(), is_gzip_file))
    indices = parallel_tasks(paths.size(), [&](std::size_t i) { return read_tar_index(paths[i], left); });
  for (auto i = indices.size(); i < paths.size(); ++i) {
    indices.push_back(read_tar_index(paths[i], left));
    if (!indices.back())
      break;
    left -= indices.back()->inflated ? indices.back()->inflated->size() : 0;
  }
  std::vector<tar_index> out;
  for (auto& index : indices) {
    if (!index)
      return std::move(index).error();
    out.push_back(std::move(*index));
  }
  return out;
}

/// Adds "ignored 3 images without a label, e.g. a.tar/7.jpg" for what all shards have of a kind.
void note(const std::vector<shard>& shards, const std::vector<tar_index>& indices, tar_leftovers tar_index::*kind,
          const char* what, std::vector<std::string>& notices) {
  std::uint64_t count = 0;
  std::string example;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const auto& left = indices[i].*kind;
    if (count == 0 && left.count > 0)
      example = printable_path(shards[i].name + "/" + left.example);
    count += left.count;
  }
  if (count > 0)
    notices.push_back("ignored " + std::to_string(count) + " " + what + ", e.g. " + example);
}

tar_samples join(std::vector<shard> shards, std::vector<tar_index>& indices, label_list& labels) {
  tar_samples out;
  note(shards, indices, &tar_index::images_alone, "images without a label (.cls or .json)", out.notices);
  note(shards, indices, &tar_index::labels_alone, "labels without an image", out.notices);
  note(shards, indices, &tar_index::others, "members that are neither image nor label", out.notices);
  const bool keep_open = shards.size() <= max_open_shards;
  for (std::size_t i = 0; i < shards.size(); ++i) {
    auto& index = indices[i];
    out.images.append(index.images);
    out.offsets.insert(out.offsets.end(), index.offsets.begin(), index.offsets.end());
    out.sizes.insert(out.sizes.end(), index.sizes.begin(), index.sizes.end());
    for (std::size_t sample = 0; sample < index.labels.size(); ++sample)
      labels.push_back(index.labels[sample]);
    shards[i].end = out.images.size();
    if (!index.inflated && keep_open)
      shards[i].file = open_shard(shards[i].path);
    shards[i].inflated = std::move(index.inflated);
  }
  out.shards = std::move(shards);
  return out;
}

} // namespace

expected<std::unique_ptr<dataset>> open_tar_dataset(const dataset_config& config,
                                                    const std::vector<std::string>& classes) {
  const auto names = expand_shard_names(config.files);
  if (!names)
    return names.error();
  if (names->empty())
    return failure{ec::bad_config, "loader: data set \"tar\" has no `files`, expected the paths of shards"};
  std::vector<shard> shards;
  std::vector<std::string> paths;
  for (const auto& name : *names) {
    paths.push_back(absolute_path(config.root, name));
    auto& added = shards.emplace_back();
    added.name = name;
    added.path = paths.back();
  }
  auto indices = read_indices(paths);
  if (!indices)
    return std::move(indices).error();
  label_list labels;
  auto all = join(std::move(shards), *indices, labels);
  if (all.images.empty())
    return failure{ec::bad_data, "loader: " + printable_path(paths.front())
                                   + (paths.size() > 1 ? " and the other shards" : "")
                                   + ": no image with a label, expected members such as 0001.jpg and 0001.cls"
                                   + (all.notices.empty() ? "" : "; " + all.notices.front())};
  auto table = make_class_table(labels, label_style::names_or_ids, classes, paths.front(),
                                [&all](std::uint64_t id) { return all.name(id); });
  if (!table)
    return std::move(table).error();
  for (auto text : labels.of_samples())
    all.labels.push_back(table->ids[text]);
  all.notices.insert(all.notices.end(), table->notices.begin(), table->notices.end());
  all.fingerprint = fingerprint_builder()
                      .add(*names)
                      .add(table->names)
                      .add(all.labels)
                      .add(all.images)
                      .add(all.sizes)
                      .finish("tar", all.images.size(), table->num_classes);
  all.classes = std::move(*table);
  return std::unique_ptr<dataset>(std::make_unique<tar_dataset>(std::move(all)));
}

} // namespace troupe
