/// A report as one HTML page that needs nothing else: no network, no fonts, no scripts of others.
#pragma once

#include "app/trace_tools/report/report_data.hpp"

#include <iosfwd>
#include <string>

namespace troupe {

/// The page: well-formed XML too. A few hundred kilobytes, however long the run was.
[[nodiscard]] std::string report_page(const report_data& report);

/// The headline numbers, for programs.
void print_json(const report_data& report, std::ostream& out);

} // namespace troupe
