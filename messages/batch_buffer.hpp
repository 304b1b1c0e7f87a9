/// Batch buffers: the memory that samples are written into, and the right to touch it.
///
/// A buffer is owned whole by one actor (`batch_buffer`) or in disjoint slices by several (`batch_slice`). Both are
/// move-only; whoever destroys one without handing it on, in a handler that throws or a mailbox that is closed, sends
/// it home. So no buffer is ever lost, and the number of free buffers is the pipeline's credit.
///
/// An infrastructure file with atomics: the home's two counters and its open flag are read by the supervisor and
/// written by whichever thread happens to destroy a token.
#pragma once

#include "messages/batch_ref.hpp"
#include "messages/pixel_type.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

class batch_buffer;
class batch_slice;

/// Shape of a buffer. Pixels are [capacity, channels, height, width] in memory, or [capacity, height, width, channels] if
/// `channels_last`.
struct batch_layout {
  std::uint32_t capacity = 0;
  std::uint32_t channels = 0;
  std::uint32_t height = 0;
  std::uint32_t width = 0;
  bool channels_last = false;
  pixel_type type = pixel_type::float32;

  [[nodiscard]] std::size_t values_per_sample() const noexcept { return std::size_t{channels} * height * width; }
  [[nodiscard]] std::size_t bytes_per_sample() const noexcept {
    return values_per_sample() * bytes_per_pixel_value(type);
  }
};

/// Where the buffers of one pipeline come home to. Outlives them: every buffer holds a reference.
class buffer_home {
public:
  using slice_handler = std::function<void(batch_slice)>;
  using buffer_handler = std::function<void(batch_buffer)>;

  /// `on_slice` and `on_buffer` get the tokens that were destroyed instead of handed on, on whichever thread did it,
  /// from within a destructor: they may send a message and must not throw. A token that is dropped again on the way
  /// home (the receiver is dead) is retired.
  buffer_home(slice_handler on_slice, buffer_handler on_buffer);

  /// From now on a dropped token is retired at once. Safe from any thread.
  void close() noexcept { open_.store(false, std::memory_order_release); }

  [[nodiscard]] std::uint64_t minted() const noexcept { return minted_.load(std::memory_order_acquire); }
  /// Buffers whose memory has been given back. At the end of a run it equals `minted`.
  [[nodiscard]] std::uint64_t retired() const noexcept { return retired_.load(std::memory_order_acquire); }

private:
  friend class batch_buffer;
  friend class batch_slice;
  friend struct buffer_storage;

  slice_handler on_slice_;
  buffer_handler on_buffer_;
  std::atomic<bool> open_{true};
  std::atomic<std::uint64_t> minted_{0};
  std::atomic<std::uint64_t> retired_{0};
};

/// The memory behind the tokens; only reachable through them.
struct buffer_storage;

/// The right to use a whole buffer.
class batch_buffer {
public:
  batch_buffer() = default;
  /// Makes a buffer over `pixels`, which hold at least capacity * bytes_per_sample bytes.
  batch_buffer(std::shared_ptr<buffer_home> home, const batch_layout& layout, std::shared_ptr<std::byte> pixels);
  batch_buffer(batch_buffer&&) noexcept = default;
  batch_buffer& operator=(batch_buffer&&) noexcept;
  ~batch_buffer();

  [[nodiscard]] explicit operator bool() const noexcept { return storage_ != nullptr; }
  [[nodiscard]] const batch_layout& layout() const noexcept;
  [[nodiscard]] std::byte* pixels() const noexcept;
  /// The same. @pre layout().type is float32
  [[nodiscard]] float* floats() const noexcept { return reinterpret_cast<float*>(pixels()); }
  [[nodiscard]] std::span<std::int64_t> labels() const noexcept;
  [[nodiscard]] std::span<float> weights() const noexcept; ///< Factors of the samples' losses.
  [[nodiscard]] std::span<std::uint64_t> sample_ids() const noexcept;

  /// Cuts the first `batch.num_samples` slots into slices of at most `chunk_size`. This buffer is empty afterwards.
  [[nodiscard]] std::vector<batch_slice> split(const batch_ref& batch, std::uint32_t chunk_size) &&;
  /// Puts slices that together are the whole of one split buffer together again; nothing if they are not, and then
  /// the slices are untouched.
  [[nodiscard]] static std::optional<batch_buffer> join(std::vector<batch_slice>& slices);
  /// Closes the gaps that the slots `bad` (ascending) leave among the first `num_samples`; order is kept.
  void remove_slots(std::span<const std::uint32_t> bad, std::uint32_t num_samples);
  /// Tells that the receiver has taken it over: dropped again, it comes home again.
  void adopt() noexcept { revived_ = false; }

private:
  friend class batch_slice;
  void drop() noexcept;

  std::shared_ptr<buffer_storage> storage_;
  bool revived_ = false;
};

/// The right to write the slots [first, first + count) of a buffer.
class batch_slice {
public:
  batch_slice() = default;
  batch_slice(batch_slice&&) noexcept = default;
  batch_slice& operator=(batch_slice&&) noexcept;
  ~batch_slice();

  [[nodiscard]] explicit operator bool() const noexcept { return storage_ != nullptr; }
  [[nodiscard]] const batch_ref& batch() const noexcept;
  [[nodiscard]] const batch_layout& layout() const noexcept;
  [[nodiscard]] std::uint32_t first() const noexcept { return first_; }
  [[nodiscard]] std::uint32_t count() const noexcept { return count_; }
  /// Place of the slice's first sample in the epoch's order; the others follow it.
  [[nodiscard]] std::uint64_t position() const noexcept;
  /// Says that the slice is to be filled with the samples from this place on, instead of those of its slots; nobody has
  /// failed at these.
  void fill_from(std::uint64_t position) noexcept {
    position_ = position;
    begun_by_.clear();
    failed_attempts_ = 0;
  }
  /// Start of slot `i` of the slice, `i` < count: bytes_per_sample bytes.
  [[nodiscard]] std::byte* pixels(std::uint32_t i) const noexcept;
  void set_sample(std::uint32_t i, std::uint64_t id, std::int64_t label, float weight = 1) const noexcept;
  /// Copies slot `i` of `from`, a slice of the same buffer, to slot 0 of this one.
  void copy_sample(const batch_slice& from, std::uint32_t i) const noexcept;

  [[nodiscard]] std::uint64_t sample_id(std::uint32_t i) const noexcept; ///< As it was set.
  [[nodiscard]] std::int64_t label(std::uint32_t i) const noexcept;      ///< As it was set.

  /// Says who has begun to write: coming home after this counts as a failed attempt of theirs.
  void begin(std::string_view who = "augmenter") { begun_by_ = who; }
  [[nodiscard]] bool begun() const noexcept { return !begun_by_.empty(); }
  [[nodiscard]] const std::string& begun_by() const noexcept { return begun_by_; }
  /// How often it has come home after somebody had begun, or again and again before.
  [[nodiscard]] std::uint32_t failed_attempts() const noexcept { return failed_attempts_; }
  void adopt() noexcept {
    // Nobody may lose it for ever without having begun.
    const bool counts = begun() || ++idle_returns_ % max_idle_returns == 0;
    failed_attempts_ += counts ? 1 : 0;
    begun_by_.clear();
    revived_ = false;
  }
  /// Cuts the slice into slices of one slot each. This slice is empty afterwards.
  [[nodiscard]] std::vector<batch_slice> singles() &&;

private:
  friend class batch_buffer;
  static constexpr std::uint32_t max_idle_returns = 8; ///< So many count as one failed attempt.

  batch_slice(std::shared_ptr<buffer_storage> storage, std::uint32_t first, std::uint32_t count) noexcept;
  void drop() noexcept;

  std::shared_ptr<buffer_storage> storage_;
  std::uint32_t first_ = 0;
  std::uint32_t count_ = 0;
  std::optional<std::uint64_t> position_; ///< If it is not that of its slots.
  std::string begun_by_;                  ///< Empty: nobody has.
  std::uint32_t failed_attempts_ = 0;
  std::uint32_t idle_returns_ = 0; ///< Times that it came home before anybody had begun.
  bool revived_ = false;
};

} // namespace troupe
