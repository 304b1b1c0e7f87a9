/// The export of a trace as a file.
#pragma once

#include "app/trace_tools/export/trace_export.hpp"

#include <string>

namespace troupe {

/// Where an export goes if nothing else is said: into the run folder, under the format's usual name. Empty for Mermaid,
/// which is for people to read.
[[nodiscard]] std::string default_export_path(const std::string& run_folder, export_format format);

/// Puts the export at `path`, in the place of what is there, once it is complete. Errors: io_error, and those of
/// `export_trace`.
[[nodiscard]] expected<export_report> export_to_file(const recorded_trace& trace, const export_options& options,
                                                     const std::string& path);

} // namespace troupe
