/// A data report for people and for programs.
#pragma once

#include "app/data_report/data_report.hpp"

#include <string>

namespace troupe {

/// Aligned plain text. Without `all_classes`, of a long table of classes the beginning.
[[nodiscard]] std::string to_text(const data_report& report, bool all_classes);

/// One JSON document, with nothing left out.
[[nodiscard]] std::string to_json(const data_report& report);

/// `normalize: {mean: [0.2860], std: [0.3530]}`, ready for a config; empty if there are no channels.
[[nodiscard]] std::string normalize_text(const channel_statistics& channels);

} // namespace troupe
