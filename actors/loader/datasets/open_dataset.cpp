#include "actors/loader/datasets/open_dataset.hpp"

#include "actors/loader/datasets/cifar_dataset.hpp"
#include "actors/loader/datasets/idx_dataset.hpp"
#include "actors/loader/datasets/image_folder_dataset.hpp"
#include "actors/loader/datasets/manifest_dataset.hpp"
#include "actors/loader/datasets/plugin_dataset.hpp"
#include "actors/loader/datasets/subset_dataset.hpp"
#include "actors/loader/datasets/synthetic_dataset.hpp"
#include "actors/loader/datasets/tar_dataset.hpp"

#include <array>
#include <cstdio>
#include <string_view>
#include <utility>

namespace troupe {

namespace {

using opened = expected<std::unique_ptr<dataset>>;

constexpr std::uint64_t max_samples = 0xFFFF'FFFF;

struct kind {
  std::string_view name;
  opened (*open)(const dataset_config&, const std::vector<std::string>&);
};

constexpr kind kinds[] = {
  {"idx", open_idx_dataset},
  {"synthetic", open_synthetic_dataset},
  {"image_folder", open_image_folder_dataset},
  {"manifest", open_manifest_dataset},
  {"cifar10", open_cifar_dataset},
  {"cifar100", open_cifar_dataset},
  {"tar", open_tar_dataset},
};

opened open_whole(const dataset_config& config, const std::vector<std::string>& classes) {
  std::string known;
  for (const auto& [name, open] : kinds) {
    if (name == config.dataset)
      return open(config, classes);
    known.append(known.empty() ? "" : ", ").append(name);
  }
  for (const auto& kind : component_registry::instance().data_sources) {
    if (kind.name == config.dataset)
      return open_plugin_dataset(kind, config, classes);
    known.append(", ").append(kind.name);
  }
  return failure{ec::bad_config, "loader: unknown data set \"" + config.dataset + "\", expected one of: " + known};
}

opened take_part(std::unique_ptr<dataset> whole, const dataset_config& config) {
  const bool held_out = config.part == data_part::held_out;
  const auto share = config.held_out_share;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.9g", share);
  if (!(share >= 0 && share < 1) || (held_out && share == 0))
    return failure{ec::bad_config, std::string("loader: the share that is held out is ") + text.data()
                                     + ", expected a number above 0 and below 1"};
  if (share == 0)
    return whole;
  auto ids = split_by_class(*whole, share, config.held_out_seed);
  if (held_out && ids.held_out.empty())
    return failure{ec::bad_data, "loader: nothing can be held out: no class has two samples"};
  const auto part =
    std::string(held_out ? "held_out=" : "kept=") + text.data() + ",seed=" + std::to_string(config.held_out_seed);
  return make_subset(std::move(whole), std::move(held_out ? ids.held_out : ids.kept), part);
}

} // namespace

opened open_dataset(const dataset_config& config, const std::vector<std::string>& classes) {
  auto whole_config = config;
  if (config.part != data_part::whole)
    whole_config.limit = 0; // It counts within the part.
  auto data = open_whole(whole_config, classes);
  if (!data)
    return data;
  if ((*data)->num_samples() > max_samples)
    return failure{ec::bad_data, "loader: data set \"" + config.dataset + "\" has "
                                   + std::to_string((*data)->num_samples()) + " samples, expected at most "
                                   + std::to_string(max_samples)};
  if (config.part != data_part::whole)
    data = take_part(std::move(*data), config);
  if (!data || config.limit == 0)
    return data;
  return first_samples(std::move(*data), config.limit);
}

} // namespace troupe
