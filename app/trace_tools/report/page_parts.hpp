/// The sections of the page, each as HTML. For report_page.cpp only.
#pragma once

#include "app/trace_tools/report/report_data.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace troupe {

class svg_chart;

/// CSS of the page; colours of roles are classes: "r-trainer".
[[nodiscard]] std::string_view page_style() noexcept;
/// JavaScript that shows titles at once; the page does without.
[[nodiscard]] std::string_view page_script() noexcept;

/// Class with the colour of an actor, or of a stage, by its role.
[[nodiscard]] std::string role_class(std::string_view actor);

/// A section with a heading; empty `body`: nothing.
[[nodiscard]] std::string section(std::string_view id, std::string_view heading, std::string_view lead,
                                  const std::string& body);

/// How a table is written: cells are HTML. The first row is the heading.
struct html_table {
  std::string caption;
  std::size_t num_text_columns = 1; ///< The first so many are flush left, the others flush right.
  std::vector<std::vector<std::string>> rows;
};
[[nodiscard]] std::string table(const html_table& from);

/// `troupe trace ...` with this run, to be copied.
[[nodiscard]] std::string command_line(const report_data& report, const std::string& tool, const std::string& what);

/// Hatches the times of which nothing is known about an actor.
void draw_unknown(const report_data& report, const actor_lane& lane, double height, svg_chart& chart);

[[nodiscard]] std::string header_part(const report_data& report);
[[nodiscard]] std::string verdict_part(const report_data& report);
[[nodiscard]] std::string tiles_part(const report_data& report);
[[nodiscard]] std::string loss_part(const report_data& report);
[[nodiscard]] std::string timeline_part(const report_data& report);
[[nodiscard]] std::string stages_part(const report_data& report);
[[nodiscard]] std::string queues_part(const report_data& report);
[[nodiscard]] std::string samples_part(const report_data& report);
[[nodiscard]] std::string messages_part(const report_data& report);
[[nodiscard]] std::string troubles_part(const report_data& report);
[[nodiscard]] std::string footer_part(const report_data& report);

} // namespace troupe
