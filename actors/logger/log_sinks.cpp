#include "actors/logger/log_sinks.hpp"

#include "actors/logger/csv_columns.hpp"
#include "actors/logger/events.hpp"
#include "actors/logger/validation_table.hpp"
#include "actors/support/file_io.hpp"
#include "actors/support/imaging/confusion_image.hpp"

#include <cstdlib>
#include <unistd.h>

#include <sys/ioctl.h>

namespace troupe {

namespace {

terminal_facts look_at_terminal() {
  auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  winsize size{};
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
  return {isatty(STDOUT_FILENO) == 1, variable("TERM"), variable("NO_COLOR"), known ? size.ws_col : std::size_t{0}};
}

event_file_name name_for(double wall) {
  char host[256] = {};
  gethostname(host, sizeof(host) - 1);
  return {static_cast<std::uint64_t>(wall), host, static_cast<std::uint64_t>(getpid()), 0};
}

} // namespace

log_sinks::log_sinks(logger_config config, console::sink write, console::sink warn, double wall)
  : config_(std::move(config)), console_(console_style_for(config_.console, look_at_terminal()), config_.total_epochs,
                                         config_.total_steps, std::move(write), std::move(warn)),
    metrics_(config_.every_steps), bad_samples_(config_.folder + "/bad_samples.csv") {
  open_files(wall);
  plugins_.emplace(config_, [this](const failure& why) { note_loss(why); });
}

void log_sinks::open_files(double wall) {
  std::string classes;
  for (auto& name : config_.classes)
    classes += name + "\n";
  if (auto written = replace_file(config_.folder + "/classes.txt", classes); !written)
    note_loss(written.error());
  // A resumed run may have other settings than before; only here is it sure that it goes on.
  if (auto written = replace_file(config_.folder + "/config.yaml", config_.config_yaml); !written)
    note_loss(written.error());
  if (auto opened = bad_samples_.open(); !opened)
    note_loss(opened.error());
  if (config_.csv)
    open_tables();
  if (config_.tensorboard)
    open_events(wall);
}

void log_sinks::open_tables() {
  const auto resumed = config_.resumed ? std::optional(config_.resumed_step) : std::nullopt;
  auto open_csv = [&](const std::string& path, csv_fields columns, std::optional<csv_file>& file) {
    auto opened = csv_file::open(path, std::move(columns), resumed);
    if (opened)
      file.emplace(std::move(*opened));
    else
      note_loss(opened.error());
  };
  open_csv(config_.folder + "/metrics.csv", metrics_columns(), metrics_csv_);
  const auto path = config_.folder + "/validation.csv";
  const auto columns = validation_columns(config_.classes, config_.figures);
  if (resumed) {
    const auto changed = change_csv_columns(path, columns, validation_columns(config_.classes));
    if (!changed)
      note_loss(changed.error());
    else if (*changed)
      console_.note(path + " has other figures from now on; as it was it is kept in " + **changed);
  }
  open_csv(path, columns, validation_csv_);
}

void log_sinks::open_events(double wall) {
  auto opened = event_file::open(config_.folder, name_for(wall), wall, config_.resumed_step);
  if (!opened) {
    note_loss(opened.error());
    return;
  }
  events_.emplace(std::move(*opened));
  if (!config_.hyper_parameters.empty())
    append_event(hparams_event(wall, config_.hyper_parameters, config_.run));
}

void log_sinks::note_loss(const failure& why) {
  if (result_.lost_rows++ > 0)
    return;
  result_.first_error = to_string(why);
  console_.warning("logger: " + result_.first_error + "; training goes on, what is lost is counted");
}

void log_sinks::append(std::optional<csv_file>& file, const csv_fields& row) {
  if (!file)
    result_.lost_rows += config_.csv ? 1 : 0;
  else if (auto done = file->append(row); !done)
    note_loss(done.error());
}

void log_sinks::append_event(const std::string& event) {
  if (!events_)
    result_.lost_rows += config_.tensorboard ? 1 : 0;
  else if (auto done = events_->append(event); !done)
    note_loss(done.error());
}

void log_sinks::add(const step_completed& step, double now, double wall) {
  auto row = metrics_.add(step);
  if (row) {
    append(metrics_csv_, metrics_fields(*row));
    append_event(scalars_event(wall, row->step, train_scalars(*row)));
    plugins_->metrics(step);
  }
  console_.step(step, row, now);
}

void log_sinks::add(const validation_report& report, double wall) {
  const auto step = report.snapshot->tag.step;
  result_.newest_validation = validation_score{report.top1, report.loss, step};
  console_.validation(report);
  // The judgement of the step that a run was resumed from is made again: it may be there already.
  if (!validation_csv_ || !validation_csv_->has_step(step)) {
    if (auto fields = validation_fields(report, config_.classes.size(), config_.figures))
      append(validation_csv_, *fields);
    else
      note_loss(fields.error());
  }
  append_event(scalars_event(wall, step, validation_scalars(report)));
  add_confusion_image(report, wall);
  plugins_->validation(report);
}

void log_sinks::add_confusion_image(const validation_report& report, double wall) {
  if (!events_ || config_.classes.size() > max_confusion_classes)
    return;
  auto picture = draw_confusion_matrix(report.confusion, config_.classes);
  if (picture)
    append_event(image_event(wall, report.snapshot->tag.step, "confusion/validation", picture->width, picture->height,
                             picture->bytes));
  else
    note_loss(picture.error());
}

void log_sinks::add(const bad_sample_found& fact) {
  if (auto added = bad_samples_.add(fact); !added)
    note_loss(added.error());
}

void log_sinks::add(const notice& line) {
  if (line.level == severity::info)
    console_.note(line.text);
  else
    console_.warning(line.text);
  plugins_->told(line);
}

logger_finished log_sinks::finish(bool run_succeeded, double wall) {
  if (!config_.hyper_parameters.empty())
    append_event(hparams_end_event(wall, run_succeeded ? session_status::success : session_status::failure));
  plugins_->close(run_succeeded);
  console_.finish();
  return result_;
}

} // namespace troupe
