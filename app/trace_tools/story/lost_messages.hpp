/// `troupe trace dead`: messages that were never handled, which of them matter, and whether the books of a run add up.
#pragma once

#include "actors/tracer/recorded_trace.hpp"

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

/// Messages of one type that one actor did not handle, of one outcome.
struct lost_messages {
  std::size_t process = 0; ///< Index in the trace.
  std::string actor;
  std::string type;
  trace_outcome outcome = trace_outcome::never_handled;
  std::uint64_t count = 0;
  bool normal = false; ///< It happens at the end of every run.
  std::string reason;
  std::vector<std::uint64_t> newest; ///< Ids of the last few, oldest first; as far as their records are there.
};

/// What an actor of a process that did not end in order still had to do.
struct lost_with_process {
  std::size_t process = 0;
  std::string actor;
  std::uint64_t in_mailbox = 0;
  std::string in_hand; ///< Type of the message; empty: none.
};

/// One sum that must come out.
struct book_check {
  std::size_t process = 0;
  std::string what;    ///< "chunks handed to the augmenters = done + not handled"
  std::string figures; ///< "12 = 11 + 1"
  bool adds_up = true;
  std::string note; ///< Why a difference is no fault, or what it means.
};

/// What the run says about itself (summary.json); all processes together.
struct run_books {
  std::uint64_t samples_trained = 0;
  std::uint64_t samples_skipped = 0;
};

struct lost_report {
  const recorded_trace* trace = nullptr;
  std::vector<lost_messages> lost;             ///< Those that are not normal first.
  std::vector<lost_with_process> with_process; ///< Of processes that died, or still run.
  std::vector<book_check> checks;

  /// Nothing is lost that should not be, and all sums come out.
  [[nodiscard]] bool adds_up() const noexcept;
};

/// Reads the books that `summary.json` of a run folder holds; nothing if there is none, or it is none of ours.
[[nodiscard]] std::optional<run_books> read_books(const std::string& run_folder);

/// Looks for them. From the exact counts, whatever the mode; the ids from the records that are there. `trace` must
/// outlive the report.
[[nodiscard]] lost_report find_lost(const recorded_trace& trace, const std::optional<run_books>& books);

/// The sums of all processes.
[[nodiscard]] std::vector<book_check> check_books(const recorded_trace& trace, const std::optional<run_books>& books);

/// Adds what the records of whole traces tell of samples, against `books`.
void check_samples(const recorded_trace& trace, const run_books& books, std::vector<book_check>& out);

void print_text(const lost_report& report, std::ostream& out);
void print_json(const lost_report& report, std::ostream& out);

} // namespace troupe
