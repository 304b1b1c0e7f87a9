/// Names by number: actors, message types, marks. One table per process, in shared memory, filled without a lock.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace troupe {

inline constexpr std::size_t max_trace_strings = 4096;
/// Longer names are cut off.
inline constexpr std::size_t max_trace_string_bytes = 107;

/// One name. Atomics, because any thread may be the first to need a name, and other threads and processes read the
/// table meanwhile: `hash` claims the place, `length` (stored last) says that the text is complete.
struct string_cell {
  std::atomic<std::uint64_t> hash;
  std::atomic<std::uint32_t> length;
  std::array<char, max_trace_string_bytes + 1> text;
};
static_assert(sizeof(string_cell) == 120);

/// A view of a string table. Zeroed memory is an empty table.
class trace_strings {
public:
  trace_strings() = default;
  explicit trace_strings(string_cell* cells) noexcept : cells_(cells) {}

  /// The number of `text`, 1 .. `max_trace_strings` - 1: the same for the same text, for all threads. 0 if the table
  /// is full. Texts are told apart by 64-bit hashes.
  std::uint32_t intern(std::string_view text) noexcept;

  /// How many names are complete. Grows only.
  [[nodiscard]] std::uint64_t size() const noexcept;

  /// The text of a number; empty if there is none (yet).
  [[nodiscard]] std::string text(std::uint32_t number) const;

private:
  // Cell 0 is nobody's name: its `hash` counts the others.
  string_cell* cells_ = nullptr;
};

} // namespace troupe
