#include "app/trace_tools/analysis/actor_role.hpp"
#include "app/trace_tools/report/page_parts.hpp"
#include "app/trace_tools/report/svg_chart.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace troupe {

namespace {

/// As a shell takes it.
std::string shell_word(const std::string& text) {
  static constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@+";
  if (!text.empty() && text.find_first_not_of(plain) == std::string::npos)
    return text;
  std::string quoted = "'";
  for (const char c : text)
    quoted += c == '\'' ? std::string{"'\\''"} : std::string{c};
  return quoted + '\'';
}

} // namespace

std::string role_class(std::string_view actor) {
  static constexpr std::array<std::string_view, 11> roles = {"reader",   "loader",  "augmenter", "stage",
                                                             "collator", "trainer", "listener",  "validator",
                                                             "saver",    "logger",  "supervisor"};
  auto role = role_of(actor).role;
  if (role.ends_with('s') && std::find(roles.begin(), roles.end(), role) == roles.end())
    role.pop_back(); // A stage: "augmenters".
  return std::find(roles.begin(), roles.end(), role) == roles.end() ? "r-other" : "r-" + role;
}

std::string section(std::string_view id, std::string_view heading, std::string_view lead, const std::string& body) {
  if (body.empty())
    return {};
  return fmt::format("<section id=\"{0}\" aria-labelledby=\"{0}-h\">\n<h2 id=\"{0}-h\">{1}</h2>\n", id,
                     markup_text(heading))
         + (lead.empty() ? "" : "<p class=\"lead\">" + markup_text(lead) + "</p>\n") + body + "</section>\n";
}

std::string table(const html_table& from) {
  auto out = "<div class=\"scroll\" tabindex=\"0\">\n<table>\n<caption>" + markup_text(from.caption) + "</caption>\n";
  for (std::size_t i = 0; i < from.rows.size(); ++i) {
    out += i == 0 ? "<thead><tr>" : "<tr>";
    for (std::size_t j = 0; j < from.rows[i].size(); ++j) {
      const auto* kind = i == 0 ? "th" : "td";
      out += fmt::format("<{}{}{}>{}</{}>", kind, i == 0 ? " scope=\"col\"" : "",
                         j < from.num_text_columns ? " class=\"text\"" : "", from.rows[i][j], kind);
    }
    out += i == 0 ? "</tr></thead>\n<tbody>\n" : "</tr>\n";
  }
  return out + "</tbody>\n</table>\n</div>\n";
}

std::string command_line(const report_data& report, const std::string& tool, const std::string& what) {
  return "<code class=\"copy\">"
         + markup_text("troupe trace " + tool + ' ' + shell_word(report.files.folder) + ' ' + shell_word(what))
         + "</code>";
}

} // namespace troupe
