/// Moves what the recorder holds into the trace file. Knows no actors and no clock.
#pragma once

#include "actors/glue/trace_recorder.hpp"
#include "actors/support/expected.hpp"
#include "actors/tracer/trace_file.hpp"
#include "actors/tracer/trace_segments.hpp"
#include "actors/tracer/tracer_config.hpp"

#include <bitset>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

/// One per recorder, on one thread. A write that fails is counted and its records are given up: the rings must not fill.
class trace_drain {
public:
  /// Makes the first trace file in `folder`. Without it all records will be lost and counted as such.
  trace_drain(trace_recorder& recorder, const std::string& folder, std::uint64_t max_bytes = tracer_config{}.max_bytes);

  /// Stores the records that the rings hold and frees their places.
  void drain();

  /// Says that the process lives, and stores the counts so far now and then.
  void tally(std::int64_t now_ns);

  /// Writes the flight recorder: the newest records, all counts, and what everybody is at, to a file of its own
  /// (`flight-<nonce>-<number>.trc`; the newest 16 are kept). Returns its path. Nothing else changes.
  expected<std::string> dump(std::int64_t now_ns, const std::string& reason);

  /// Stops the recorder, stores all that is left, closes the file, and deletes the rings' file if nothing of it was lost.
  end_block finish(std::int64_t now_ns);

  /// The first thing that went wrong; empty: nothing.
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }

private:
  void drain_ring(std::size_t index);
  void write_new_strings();
  void write_tally(std::int64_t now_ns);
  expected<void> write_dump(trace_file_writer& file, std::int64_t now_ns, const std::string& reason) const;
  template <class Block>
  bool write(const Block& block);
  bool note(const expected<void>& result);
  [[nodiscard]] std::map<std::uint32_t, std::string> strings_not_in(const std::bitset<max_trace_strings>& stored) const;
  [[nodiscard]] end_block books(std::int64_t now_ns) const;

  trace_recorder& recorder_;
  std::string folder_;
  std::optional<trace_segments> file_;
  std::string problem_;
  std::bitset<max_trace_strings> stored_strings_;
  std::vector<trace_record> buffer_;
  std::uint64_t num_tallies_ = 0;
  std::uint64_t io_errors_ = 0;
  std::uint64_t num_dumps_ = 0;
};

} // namespace troupe
