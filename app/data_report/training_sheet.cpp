#include "app/data_report/training_sheet.hpp"

#include "actors/loader/sampler.hpp"
#include "app/data_report/sample_painter.hpp"

#include <algorithm>

namespace troupe {

expected<std::vector<std::uint32_t>> first_training_ids(const dataset& data, const run_config& config,
                                                        std::uint64_t num_samples) {
  const auto plan = epoch_plan::make(data.num_samples(), config.pipeline.batch_size, config.pipeline.drop_last,
                                     /*shuffle=*/true, config.run.seed);
  if (!plan)
    return plan.error();
  auto ids = plan->order(0);
  ids.resize(std::min(num_samples, plan->samples_per_epoch()));
  return ids;
}

std::vector<sheet_tile> make_training_tiles(const dataset& data, const transform_pipeline& transforms,
                                            const run_config& config, const std::vector<std::string>& class_names,
                                            const std::vector<std::uint32_t>& ids) {
  sample_painter painter(transforms, config.transforms.train);
  std::vector<sheet_tile> tiles;
  for (const auto id : ids) {
    auto& tile = tiles.emplace_back();
    tile.caption = class_names[static_cast<std::size_t>(data.label(id))] + " " + std::to_string(id);
    const auto sample = data.read(id);
    auto picture =
      sample ? painter.paint(*sample, config.run.seed, 0) : expected<std::vector<unsigned char>>(sample.error());
    if (picture)
      tile.rgb = std::move(*picture);
    else
      tile.caption = "bad: " + tile.caption;
  }
  return tiles;
}

} // namespace troupe
