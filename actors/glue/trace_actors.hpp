/// What every actor is doing right now, readable from other threads and processes: for stall reports.
#pragma once

#include "actors/glue/trace_record.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace troupe {

/// Actors that can be watched at a time; the rest share the place 0, of which only the mailbox depth is known.
inline constexpr std::size_t max_traced_actors = 1024;

/// One actor. Atomics, because senders count what they put into the mailbox, the actor's thread says what it is at, and
/// a watchdog reads all that without stopping anybody. `sequence` is odd while the words change.
struct actor_cell {
  static constexpr std::size_t num_words = 7; ///< message, since, type, sample, batch, step, version

  alignas(64) std::atomic<std::uint64_t> actor; ///< CAF id, 0: free.
  std::atomic<std::uint32_t> name;              ///< Number in the string table, 0: not named yet.
  alignas(64) std::atomic<std::uint64_t> enqueued;
  alignas(64) std::atomic<std::uint64_t> dequeued;
  std::atomic<std::uint64_t> sequence;
  std::array<std::atomic<std::uint64_t>, num_words> words;
};

/// A message that is being handled. `since_ns`: CLOCK_MONOTONIC.
struct handling {
  std::uint64_t message = 0;
  std::int64_t since_ns = 0;
  std::uint32_t type = 0;
  trace_ids ids;
};

/// A view of one actor's place.
class traced_actor {
public:
  traced_actor() = default;
  explicit traced_actor(actor_cell* cell) noexcept : cell_(cell) {}
  explicit operator bool() const noexcept { return cell_ != nullptr; }

  /// Takes the place for the actor with CAF id `actor`, if it is free.
  bool claim(std::uint64_t actor) noexcept;
  /// Frees the place; its name stays readable until the next claim.
  void release() noexcept { cell_->actor.store(0, std::memory_order_release); }

  [[nodiscard]] std::uint64_t actor() const noexcept { return cell_->actor.load(std::memory_order_acquire); }
  [[nodiscard]] std::uint32_t name() const noexcept { return cell_->name.load(std::memory_order_acquire); }
  void rename(std::uint32_t name) noexcept { cell_->name.store(name, std::memory_order_release); }

  void count_enqueued() noexcept { cell_->enqueued.fetch_add(1, std::memory_order_relaxed); }
  void count_dequeued() noexcept { cell_->dequeued.fetch_add(1, std::memory_order_relaxed); }
  /// Messages in the mailbox that were not taken up yet; momentary.
  [[nodiscard]] std::uint64_t mailbox_depth() const noexcept;

  /// Says what the actor is at. The actor's thread only.
  void begin(const handling& what) noexcept;
  void end() noexcept;
  /// What the actor is at; nothing if it is idle, or just changing.
  [[nodiscard]] std::optional<handling> current() const noexcept;

private:
  void store(const handling& what) noexcept;

  actor_cell* cell_ = nullptr;
};

} // namespace troupe
