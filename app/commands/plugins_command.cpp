#include "app/commands/plugins_command.hpp"

#include "app/config/load_config.hpp"
#include "app/plugins/new_plugin.hpp"
#include "app/plugins/plugin_check.hpp"
#include "app/plugins/plugin_list.hpp"
#include "app/plugins/plugin_loader.hpp"
#include "app/plugins/plugin_search.hpp"

#include "actors/plugin/plugin_roles.hpp"

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <utility>
#include <variant>

namespace troupe {

namespace {

constexpr int failed = 1;
constexpr int refused = 2;

int tell(const failure& error, int code, std::ostream& err) {
  err << "troupe: " << to_string(error) << "\n";
  return code;
}

struct loading {
  std::vector<loaded_plugin> plugins;
  std::vector<std::string> refusals;
};

/// Each plugin once, however often it is named.
loading load_all(const std::vector<std::string>& files) {
  loading result;
  for (const auto& file : files) {
    auto plugin = load_plugin(file, ".");
    if (!plugin)
      result.refusals.push_back(to_string(plugin.error()));
    else if (std::none_of(result.plugins.begin(), result.plugins.end(),
                          [&plugin](const loaded_plugin& x) { return x.path == plugin->path; }))
      result.plugins.push_back(std::move(*plugin));
  }
  return result;
}

void tell_refusals(const loading& found, std::ostream& err) {
  for (const auto& each : found.refusals)
    err << "troupe: " << each << "\n";
}

int list_plugins(const plugins_options& options, std::ostream& out, std::ostream& err) {
  const auto files = options.files.empty() ? plugins_on_path(".") : options.files;
  const auto found = load_all(files);
  if (options.json)
    out << plugins_json(found.plugins, found.refusals);
  else if (files.empty())
    out << "no plugins; other folders can be named in TROUPE_PLUGIN_PATH\n";
  else
    out << plugins_text(found.plugins);
  tell_refusals(found, err);
  return found.refusals.empty() ? 0 : refused;
}

void give(given_parameters& to, const std::string& kind, const std::vector<component_use>& uses) {
  for (const auto& each : uses)
    to[{kind, each.name}] = each.values;
}

void give(given_parameters& to, const std::vector<transform_config>& list) {
  for (const auto& each : list)
    if (const auto* of_plugin = std::get_if<plugin_transform_config>(&each); of_plugin != nullptr)
      to[{"transform", of_plugin->name}] = of_plugin->values;
}

/// The parameters of all components that the config uses; of one that is used twice those of training.
given_parameters parameters_in(const run_config& config) {
  given_parameters out;
  give(out, config.transforms.validation);
  give(out, config.transforms.train);
  give(out, "batch transform", config.transforms.batch_steps);
  if (config.data.validation)
    out[{"data set", config.data.validation->dataset}] = config.data.validation->options;
  out[{"data set", config.data.train.dataset}] = config.data.train.options;
  give(out, "decoder", config.data.decode.formats);
  out[{"model", config.model.name}] = config.model.options;
  give(out, "metric", config.validation.metrics);
  give(out, "log sink", config.log.sinks);
  for (const auto& each : config.pipeline.stages)
    for (const auto* kind : {"augmenter", "stage", "listener"})
      out[{kind, each.what.name}] = each.what.values;
  return out;
}

bool is_bad(const checked_plugin& x) {
  return std::any_of(x.findings.begin(), x.findings.end(), [](auto& each) { return each.how == finding_kind::bad; });
}

/// As text, findings are printed as soon as they are there.
std::vector<checked_plugin> check_all(const loading& loaded, const check_options& how, bool json, std::ostream& out) {
  std::vector<checked_plugin> checked;
  for (const auto& plugin : loaded.plugins) {
    out.flush(); // A check is a process of its own, which would print it once more.
    checked.push_back({plugin, check_plugin(plugin, how)});
    if (!json)
      out << findings_text(checked.back().findings);
  }
  if (json)
    out << findings_json(checked, loaded.refusals);
  return checked;
}

int check_plugins(const plugins_options& options, std::ostream& out, std::ostream& err) {
  check_options how;
  how.num_samples = options.num_samples;
  how.sample_path = options.sample_path;
  if (!options.config_path.empty()) {
    const auto config = load_config(options.config_path, {}, options.files);
    if (!config)
      return tell(config.error(), refused, err);
    how.given = parameters_in(*config);
  }
  const auto loaded = load_all(options.files);
  tell_refusals(loaded, err);
  const auto checked = check_all(loaded, how, options.json, out);
  return !loaded.refusals.empty() ? refused : std::any_of(checked.begin(), checked.end(), is_bad) ? failed : 0;
}

int begin_plugin(const plugins_options& options, std::ostream& out, std::ostream& err) {
  std::error_code unknown;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", unknown);
  const auto troupe_dir = find_troupe_dir(program.parent_path().string());
  if (!troupe_dir)
    return tell(troupe_dir.error(), failed, err);
  const auto written = write_new_plugin(*options.new_name, options.new_folder, *troupe_dir);
  if (!written)
    return tell(written.error(), written.error().code == ec::bad_config ? refused : failed, err);
  for (const auto& each : *written)
    out << each << "\n";
  return 0;
}

} // namespace

int plugins_command(const plugins_options& options, std::ostream& out, std::ostream& err) {
  if (options.new_name)
    return begin_plugin(options, out, err);
  if (!options.check)
    return list_plugins(options, out, err);
  if (options.files.empty())
    return tell({ec::bad_config, "plugins --check: no file is named, expected a plugin"}, refused, err);
  return check_plugins(options, out, err);
}

} // namespace troupe
