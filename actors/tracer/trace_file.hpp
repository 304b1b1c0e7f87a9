/// The trace file: blocks that each carry their checksum, so that a crash costs no more than the last one.
/// The format is in README.md.
#pragma once

#include "actors/glue/trace_map.hpp"
#include "actors/support/expected.hpp"
#include "actors/support/file_io.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace troupe {

inline constexpr std::uint32_t trace_file_version = 2;

/// Who traced, and since when.
struct trace_file_header {
  std::uint64_t nonce = 0;
  std::uint64_t process = 0;     ///< PID
  std::int64_t monotonic_ns = 0; ///< Start on the clock of the records, and
  std::int64_t realtime_ns = 0;  ///< since 1970.
  bool full = false;             ///< All records are meant to be here, not only the counts.
  std::uint32_t num_cpus = 0;    ///< Cores that the process may use; 0: unknown.
  std::uint32_t segment = 1;     ///< Number of the file among those of the process, from 1.
  std::string host;
  friend bool operator==(const trace_file_header&, const trace_file_header&) = default;
};

[[nodiscard]] trace_file_header header_of(const trace_map& map);

/// Records of one ring: the first is number `position` of all that the ring ever took.
struct record_batch {
  std::uint32_t ring = 0;
  std::uint64_t position = 0;
  std::span<const trace_record> records;
};

/// All counts from the start until `at_ns` (clock of the records).
struct stats_block {
  std::int64_t at_ns = 0;
  stats_map stats;
};

/// The last block: the run ended in order.
struct end_block {
  std::int64_t at_ns = 0;
  std::uint64_t recorded = 0;
  std::uint64_t dropped = 0;
  std::uint64_t io_errors = 0;
  std::uint64_t cut = 0; ///< Records that were deleted again with the oldest segments.
};

/// The actors at one moment, and why it was worth to be kept.
struct moment_block {
  std::int64_t at_ns = 0;
  std::string reason;
  std::vector<actor_state> actors;
};

/// Appends blocks. Each call writes one whole block; a failure costs that block only, and the next call may succeed.
class trace_file_writer {
public:
  static expected<trace_file_writer> create(const std::string& path, const trace_file_header& header);

  /// New names. Texts of at most 65535 bytes.
  expected<void> write(const std::map<std::uint32_t, std::string>& strings);
  expected<void> write(const record_batch& batch);
  expected<void> write(const stats_block& block);
  expected<void> write(const end_block& block);
  expected<void> write(const moment_block& block);

  [[nodiscard]] const std::string& path() const noexcept { return file_.path(); }
  [[nodiscard]] std::uint64_t num_bytes() const noexcept { return file_.num_bytes(); }

  /// Waits for the device, and closes the file.
  expected<void> close();

private:
  explicit trace_file_writer(output_file file) : file_(std::move(file)) {}

  output_file file_;
};

/// What a trace file says, records apart.
struct trace_file_contents {
  trace_file_header header;
  std::map<std::uint32_t, std::string> strings;
  std::optional<stats_block> stats; ///< The newest.
  std::optional<end_block> end;     ///< None: the run is still going on, or died; or another segment follows.
  std::optional<moment_block> moment;
  std::uint64_t num_records = 0;
  std::map<std::uint32_t, std::uint64_t> first_position; ///< By ring: the number of the first record here, and
  std::map<std::uint32_t, std::uint64_t> next_position;  ///< the one after the last.
  std::vector<std::string> problems;                     ///< What was unreadable and skipped, each with its place.
};

using record_visitor = std::function<void(const record_batch&)>;

/// Reads a trace file, of a running process too, and hands its records to `visit` as they come. Blocks that are torn or
/// damaged are skipped and told of in `problems`; without a readable header it fails.
expected<trace_file_contents> read_trace_file(const std::string& path, const record_visitor& visit = {});

} // namespace troupe
