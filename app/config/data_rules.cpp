#include "app/config/data_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace troupe {

namespace {

constexpr std::int64_t min_synthetic_side = 8;

void check_dataset(const dataset_config& data, const std::string& path, std::vector<violation>& out) {
  if (data.dataset == "idx") {
    if (data.images.empty())
      out.push_back({{path + ".images", path + ".dataset"}, "is missing, expected the name of an IDX3 file"});
    if (data.labels.empty())
      out.push_back({{path + ".labels", path + ".dataset"}, "is missing, expected the name of an IDX1 file"});
    return;
  }
  const auto& shape = data.shape;
  if ((shape[0] != 1 && shape[0] != 3) || std::min(shape[1], shape[2]) < min_synthetic_side)
    out.push_back({{path + ".shape", path + ".dataset"},
                   fmt::format("[{}, {}, {}], expected 1 or 3 channels and sides of at least {}", shape[0], shape[1],
                               shape[2], min_synthetic_side)});
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

/// What the rules need to know of the samples, as far as the config alone tells it.
struct sample_shape {
  std::size_t channels = 1; ///< IDX images are grey.
  std::int64_t side = 0;    ///< Shorter one; 0: unknown.
};

sample_shape shape_of(const dataset_config& data) {
  if (data.dataset != "synthetic")
    return {};
  return {static_cast<std::size_t>(data.shape[0]), std::min(data.shape[1], data.shape[2])};
}

void check_transform(const random_crop_config& x, const std::string& path, const sample_shape& shape,
                     std::vector<violation>& out) {
  if (shape.side > 0 && x.size > shape.side + 2 * x.padding)
    out.push_back({{path + ".random_crop.size"},
                   fmt::format("{} is more than the padded sample's {}", x.size, shape.side + 2 * x.padding)});
}

void check_transform(const random_horizontal_flip_config&, const std::string&, const sample_shape&,
                     std::vector<violation>&) {}

void check_transform(const random_erasing_config& x, const std::string& path, const sample_shape&,
                     std::vector<violation>& out) {
  for (const auto& [name, range] : {std::pair{"scale", &x.scale}, std::pair{"ratio", &x.ratio}})
    if (range->front() > range->back())
      out.push_back(
        {{fmt::format("{}.random_erasing.{}", path, name)},
         fmt::format("starts at {} and ends at {}, expected the smaller first", range->front(), range->back())});
}

void check_transform(const normalize_config& x, const std::string& path, const sample_shape& shape,
                     std::vector<violation>& out) {
  for (const auto& [name, values] : {std::pair{"mean", &x.mean}, std::pair{"std", &x.std}})
    if (values->size() != 1 && values->size() != shape.channels)
      out.push_back({{fmt::format("{}.normalize.{}", path, name)},
                     fmt::format("has {} values, expected one, or one for each of the {} channels", values->size(),
                                 shape.channels)});
}

void check_list(const std::vector<transform_config>& list, const std::string& path, const dataset_config& data,
                std::vector<violation>& out) {
  const auto shape = shape_of(data);
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto item = fmt::format("{}[{}]", path, i);
    std::visit([&](const auto& x) { check_transform(x, item, shape, out); }, list[i]);
    if (std::holds_alternative<normalize_config>(list[i]) && i + 1 < list.size())
      out.push_back({{item}, "normalize is not the last of its list; what follows it would need bytes"});
  }
}

} // namespace

void check_data(const run_config& config, std::vector<violation>& out) {
  const auto& data = config.data;
  check_dataset(data.train, "data.train", out);
  check_list(config.transforms.train, "transforms.train", data.train, out);
  check_classes(data, out);
  if (data.validation) {
    check_dataset(*data.validation, "data.validation", out);
    check_pair(data.train, *data.validation, out);
    check_list(config.transforms.validation, "transforms.validation", *data.validation, out);
  }
}

} // namespace troupe
