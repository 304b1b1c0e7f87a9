#include "app/make_transforms.hpp"

#include "actors/augmenter/transform_pipeline.hpp"

#include <string>
#include <utility>

namespace troupe {

expected<std::shared_ptr<const transform_pipeline>> make_transforms(const std::vector<transform_config>& list,
                                                                    const sample_shape& samples,
                                                                    const data_section& how, const char* key) {
  const bool cached = samples.channels == 0 && how.cache.mode != cache_mode::none;
  auto made = transform_pipeline::make(
    list, {samples.channels, samples.height, samples.width, how.decode, cached ? how.cache.side : 0});
  if (!made)
    return failure{made.error().code, std::string(key) + ": " + made.error().context};
  return std::shared_ptr<const transform_pipeline>(std::make_shared<transform_pipeline>(std::move(*made)));
}

} // namespace troupe
