#include "app/trace_tools/export/export_file.hpp"

#include "actors/support/file_io.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

namespace troupe {

namespace {

failure cannot_write(const std::string& path) {
  return {ec::io_error, "trace export: cannot write " + path + ": " + std::strerror(errno)};
}

expected<export_report> write_file(const recorded_trace& trace, const export_options& options,
                                   const std::string& path) {
  std::ofstream out{path, std::ios::binary | std::ios::trunc};
  if (!out)
    return cannot_write(path);
  auto report = export_trace(trace, options, out);
  out.close();
  if (report && !out)
    return cannot_write(path);
  return report;
}

} // namespace

std::string default_export_path(const std::string& run_folder, export_format format) {
  switch (format) {
  case export_format::chrome:
    return run_folder + "/trace.json";
  case export_format::perfetto:
    return run_folder + "/trace.pftrace";
  case export_format::csv:
    return run_folder + "/trace.csv";
  case export_format::mermaid:
    break;
  }
  return {};
}

expected<export_report> export_to_file(const recorded_trace& trace, const export_options& options,
                                       const std::string& path) {
  const auto partial = path + ".partial";
  auto report = write_file(trace, options, partial);
  if (report)
    if (auto renamed = rename_path(partial, path); !renamed)
      report = renamed.error();
  if (!report)
    (void)remove_path(partial);
  return report;
}

} // namespace troupe
