#include "app/prepare_run.hpp"

#include "app/config/check_resume.hpp"
#include "app/config/data_sources.hpp"
#include "app/config/load_config.hpp"
#include "app/config/scalar_text.hpp"
#include "app/config/validate.hpp"
#include "app/config/write_config.hpp"
#include "app/plugins/plugin_loader.hpp"
#include "app/unjudged.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>

namespace troupe {

namespace {

std::string plugins_of(const run_config& config) {
  std::string list;
  for (const auto& path : config.plugins)
    list += (list.empty() ? "" : ", ") + print_text(path);
  return "plugins=[" + list + "]";
}

/// Reads a stored config. Its plugins are loaded from where the new config has them. Where one is gone that brought only
/// what a resumed run may leave out, that is left out here, too.
expected<run_config> parse_stored(const std::string& text, const std::string& source, const run_config& config) {
  const auto plugins = plugins_of(config);
  auto stored = parse_config(text, source, {plugins});
  if (stored)
    return stored;
  auto without = parse_config(
    text, source, {plugins, "validation.metrics=[]", "log.sinks=[]", "checkpoint.monitor=top1", "checkpoint.mode=max"});
  return without ? without : stored;
}

/// A plugin that has been built anew, or is not there, may change what is trained on (a decoder does so by being loaded):
/// nobody can tell, so the user is told.
void tell_of_changed_plugins(const std::map<std::string, std::string>& notes, std::vector<std::string>& notices) {
  constexpr std::string_view prefix = "plugin.";
  const auto& loaded = loaded_plugins();
  for (const auto& [note, digest] : notes) {
    if (!note.starts_with(prefix))
      continue;
    const auto name = note.substr(prefix.size());
    const auto now = std::find_if(loaded.begin(), loaded.end(), [&](auto& each) { return each.name == name; });
    if (now == loaded.end() || now->digest != digest)
      notices.push_back("plugin " + name + (now == loaded.end() ? " is not loaded any more" : " has changed")
                        + " since the checkpoint was written: the run may no longer be bit-exact");
  }
}

/// Takes over what the run left behind: its newest checkpoint that verifies.
expected<void> resume(run_job& job) {
  const auto checkpoints = job.folder + "/checkpoints";
  auto loaded = load_newest(checkpoints, &job.notices);
  if (!loaded)
    return failure{loaded.error().code, "cannot resume: " + loaded.error().context};
  auto stored = parse_stored(loaded->extra.config_yaml, loaded->entry.path + "/config.yaml", job.config);
  if (!stored)
    return failure{stored.error().code, "cannot resume: " + stored.error().context};
  auto notices = check_resume(*stored, job.config);
  if (!notices)
    return failure{notices.error().code, "cannot resume: " + notices.error().context};
  job.notices.insert(job.notices.end(), notices->begin(), notices->end());
  if (auto cleaned = clean_temp_folders(checkpoints); !cleaned)
    return cleaned.error();
  auto version = next_version(checkpoints);
  if (!version)
    return version.error();
  auto judged = judged_steps(job.folder + "/validation.csv");
  if (!judged)
    job.notices.push_back("all that is due will be validated again: " + to_string(judged.error()));
  auto attached = read_attachments(loaded->state.attachments);
  if (!attached)
    return failure{attached.error().code, "cannot resume: " + loaded->entry.path + ": " + attached.error().context};
  job.attached = std::move(*attached);
  tell_of_changed_plugins(loaded->extra.notes, job.notices);
  job.first_version = std::max(*version, loaded->state.tag.version + 1);
  job.name = loaded->state.tag.run;
  job.resumed_from = loaded->entry.name;
  job.resume_notes = std::move(loaded->extra.notes);
  job.resume_from = std::make_shared<const snapshot>(std::move(loaded->state));
  if (validation_source(job.config.data))
    job.unjudged = find_unjudged(checkpoints, job.resume_from, job.config.validation.every, job.config.train.epochs,
                                 judged ? *judged : std::set<std::uint64_t>{});
  return {};
}

expected<run_folder> find_folder(const run_config& config, const std::string& wish, bool& fresh) {
  if (wish != "newest" && wish != "auto")
    return reopen_run_folder(wish);
  auto newest = find_newest_run(config.run.dir, config.run.name);
  if (newest) {
    auto entries = list_checkpoints(*newest + "/checkpoints");
    if (wish == "newest" || (entries && !entries->empty()))
      return reopen_run_folder(*newest);
  } else if (wish == "newest") {
    return failure{ec::not_found, "cannot resume: there is no run called " + config.run.name + " in " + config.run.dir
                                    + " (--resume=auto starts one)"};
  }
  fresh = true;
  return make_run_folder(config.run.dir, config.run.name);
}

} // namespace

expected<prepared_run> prepare_run(const train_options& options) {
  auto config = load_config(options.config_path, options.overrides, options.plugins);
  if (!config)
    return config.error();
  auto job = std::make_shared<run_job>();
  job->config = std::move(*config);
  job->threads = plan_threads(job->config, num_usable_cores());
  job->config_yaml = write_config(job->config);
  job->name = job->config.run.name;
  job->notices = find_oddities(job->config);
  bool fresh = !options.resume;
  auto folder =
    fresh ? make_run_folder(job->config.run.dir, job->name) : find_folder(job->config, *options.resume, fresh);
  if (!folder)
    return folder.error();
  job->folder = folder->path;
  if (!fresh) {
    if (auto resumed = resume(*job); !resumed)
      return resumed.error();
  } else if (auto written = replace_file(job->folder + "/config.yaml", job->config_yaml); !written) {
    return written.error();
  }
  return prepared_run{std::move(job), std::move(*folder)};
}

} // namespace troupe
