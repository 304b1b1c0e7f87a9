/// `troupe trace ...`: looks at what a run recorded.
#pragma once

#include <iosfwd>
#include <string>

namespace troupe {

/// Prints the summary of the traces in `<run_folder>/trace` to `out`, as a table or as JSON. Returns the exit code: 0, or
/// 2 if there is no readable trace, with a sentence on `err` that says so.
int trace_summary_command(const std::string& run_folder, bool json, std::ostream& out, std::ostream& err);

} // namespace troupe
