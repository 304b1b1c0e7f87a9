#include "actors/loader/open_dataset.hpp"

#include "actors/loader/idx_dataset.hpp"
#include "actors/loader/synthetic_dataset.hpp"

#include <string_view>

namespace troupe {

namespace {

struct kind {
  std::string_view name;
  expected<std::unique_ptr<dataset>> (*open)(const dataset_config&, const std::vector<std::string>&);
};

constexpr kind kinds[] = {
  {"idx", open_idx_dataset},
  {"synthetic", open_synthetic_dataset},
};

} // namespace

expected<std::unique_ptr<dataset>> open_dataset(const dataset_config& config, const std::vector<std::string>& classes) {
  std::string known;
  for (const auto& [name, open] : kinds) {
    if (name == config.dataset)
      return open(config, classes);
    known.append(known.empty() ? "" : ", ").append(name);
  }
  return failure{ec::bad_config, "loader: unknown data set \"" + config.dataset + "\", expected one of: " + known};
}

} // namespace troupe
