/// Pictures of the samples in a report, made again from the run's data.
#pragma once

#include "app/trace_tools/report/report_data.hpp"

namespace troupe {

/// Fills in name, label and picture of the slow samples, or says why there are none. Opens the data sets of the run.
void add_pictures(report_data& report);

/// Base64 (RFC 4648) of any bytes.
[[nodiscard]] std::string base64_text(std::string_view bytes);

} // namespace troupe
