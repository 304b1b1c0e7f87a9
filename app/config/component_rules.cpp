#include "app/config/component_rules.hpp"

#include "app/config/nearest.hpp"
#include "app/config/stage_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace troupe {

namespace {

/// For lists whose entries are known by their names.
void check_each_once(const std::vector<component_use>& uses, const std::string& path, std::vector<violation>& out) {
  for (std::size_t i = 0; i < uses.size(); ++i) {
    const auto same = [&name = uses[i].name](const component_use& x) { return x.name == name; };
    if (std::any_of(uses.begin(), uses.begin() + static_cast<std::ptrdiff_t>(i), same))
      out.push_back({{fmt::format("{}[{}]", path, i)}, fmt::format("{} is there twice, expected once", uses[i].name)});
  }
}

void check_monitor(const checkpoint_section& x, const std::vector<component_use>& metrics,
                   std::vector<violation>& out) {
  if (x.monitor == "loss" || x.monitor == "top1" || x.monitor == "topk") {
    const bool smaller_is_better = x.monitor == "loss";
    if (smaller_is_better != (x.mode == monitor_mode::min))
      out.push_back(
        {{"checkpoint.mode", "checkpoint.monitor"},
         fmt::format("would keep the worst {}, expected {}", x.monitor, smaller_is_better ? "min" : "max")});
    return;
  }
  std::vector<std::string> figures{"top1", "topk", "loss"};
  for (const auto& metric : metrics)
    figures.push_back(metric.name);
  if (std::find(figures.begin(), figures.end(), x.monitor) == figures.end())
    out.push_back({{"checkpoint.monitor", "validation.metrics"},
                   fmt::format("there is no such figure as {}, expected one of {}, or {} in validation.metrics",
                               x.monitor, joined(figures), x.monitor)});
}

} // namespace

void check_components(const run_config& config, std::vector<violation>& out) {
  check_each_once(config.data.decode.formats, "data.decode.formats", out);
  check_stages(config.pipeline.stages, out);
  check_each_once(config.validation.metrics, "validation.metrics", out);
  check_monitor(config.checkpoint, config.validation.metrics, out);
}

} // namespace troupe
