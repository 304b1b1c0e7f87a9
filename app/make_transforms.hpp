/// From the config's list of transforms to what augmenters apply.
#pragma once

#include "actors/augmenter/transforms/transform_config.hpp"
#include "actors/support/expected.hpp"
#include "app/config/run_config.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace troupe {

class transform_pipeline;

/// Shape of a data set's raw samples; all 0: they are image files.
struct sample_shape {
  std::int64_t channels = 0;
  std::int64_t height = 0;
  std::int64_t width = 0;
};

/// Returns the transforms of `list`, ready for samples of a data set that is read as `how` says. Errors: bad_config,
/// beginning with `key`, the list's key.
[[nodiscard]] expected<std::shared_ptr<const transform_pipeline>>
make_transforms(const std::vector<transform_config>& list, const sample_shape& samples, const data_section& how,
                const char* key);

} // namespace troupe
