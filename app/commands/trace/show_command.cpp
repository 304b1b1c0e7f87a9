#include "app/commands/trace/trace_commands.hpp"
#include "app/trace_tools/remake/selector.hpp"
#include "app/trace_tools/remake/shown_batch.hpp"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>
#include <optional>
#include <vector>

namespace troupe {

namespace {

struct show_options {
  std::string run;
  std::string what;
  std::vector<std::string> plugins;
  std::string out;
  std::optional<std::uint64_t> epoch;
  bool json = false;
};

/// The batch that is meant; within an epoch if one is named.
expected<std::uint64_t> wanted_batch(const show_options& options, const run_data& data) {
  const auto number = number_of("batch", options.what);
  if (!number || !options.epoch)
    return number;
  const auto per_epoch = data.plan().batches_per_epoch();
  if (*number >= per_epoch)
    return failure{ec::not_found, options.what + ": expected a number below " + std::to_string(per_epoch)
                                    + ", the batches of an epoch, with --epoch"};
  return (*options.epoch - 1) * per_epoch + *number;
}

expected<shown_batch> make(const show_options& options, const run_data& data) {
  const auto number = wanted_batch(options, data);
  if (!number)
    return number.error();
  const auto trace = open_trace(options.run + "/trace");
  if (!trace && trace.error().code != ec::not_found)
    return trace.error();
  auto batch = show_batch({data, trace ? &*trace : nullptr, options.run}, *number);
  if (!batch || options.out.empty())
    return batch;
  const auto sheet = draw_sheet(*batch, data);
  if (!sheet)
    return sheet.error();
  if (auto written = write_output(options.out, sheet->bytes); !written)
    return written.error();
  return batch;
}

int show(const show_options& options) {
  const auto data = run_data::open(options.run, options.plugins);
  if (!data)
    return tell(data.error(), std::cerr);
  const auto batch = make(options, *data);
  if (!batch)
    return tell(batch.error(), std::cerr);
  if (options.json)
    print_json(*batch, std::cout);
  else
    print_text(*batch, std::cout);
  return batch->check.differs() ? trace_failed : trace_ok;
}

} // namespace

void add_trace_show(CLI::App& trace, int& exit_code) {
  auto options = std::make_shared<show_options>();
  auto* command = trace.add_subcommand("show", "Makes a training batch again, checks and draws it");
  command->add_option("run", options->run, "Run folder")->required();
  command->add_option("what", options->what, "batch:N, counted from 0 over all epochs")->required();
  command->add_option("--epoch", options->epoch, "Count N from 0 within this epoch; the first one is 1")
    ->check(CLI::Range(1, 1'000'000'000));
  command->add_option("--out", options->out, "Draw the samples into this PNG file");
  command->add_option("--plugin", options->plugins, plugin_option_text)->allow_extra_args(false);
  command->add_flag("--json", options->json, "As JSON");
  command->callback([options, &exit_code] { exit_code = show(*options); });
}

} // namespace troupe
