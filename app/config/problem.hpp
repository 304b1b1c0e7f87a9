/// What is wrong with a config: every finding with its place, gathered and reported together.
#pragma once

#include "messages/failure.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// A place in a config file, or the override that a value came from.
struct position {
  std::string source; ///< File name, or `override "optimizer.lr=0.1"`.
  int line = 0;       ///< Counted from 1; 0: the source as a whole.
  int column = 0;     ///< Counted from 1.
};

/// Returns "run.yaml:12:5", or the source alone where there is no line.
[[nodiscard]] std::string to_string(const position& x);

/// One finding. The text says what was found and what was expected.
struct problem {
  position where;
  std::string path; ///< Dotted key, "transforms.train[0].random_crop.size"; empty: the file as a whole.
  std::string text;
};

/// Gathers problems; every one is counted, the first `max_reported` are kept for the report.
class problem_list {
public:
  static constexpr std::size_t max_reported = 20;

  void add(position where, std::string path, std::string text);

  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  [[nodiscard]] const std::vector<problem>& kept() const noexcept { return kept_; }

  /// True if a kept problem is about `path`, something inside of it, or something that contains it.
  [[nodiscard]] bool concerns(std::string_view path) const;

  /// Returns all kept problems, one per line, by place: the file's from top to bottom, then the
  /// overrides'.
  [[nodiscard]] failure report() const;

private:
  std::vector<problem> kept_;
  std::size_t count_ = 0;
};

/// Returns `text` in quotes, fit for one line of a terminal: control characters escaped, cut after 60 bytes with the
/// full length named.
[[nodiscard]] std::string shown(std::string_view text);

} // namespace troupe
