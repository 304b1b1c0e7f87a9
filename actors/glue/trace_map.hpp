/// The memory of the trace: rings, tables of counts, names and actors in one file mapping that outlives a SIGKILL.
#pragma once

#include "actors/glue/trace_actors.hpp"
#include "actors/glue/trace_ring.hpp"
#include "actors/glue/trace_stats.hpp"
#include "actors/glue/trace_strings.hpp"
#include "actors/support/expected.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

inline constexpr std::array<char, 8> trace_map_magic = {'T', 'R', 'P', 'R', 'I', 'N', 'G', 'S'};
inline constexpr std::uint32_t trace_map_version = 3;

/// Who traced, since when, and where what lies. The atomics are what the running process keeps up to date.
struct trace_map_header {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::uint32_t policy;      ///< `ring_policy`
  std::uint64_t nonce;       ///< Drawn at random for each process: makes message ids unique for ever.
  std::uint64_t process;     ///< PID.
  std::int64_t monotonic_ns; ///< CLOCK_MONOTONIC and
  std::int64_t realtime_ns;  ///< CLOCK_REALTIME at the same moment, the start.
  std::uint64_t num_rings;
  std::uint64_t ring_capacity; ///< Records per ring.
  std::uint64_t total_bytes;
  std::uint64_t num_cpus; ///< Cores that the process may use.
  std::array<char, 64> host;
  std::atomic<std::int64_t> last_seen_ns;      ///< CLOCK_MONOTONIC when the tracer last looked.
  std::atomic<std::uint64_t> homeless;         ///< Records of threads that found no free ring.
  std::atomic<std::uint64_t> rings_in_memory;  ///< Rings that the file has no room for: they die with the process.
  std::atomic<std::uint64_t> lost;             ///< Records that the tracer took and could not write.
  std::atomic<std::uint32_t> fatal_signal;     ///< What killed the process, if it could still say so.
  std::atomic<std::uint32_t> last_words_bytes; ///< Stored last.
  std::array<char, 240> last_words;            ///< The exception that nobody caught.
};

/// Who has a ring. Lies apart from the ring itself, which gets its memory only when a thread first takes it.
struct ring_claim {
  std::atomic<std::uint32_t> taken; ///< 1 while a thread writes there.
  std::atomic<std::uint32_t> used;  ///< `ring_place`: set once the ring has memory.
};

/// Where a ring lies.
enum class ring_place : std::uint32_t { nowhere = 0, file = 1, memory = 2 };

/// What an actor was at.
struct actor_state {
  std::uint32_t name = 0;
  std::uint64_t mailbox_depth = 0; ///< Messages that were not taken up yet.
  std::optional<handling> now;     ///< The message in hand; none: idle.
};

struct trace_map_options {
  std::string path; ///< File to make; empty: plain memory.
  std::uint64_t nonce = 0;
  ring_policy policy = ring_policy::keep_newest;
  std::size_t num_rings = 64;        ///< Threads that can record at a time.
  std::size_t ring_capacity = 16384; ///< Power of two.
};

/// Owns the mapping. Every part is taken up in place by the views that it hands out, which must not outlive it.
class trace_map {
public:
  /// Makes the file and maps it, preallocated, so that a disk that runs full cannot fault whoever writes. Where that is
  /// impossible, plain memory takes its place and `problem` says why.
  static expected<std::shared_ptr<trace_map>> create(const trace_map_options& options);

  /// Maps the file of a process, running or dead, for reading only. Rings that died with the process are not there.
  static expected<std::shared_ptr<trace_map>> open(const std::string& path);

  /// Whether the process that made the file still lives: it holds a lock on it (flock), which no death leaves behind.
  [[nodiscard]] static bool is_held(const std::string& path) noexcept;

  trace_map(const trace_map&) = delete;
  trace_map& operator=(const trace_map&) = delete;
  ~trace_map();

  [[nodiscard]] trace_map_header& header() const noexcept;
  [[nodiscard]] trace_strings strings() const noexcept;
  /// @param index 0 .. `max_traced_actors` - 1
  [[nodiscard]] traced_actor actor(std::size_t index) const noexcept;
  /// @param index 0 .. `header().num_rings` - 1; the next three likewise.
  [[nodiscard]] trace_ring ring(std::size_t index) const noexcept;
  [[nodiscard]] trace_stats stats(std::size_t index) const noexcept;
  /// There is something to read.
  [[nodiscard]] bool ring_used(std::size_t index) const noexcept;

  /// What all actors are doing at this moment.
  [[nodiscard]] std::vector<actor_state> actor_states() const;

  /// Takes a free ring for the calling thread; `header().num_rings` if there is none.
  [[nodiscard]] std::size_t claim_ring() noexcept;
  void release_ring(std::size_t index) noexcept;

  /// All counts so far, of all threads.
  [[nodiscard]] stats_map merged_stats() const;
  /// Records that no ring took.
  [[nodiscard]] std::uint64_t dropped() const noexcept;

  /// File of the mapping; empty if it lies in plain memory, for the reason that `problem` gives.
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }

private:
  trace_map(std::byte* base, std::size_t num_bytes, int fd, std::string path, bool is_ours) noexcept;

  [[nodiscard]] std::byte* ring_memory(std::size_t index) const noexcept;
  [[nodiscard]] ring_claim& claim_of(std::size_t index) const noexcept;
  [[nodiscard]] ring_place back_ring(std::size_t index) noexcept;

  std::byte* base_;
  std::size_t num_bytes_;
  int fd_;
  std::string path_;
  std::string problem_;
  bool is_ours_; ///< This process writes.
};

} // namespace troupe
