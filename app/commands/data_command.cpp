#include "app/commands/data_command.hpp"

#include "actors/support/file_io.hpp"
#include "app/config/load_config.hpp"
#include "app/data_report/data_report.hpp"
#include "app/data_report/progress_line.hpp"
#include "app/data_report/report_text.hpp"
#include "app/data_report/training_sheet.hpp"
#include "app/thread_plan.hpp"

#include <csignal>
#include <ostream>
#include <unistd.h>

namespace troupe {

namespace {

/// There is nothing to be put in order: whoever interrupts wants the prompt back.
extern "C" void leave_at_once(int signal) {
  _exit(128 + signal);
}

int tell_failure(const failure& error, std::ostream& err) {
  err << "troupe: " << to_string(error) << "\n";
  return error.code == ec::bad_config ? 2 : 1;
}

expected<void> write_sheet(const opened_set& training, const run_config& config, const data_options& options) {
  const auto ids = first_training_ids(*training.data, config, options.sheet_samples);
  if (!ids)
    return ids.error();
  const auto tiles = make_training_tiles(*training.data, *training.transforms, config, training.class_names, *ids);
  const auto sheet = draw_contact_sheet(tiles, static_cast<std::uint32_t>(training.transforms->output_width()),
                                        static_cast<std::uint32_t>(training.transforms->output_height()));
  if (!sheet)
    return sheet.error();
  if (auto written = replace_file(options.contact_sheet, sheet->bytes); !written)
    return failure{written.error().code,
                   "--contact-sheet " + options.contact_sheet + ": " + to_string(written.error())};
  return {};
}

data_report make_report(const std::vector<opened_set>& sets, const run_config& config, std::uint64_t limit) {
  progress_line line;
  const auto num_cores = num_usable_cores();
  const auto show = [&line](std::string_view what, std::uint64_t done, std::uint64_t total) {
    line.show(std::string(what) + " data", done, total);
  };
  return report_on(sets, config, {limit, num_cores, num_cores, show});
}

} // namespace

int data_command(const data_options& options, std::ostream& out, std::ostream& err) {
  std::signal(SIGINT, leave_at_once);
  std::signal(SIGTERM, leave_at_once);
  const auto config = load_config(options.config_path, options.overrides, options.plugins);
  if (!config) {
    err << "troupe: " << to_string(config.error()) << "\n";
    return 2;
  }
  const auto sets = open_sets(*config);
  if (!sets)
    return tell_failure(sets.error(), err);
  if (!options.contact_sheet.empty())
    if (auto written = write_sheet(sets->front(), *config, options); !written)
      return tell_failure(written.error(), err);
  const auto report = make_report(*sets, *config, options.limit);
  out << (options.json ? to_json(report) : to_text(report, options.all_classes));
  return report.too_many_bad() ? 3 : 0;
}

} // namespace troupe
