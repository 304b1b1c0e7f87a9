#include "actors/logger/run_summary.hpp"

#include "actors/support/figures.hpp"
#include "actors/support/file_io.hpp"

#include <nlohmann/json.hpp>

namespace troupe {

namespace {

using json = nlohmann::ordered_json;

json to_value(const std::optional<validation_score>& score) {
  if (!score)
    return nullptr;
  return {{"top1", score->top1}, {"loss", score->loss}, {"step", score->step}};
}

std::string describe_score(const char* name, const std::optional<validation_score>& score) {
  if (!score)
    return {};
  return std::string(name) + " top1 " + percent_text(score->top1) + ", loss " + fixed_text(score->loss, 4) + " (step "
         + std::to_string(score->step) + ")";
}

std::string describe_checkpoints(const checkpoint_counts& counts) {
  auto line = std::to_string(counts.durable) + " durable";
  if (counts.superseded > 0)
    line += ", " + std::to_string(counts.superseded) + " superseded";
  if (counts.failed > 0)
    line += ", " + std::to_string(counts.failed) + " FAILED";
  if (counts.last_failed)
    line += " (the last one among them)";
  return line;
}

/// "3 failures of clahe (disabled)"
std::string describe_failures(const run_summary& summary, const std::string& component, std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " failure of " : " failures of ") + printable(component)
         + (summary.disabled_components.contains(component) ? " (disabled)" : "");
}

std::string describe_losses(const run_summary& summary) {
  std::string line;
  const auto add = [&line](std::uint64_t count, const char* what) {
    if (count > 0)
      line += (line.empty() ? "" : ", ") + std::to_string(count) + what;
  };
  add(summary.bad_training_samples + summary.bad_validation_samples, " bad samples (bad_samples.csv)");
  add(summary.samples_skipped, " samples skipped");
  for (const auto& [component, count] : summary.plugin_failures)
    line += (line.empty() ? "" : ", ") + describe_failures(summary, component, count);
  add(summary.log_failures, " log writes failed");
  add(summary.trace_dropped, " trace records dropped");
  if (!summary.trace_problem.empty())
    line += (line.empty() ? "" : ", ") + ("the trace is not whole: " + printable(summary.trace_problem));
  return line;
}

} // namespace

std::string to_json(const run_summary& x) {
  const json document{
    {"status", to_string(x.status)},
    {"exit_code", x.exit_code},
    {"reason", x.reason},
    {"folder", x.folder},
    {"epochs", x.epochs},
    {"steps", x.steps},
    {"samples_trained", x.samples_trained},
    {"samples_skipped", x.samples_skipped},
    {"bad_samples", x.bad_training_samples + x.bad_validation_samples},
    {"validation", to_value(x.validation)},
    {"best", to_value(x.best)},
    {"wall_seconds", x.wall_seconds},
    {"train_seconds", x.train_seconds},
    {"samples_per_second", x.samples_per_second},
    {"data_wait_share", x.data_wait_share},
    {"validation_wait_seconds", x.validation_wait_seconds},
    {"peak_rss_bytes", x.peak_rss_bytes},
    {"checkpoints",
     {{"durable", x.checkpoints.durable}, {"superseded", x.checkpoints.superseded}, {"failed", x.checkpoints.failed}}},
    {"plugin_failures", json(x.plugin_failures)},
    {"disabled_components", json(x.disabled_components)},
    {"log", {{"failed", x.log_failures}}},
    {"trace",
     {{"recorded", x.trace_recorded},
      {"dropped", x.trace_dropped},
      {"cut", x.trace_cut},
      {"problem", x.trace_problem}}},
    {"git", x.git},
    {"version", x.version},
    {"seed", x.seed},
    {"threads", json(x.threads)},
  };
  return document.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
}

expected<void> write_summary(const run_summary& summary, const std::string& path) {
  if (auto done = replace_file(path, to_json(summary)); !done)
    return failure{done.error().code, "logger: cannot replace " + path + ": " + done.error().context};
  return {};
}

std::string describe(const run_summary& x) {
  std::string text;
  const auto add = [&text](const char* label, const std::string& line) {
    if (!line.empty())
      text += label + line + '\n';
  };
  add("outcome      ", std::string(to_string(x.status)) + " (exit code " + std::to_string(x.exit_code) + ")"
                         + (x.reason.empty() ? "" : ": " + printable(x.reason)));
  add("trained      ", std::to_string(x.epochs) + " epochs, " + std::to_string(x.steps) + " steps, "
                         + std::to_string(x.samples_trained) + " samples in " + duration_text(x.train_seconds));
  add("throughput   ",
      fixed_text(x.samples_per_second, 0) + " samples/s, data wait " + percent_text(x.data_wait_share));
  add("validation   ",
      describe_score("last", x.validation) + (x.validation && x.best ? "; " : "") + describe_score("best", x.best));
  add("checkpoints  ", describe_checkpoints(x.checkpoints));
  add("lost         ", describe_losses(x));
  add("folder       ", printable(x.folder)); // Last, where the eye is.
  return text;
}

} // namespace troupe
