#include "actors/logger/console.hpp"

#include "actors/support/figures.hpp"

#include <utility>

namespace troupe {

namespace {

constexpr std::string_view clear_line = "\r\x1b[K";
constexpr std::string_view yellow = "\x1b[33m";
constexpr std::string_view plain_again = "\x1b[0m";
constexpr double redraw_seconds = 0.1;

std::string of_total(std::uint64_t value, std::uint64_t total) {
  return std::to_string(value) + (total == 0 ? "" : '/' + std::to_string(total));
}

std::string pace(double samples_per_second, double data_wait_share) {
  return fixed_text(samples_per_second, 0) + " samples/s  data wait " + percent_text(data_wait_share);
}

} // namespace

console_style console_style_for(console_mode mode, const terminal_facts& terminal) {
  using kind = console_style::kind;
  console_style style;
  switch (mode) {
  case console_mode::quiet:
    style.how = kind::quiet;
    break;
  case console_mode::plain:
    style.how = kind::plain;
    break;
  case console_mode::live:
    style.how = kind::live;
    break;
  case console_mode::automatic:
    style.how = terminal.is_terminal && terminal.term != "dumb" ? kind::live : kind::plain;
    break;
  }
  style.colour = style.how == kind::live && terminal.no_color.empty();
  if (terminal.columns > 0)
    style.columns = terminal.columns;
  return style;
}

console::console(console_style style, std::uint64_t total_epochs, std::uint64_t total_steps, sink write, sink warn)
  : style_(style), total_epochs_(total_epochs), total_steps_(total_steps), write_(std::move(write)),
    warn_(std::move(warn)) {
  style_.colour = style_.colour && style_.how == console_style::kind::live;
}

void console::step(const step_completed& step, const std::optional<metrics_row>& row, double now) {
  progress_.add(step);
  if (style_.how == console_style::kind::quiet)
    return;
  if (style_.how == console_style::kind::plain && row)
    print(row_line(*row));
  if (style_.how == console_style::kind::live) {
    // A clock that was set back must not freeze the line.
    const bool due = !drawn_at_ || now < *drawn_at_ || now - *drawn_at_ >= redraw_seconds;
    if (due) {
      live_ = live_line(step);
      drawn_at_ = now;
      write_(drawn(live_));
    }
  }
  if (step.last_in_epoch)
    print(epoch_line(step.epoch));
}

void console::validation(const validation_report& report) {
  std::string line = "validation";
  if (report.snapshot)
    line += "  " + where(report.snapshot->tag.epoch, report.snapshot->tag.step);
  line += "  loss " + fixed_text(report.loss, 4) + "  top1 " + percent_text(report.top1) + "  top"
          + std::to_string(report.k) + ' ' + percent_text(report.topk);
  for (const auto& figure : report.figures)
    line += "  " + printable(figure.name) + ' ' + short_text(figure.value);
  line += "  in " + fixed_text(report.seconds, 1) + " s";
  if (style_.how != console_style::kind::quiet)
    print(line);
}

void console::saved(const checkpoint_saved& checkpoint) {
  note("checkpoint  step " + std::to_string(checkpoint.tag.step) + "  " + checkpoint.path + "  "
       + bytes_text(static_cast<double>(checkpoint.num_bytes)) + " in " + fixed_text(checkpoint.seconds, 2) + " s");
}

void console::failed(const checkpoint_failed& checkpoint) {
  warning("the checkpoint of step " + std::to_string(checkpoint.tag.step)
          + " was not saved: " + to_string(checkpoint.why));
}

void console::warning(std::string_view text) {
  const auto line = "warning: " + printable(text);
  if (!live_.empty())
    write_(clear_line);
  warn_((style_.colour ? std::string(yellow) + line + std::string(plain_again) : line) + '\n');
  if (!live_.empty())
    write_(drawn(live_));
}

void console::note(std::string_view text) {
  if (style_.how != console_style::kind::quiet)
    print(printable(text));
}

void console::finish() {
  if (live_.empty())
    return;
  live_.clear();
  drawn_at_.reset();
  write_(clear_line);
}

std::string console::where(std::uint64_t epoch, std::uint64_t step) const {
  return "epoch " + of_total(epoch, total_epochs_) + "  step " + of_total(step, total_steps_);
}

/// Short, so that it is whole on a terminal of 80 columns.
std::string console::live_line(const step_completed& step) const {
  const auto recent = progress_.recent();
  return "epoch " + of_total(step.epoch, total_epochs_) + " step " + of_total(step.step, total_steps_) + " loss "
         + fixed_text(recent.loss, 4) + " acc " + percent_text(recent.accuracy) + ' '
         + fixed_text(recent.samples_per_second, 0) + "/s wait " + percent_text(recent.data_wait_share) + " eta "
         + duration_text(progress_.seconds_left(total_steps_));
}

std::string console::row_line(const metrics_row& row) const {
  return where(row.epoch, row.step) + "  loss " + fixed_text(row.loss, 4) + "  accuracy " + percent_text(row.accuracy)
         + "  lr " + short_text(row.learning_rate) + "  " + pace(row.samples_per_second, row.data_wait_share) + "  eta "
         + duration_text(progress_.seconds_left(total_steps_));
}

std::string console::epoch_line(std::uint64_t epoch) const {
  const auto figures = progress_.epoch();
  return "epoch " + of_total(epoch, total_epochs_) + " done  loss " + fixed_text(figures.loss, 4) + "  accuracy "
         + percent_text(figures.accuracy) + "  " + pace(figures.samples_per_second, figures.data_wait_share) + "  in "
         + duration_text(figures.seconds);
}

std::string console::drawn(std::string_view line) const {
  // The last column stays free: many terminals wrap as soon as it is written.
  const auto room = style_.columns > 1 ? style_.columns - 1 : 1;
  return std::string(clear_line) + std::string(line.substr(0, room));
}

void console::print(std::string_view line) {
  const auto text = std::string(line) + '\n';
  write_(live_.empty() ? text : std::string(clear_line) + text + drawn(live_));
}

} // namespace troupe
