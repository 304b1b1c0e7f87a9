#include "actors/tracer/record_codec.hpp"

#include <array>
#include <bit>

namespace troupe {

namespace {

using record_words = std::array<std::uint64_t, sizeof(trace_record) / 8>;
static_assert(record_words{}.size() <= 16, "a record's mask has 16 bits");

/// Places of the times among the words.
constexpr std::size_t enqueued = 3, dequeued = 4, ended = 5;

/// What a word is expected to be: a time follows the one before it, the rest stays as it was.
std::uint64_t expected_word(std::size_t i, const record_words& now, const record_words& last) noexcept {
  return i == dequeued ? now[enqueued] : i == ended ? now[dequeued] : last[i];
}

/// Small differences of either sign as small numbers.
std::uint64_t zigzag(std::uint64_t difference) noexcept {
  return (difference << 1) ^ (0 - (difference >> 63));
}

std::uint64_t unzigzag(std::uint64_t value) noexcept {
  return (value >> 1) ^ (0 - (value & 1));
}

} // namespace

void put_records(byte_writer& to, std::span<const trace_record> records) {
  record_words last{};
  for (const auto& record : records) {
    const auto now = std::bit_cast<record_words>(record);
    std::uint16_t mask = 0;
    for (std::size_t i = 0; i < now.size(); ++i)
      mask = static_cast<std::uint16_t>(mask | (now[i] != expected_word(i, now, last) ? 1U << i : 0U));
    to.put(mask);
    for (std::size_t i = 0; i < now.size(); ++i)
      if ((mask >> i & 1) != 0)
        to.put_short(zigzag(now[i] - expected_word(i, now, last)));
    last = now;
  }
}

bool take_records(byte_reader& from, std::size_t num_records, std::vector<trace_record>& to) {
  record_words last{};
  for (; num_records > 0 && from.ok(); --num_records) {
    const auto mask = from.take<std::uint16_t>();
    record_words now{};
    for (std::size_t i = 0; i < now.size(); ++i)
      now[i] = expected_word(i, now, last) + ((mask >> i & 1) != 0 ? unzigzag(from.take_short()) : 0);
    if (from.ok())
      to.push_back(std::bit_cast<trace_record>(now));
    last = now;
  }
  return from.ok();
}

} // namespace troupe
