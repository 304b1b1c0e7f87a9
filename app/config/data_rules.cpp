#include "app/config/data_rules.hpp"

#include "actors/support/components/component_registry.hpp"
#include "app/config/transform_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace troupe {

namespace {

constexpr std::int64_t min_synthetic_side = 8;

void require(bool is_there, const std::string& path, const char* key, const char* wanted, std::vector<violation>& out) {
  if (!is_there)
    out.push_back({{path + "." + key, path + ".dataset"}, fmt::format("is missing, expected {}", wanted)});
}

void check_synthetic(const dataset_config& data, const std::string& path, std::vector<violation>& out) {
  const auto& shape = data.shape;
  if ((shape[0] != 1 && shape[0] != 3) || std::min(shape[1], shape[2]) < min_synthetic_side)
    out.push_back({{path + ".shape", path + ".dataset"},
                   fmt::format("[{}, {}, {}], expected 1 or 3 channels and sides of at least {}", shape[0], shape[1],
                               shape[2], min_synthetic_side)});
}

void check_dataset(const dataset_config& data, const std::string& path, std::vector<violation>& out) {
  const auto& kind = data.dataset;
  if (kind == "synthetic")
    check_synthetic(data, path, out);
  if (kind == "idx") {
    require(!data.images.empty(), path, "images", "the name of an IDX3 file", out);
    require(!data.labels.empty(), path, "labels", "the name of an IDX1 file", out);
  }
  if (kind == "image_folder")
    require(!data.root.empty(), path, "root", "a folder that has a folder of images for each class", out);
  if (kind == "manifest")
    require(!data.file.empty(), path, "file", "the name of a CSV or TSV file", out);
  if (kind == "cifar10" || kind == "cifar100")
    require(!data.root.empty() || !data.files.empty(), path, "root", "the folder of the batch files", out);
  if (kind == "tar")
    require(!data.files.empty(), path, "files", "the shards, such as [\"train-{0000..0012}.tar\"]", out);
  if (std::find(data.files.begin(), data.files.end(), "") != data.files.end())
    out.push_back({{path + ".files"}, "holds an empty name"});
}

/// A validation set of CIFAR that names no files would be the training set once more.
void check_validation_files(const dataset_config& data, std::vector<violation>& out) {
  if ((data.dataset == "cifar10" || data.dataset == "cifar100") && data.files.empty())
    out.push_back({{"data.validation.files", "data.validation.dataset"},
                   fmt::format("is missing and would be the training files, expected [{}]",
                               data.dataset == "cifar10" ? "test_batch.bin" : "test.bin")});
}

void check_split(const data_section& data, std::vector<violation>& out) {
  if (data.held_out > 0 && data.validation)
    out.push_back(
      {{"data.split", "data.validation", "data.validation.dataset"},
       fmt::format("{} holds out a part of data.train to judge by, but there is data.validation, too; remove "
                   "one of them",
                   data.held_out)});
}

void check_decode(const decode_config& x, std::vector<violation>& out) {
  if (x.channels == 2)
    out.push_back({{"data.decode.channels"}, "2, expected 1 (grey) or 3 (RGB)"});
  if (x.bits != 8 && x.bits != 16)
    out.push_back({{"data.decode.bits"}, fmt::format("{}, expected 8 or 16", x.bits)});
}

void check_pair(const dataset_config& train, const dataset_config& validation, std::vector<violation>& out) {
  if (train.dataset != "synthetic" || validation.dataset != "synthetic")
    return;
  if (train.shape != validation.shape)
    out.push_back({{"data.validation.shape", "data.train.shape"}, "differs from data.train.shape"});
  if (train.num_classes != validation.num_classes)
    out.push_back(
      {{"data.validation.num_classes", "data.train.num_classes"},
       fmt::format("{} differs from data.train.num_classes, {}", validation.num_classes, train.num_classes)});
}

void check_classes(const data_section& data, std::vector<violation>& out) {
  auto names = data.classes;
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end())
    out.push_back({{"data.classes"}, fmt::format("\"{}\" is there twice, expected different names", *twice)});
  if (!names.empty() && names.front().empty())
    out.push_back({{"data.classes"}, "holds an empty name"});
  if (!names.empty() && data.train.dataset == "synthetic"
      && names.size() != static_cast<std::size_t>(data.train.num_classes))
    out.push_back({{"data.classes", "data.train.num_classes", "data.train.dataset"},
                   fmt::format("{} names for {} classes", names.size(), data.train.num_classes)});
}

bool is_of_plugin(const dataset_config& data) {
  return find_component(component_registry::instance().data_sources, data.dataset) != nullptr;
}

known_shape shape_of(const dataset_config& data, const decode_config& decode) {
  if (data.dataset == "synthetic")
    return {static_cast<std::size_t>(data.shape[0]), std::min(data.shape[1], data.shape[2])};
  if (data.dataset == "cifar10" || data.dataset == "cifar100")
    return {3, 32};
  if (data.dataset == "idx")
    return {};
  if (is_of_plugin(data))
    return {0, 0};
  return {static_cast<std::size_t>(decode.channels), 0};
}

void check_list(const std::vector<transform_config>& list, const std::string& path, known_shape shape,
                std::vector<violation>& out) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto item = fmt::format("{}[{}]", path, i);
    check_transform(list[i], item, shape, out);
    if (std::holds_alternative<normalize_config>(list[i]) && i + 1 < list.size())
      out.push_back({{item}, "normalize is not the last of its list; what follows it would need bytes"});
  }
}

void check_mix(const batch_mix_config& mix, std::vector<violation>& out) {
  if (mix.mixup_p + mix.cutmix_p > 1)
    out.push_back({{"transforms.batch.mixup_p", "transforms.batch.cutmix_p"},
                   fmt::format("{} and {} are more than 1 together", mix.mixup_p, mix.cutmix_p)});
}

void check_cache(const data_section& data, std::vector<violation>& out) {
  if (data.cache.mode != cache_mode::none && data.decode.bits != 8)
    out.push_back({{"data.cache.mode", "data.decode.bits"},
                   fmt::format("a cache holds 8-bit pixels, but data.decode.bits is {}", data.decode.bits)});
}

} // namespace

void check_data(const run_config& config, std::vector<violation>& out) {
  const auto& data = config.data;
  const auto& judged = data.validation ? *data.validation : data.train;
  check_dataset(data.train, "data.train", out);
  check_classes(data, out);
  check_split(data, out);
  check_decode(data.decode, out);
  check_cache(data, out);
  check_mix(config.transforms.batch, out);
  check_list(config.transforms.train, "transforms.train", shape_of(data.train, data.decode), out);
  if (data.validation) {
    check_dataset(judged, "data.validation", out);
    check_validation_files(judged, out);
    check_pair(data.train, judged, out);
  }
  if (data.validation || data.held_out > 0)
    check_list(config.transforms.validation, "transforms.validation", shape_of(judged, data.decode), out);
}

} // namespace troupe
