/// What a person sees while a run goes on: one live line on a terminal, plain lines elsewhere.
#pragma once

#include "actors/logger/logger_config.hpp"
#include "actors/logger/metrics_table.hpp"
#include "actors/logger/progress.hpp"
#include "messages/checkpoint.hpp"
#include "messages/metric.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace troupe {

/// How the console writes.
struct console_style {
  enum class kind : std::uint8_t {
    quiet, ///< Warnings only.
    plain, ///< Whole lines only; neither "\r" nor colour.
    live,  ///< Also one line that is drawn again and again, below all others.
  };
  kind how = kind::plain;
  bool colour = false;      ///< In `live` only.
  std::size_t columns = 80; ///< Width of the terminal.
};

/// What is known about the place that the output goes to.
struct terminal_facts {
  bool is_terminal = false;
  std::string term;        ///< $TERM; "dumb" cannot move its cursor.
  std::string no_color;    ///< $NO_COLOR; anything but nothing forbids colour (https://no-color.org).
  std::size_t columns = 0; ///< 0: unknown.
};

/// The style for what the user asked and the place that there is.
[[nodiscard]] console_style console_style_for(console_mode mode, const terminal_facts& terminal);

/// Writes news through one sink and warnings through another, in whole lines and whole redraws: one call each. Has no clock: `now` is in seconds since any
/// fixed moment. Owned by one thread. Texts from outside are made printable.
class console {
public:
  using sink = std::function<void(std::string_view)>;

  /// `total_epochs` and `total_steps`: 0 where unknown.
  console(console_style style, std::uint64_t total_epochs, std::uint64_t total_steps, sink write, sink warn);

  /// Shows a step: redraws the live line, at most ten times a second; in plain lines, shows `row` if there is one.
  /// At an epoch's end also a line about the epoch. To be called with every step, in order.
  void step(const step_completed& step, const std::optional<metrics_row>& row, double now);

  void validation(const validation_report& report);
  void saved(const checkpoint_saved& checkpoint);
  void failed(const checkpoint_failed& checkpoint);
  void warning(std::string_view text);
  void note(std::string_view text);

  /// Takes the live line away, for good if no step follows: before the closing lines.
  void finish();

  void columns(std::size_t width) { style_.columns = width; }

private:
  [[nodiscard]] std::string where(std::uint64_t epoch, std::uint64_t step) const;
  [[nodiscard]] std::string live_line(const step_completed& step) const;
  [[nodiscard]] std::string row_line(const metrics_row& row) const;
  [[nodiscard]] std::string epoch_line(std::uint64_t epoch) const;
  [[nodiscard]] std::string drawn(std::string_view line) const;
  void print(std::string_view line);

  console_style style_;
  std::uint64_t total_epochs_;
  std::uint64_t total_steps_;
  sink write_;
  sink warn_;
  progress progress_;
  std::string live_;               ///< The line on the screen, uncut; empty: none.
  std::optional<double> drawn_at_; ///< `now` of the last redraw.
};

} // namespace troupe
