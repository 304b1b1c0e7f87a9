/// The program behind the binary: its command line.
#include "app/build_info.hpp"
#include "app/commands/data_command.hpp"
#include "app/commands/doctor_command.hpp"
#include "app/commands/plugins_command.hpp"
#include "app/commands/trace/trace_commands.hpp"
#include "app/commands/train_command.hpp"
#include "app/config/config_reference.hpp"
#include "app/plugins/plugin_loader.hpp"
#include "app/signal_mask.hpp"

#include <CLI/CLI.hpp>

#include <iostream>

namespace {

using namespace troupe;

constexpr int usage_error = 2;

/// `--resume` stands alone or carries its value behind "="; it never takes the word that follows it.
std::vector<std::string> arguments_of(int argc, char** argv) {
  std::vector<std::string> out;
  for (int i = argc - 1; i > 0; --i) // CLI11 takes them in reverse.
    out.push_back(std::string(argv[i]) == "--resume" ? "--resume=newest" : argv[i]);
  return out;
}

struct command_line {
  CLI::App app{"Trains vision models as a company of actors.", "troupe"};
  train_options train;
  std::string resume;
  bool help_config = false;
  data_options data;
  std::string doctor_config;
  std::vector<std::string> doctor_overrides;
  std::vector<std::string> doctor_plugins;
  plugins_options plugins;
  std::string new_plugin;
  int trace_code = 0; ///< What the trace tool exits with: it runs while the line is parsed.
  CLI::App* train_app = app.add_subcommand("train", "Train a model");
  CLI::App* data_app =
    app.add_subcommand("data", "Look at the data of a config: classes, images, duplicates, bad files");
  CLI::App* doctor_app = app.add_subcommand("doctor", "Show versions, devices, limits and the plan of threads");
  CLI::App* plugins_app = app.add_subcommand("plugins", "Show, check or begin plugins");
  CLI::App* trace_app = app.add_subcommand("trace", "Look at the messages of a run");

  command_line() {
    app.set_version_flag("--version", std::string("troupe ") + build_version() + " (" + build_commit() + ")");
    app.require_subcommand(1);
    trace_app->require_subcommand(1);
    train_app->add_option("config", train.config_path, "YAML file; see --help-config");
    train_app->add_option("overrides", train.overrides, "key=value, laid over the file: optimizer.lr=0.1");
    train_app->add_option("--resume", resume,
                          "Go on with the newest run of that name; =PATH: with the run in that "
                          "folder; =auto: start one if there is none");
    train_app->add_flag("--help-config", help_config, "Print every key of the config and exit");
    add_plugin_option(*train_app, train.plugins);
    add_data_options();
    add_plugins_options();
    doctor_app->add_option("config", doctor_config, "YAML file whose plan of threads is shown");
    doctor_app->add_option("overrides", doctor_overrides, "key=value");
    add_plugin_option(*doctor_app, doctor_plugins);
    trace_app->preparse_callback([](std::size_t) { release_signals(); });
    add_trace_commands(*trace_app, trace_code);
  }

  static void add_plugin_option(CLI::App& command, std::vector<std::string>& plugins) {
    command.add_option("--plugin", plugins, "Load that plugin, too: a path or a name; may be given several times")
      ->allow_extra_args(false);
  }

  void add_plugins_options() {
    auto* files =
      plugins_app->add_option("files", plugins.files, "Plugins, by path or name; all that are found if left out");
    auto* json = plugins_app->add_flag("--json", plugins.json, "As JSON");
    auto* check = plugins_app->add_flag("--check", plugins.check, "Try out all that the files offer");
    plugins_app->add_option("--config", plugins.config_path, "With the parameters that this config gives")
      ->needs(check);
    plugins_app->add_option("--sample", plugins.sample_path, "Try decoders on this file")->needs(check);
    plugins_app->add_option("--samples", plugins.num_samples, "Try on so many samples; 200 if left out")
      ->needs(check)
      ->check(CLI::Range(1, 1'000'000));
    auto* begin = plugins_app->add_option("--new", new_plugin, "Write the project of a new plugin of that name");
    plugins_app->add_option("--in", plugins.new_folder, "Into this folder")->needs(begin);
    begin->excludes(check)->excludes(files)->excludes(json);
  }

  void add_data_options() {
    data_app->add_option("config", data.config_path, "YAML file; see train --help-config")->required();
    data_app->add_option("overrides", data.overrides, "key=value, laid over the file: data.train.root=photos");
    add_plugin_option(*data_app, data.plugins);
    data_app->add_flag("--json", data.json, "As JSON");
    data_app->add_flag("--all-classes", data.all_classes, "Show the whole table of classes");
    data_app->add_option("--limit", data.limit, "Look at the first so many samples of each set")
      ->check(CLI::PositiveNumber);
    data_app->add_option("--contact-sheet", data.contact_sheet,
                         "Write a PNG file with the first training samples as the trainer will see them");
    data_app->add_option("--sheet-samples", data.sheet_samples, "So many of them; 64 if left out")
      ->check(CLI::Range(1, 10'000));
  }

  /// With what the plugins that are named bring.
  int print_reference() {
    for (const auto& each : train.plugins)
      if (auto loaded = load_plugin(each, "."); !loaded) {
        std::cerr << "troupe: " << to_string(loaded.error()) << "\n";
        return usage_error;
      }
    std::cout << config_reference();
    return 0;
  }

  int run() {
    if (help_config)
      return print_reference();
    if (!train_app->parsed())
      release_signals();
    if (train_app->parsed()) {
      if (train.config_path.empty()) {
        std::cerr << "troupe train: expected a config file\n";
        return usage_error;
      }
      if (!resume.empty())
        train.resume = resume;
      return train_command(train);
    }
    if (data_app->parsed())
      return data_command(data, std::cout, std::cerr);
    if (doctor_app->parsed())
      return doctor_command(doctor_config.empty() ? std::nullopt : std::optional(doctor_config), doctor_overrides,
                            doctor_plugins, std::cout, std::cerr);
    if (plugins_app->count("--new") > 0)
      plugins.new_name = new_plugin;
    if (plugins_app->parsed())
      return plugins_command(plugins, std::cout, std::cerr);
    return trace_code;
  }
};

} // namespace

/// Called by the binary, which has set the process up. Returns the exit code.
extern "C" int troupe_program(int argc, char** argv) {
  command_line line;
  try {
    line.app.parse(arguments_of(argc, argv));
  } catch (const CLI::ParseError& error) {
    return line.app.exit(error) == 0 ? 0 : usage_error;
  }
  return line.run();
}
