/// Which samples are learnt from and which are judged by.
#pragma once

#include "app/config/run_config.hpp"

#include <optional>

namespace troupe {

/// The samples to learn from: `data.train`, without what `data.split` holds out.
[[nodiscard]] dataset_config training_source(const data_section& data);

/// The samples to judge by: `data.validation`, or what `data.split` holds out of `data.train`; nothing if there are none.
[[nodiscard]] std::optional<dataset_config> validation_source(const data_section& data);

} // namespace troupe
