/// Cuts the run into chunks, has them read and keeps each until it is reported done. Logic only.
#pragma once

#include "actors/loader/chunk_reading.hpp"
#include "actors/loader/loader_config.hpp"
#include "actors/loader/sampler.hpp"
#include "messages/flow.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace troupe {

/// Hands out the chunks of the batches, as far as free buffers and the bound on encoded bytes allow. What a chunk holds
/// depends on the plan and its place alone, never on who asks or when.
class chunk_dispatcher {
public:
  /// `cache` may be null.
  chunk_dispatcher(std::shared_ptr<const dataset> data, const epoch_plan& plan, const loader_config& config,
                   std::shared_ptr<pixel_cache> cache = nullptr, sampling_history sampling = {});

  /// Starts to serve. Chunks of an earlier range that are still out stay valid.
  [[nodiscard]] expected<void> serve(const serve_range& range);

  /// Learns how a later epoch is drawn: of one that is not settled nothing is cut or read. Errors: of
  /// `sampling_history::settle`.
  [[nodiscard]] expected<void> settle(const sampling_settled& what) { return maker_.sampling().settle(what); }

  /// Takes a free buffer.
  void add_buffer(batch_buffer buffer);

  /// Returns the first chunk that is ready to be filled: one that came back, or one whose turn it is. Nothing if the
  /// range is served, no buffer is free, too many encoded bytes are out, or nothing is read yet. Without readers it
  /// reads the chunk itself: may block.
  [[nodiscard]] std::optional<chunk_ready> next();

  /// Returns what a reader should read next: a chunk that a buffer waits for, else the next of the run, within the
  /// bounds on batches and bytes. Nothing without readers.
  [[nodiscard]] std::optional<chunk_wanted> next_to_read();

  /// Takes what a reader has read. What nobody waits for any more is forgotten.
  void was_read(const chunk_ptr& chunk);

  /// Returns a function that reads samples besides those of chunks; any thread may call it.
  [[nodiscard]] std::function<samples_found()> reading_of(const samples_wanted& wanted) const {
    return maker_.reading_of(wanted);
  }

  /// Has a chunk read again whose reader died with it. One that kills twice becomes a chunk of unreadable samples.
  void reading_failed(std::uint64_t batch, std::uint64_t position);

  /// Forgets a chunk whose slice was handed on. Unknown chunks are ignored: they were handed out twice.
  void done(std::uint64_t batch, std::uint64_t position);

  /// Takes a slice to be filled ahead of everything else.
  void replace(batch_slice slice);

  /// Takes back a slice that its holder died with, whether its chunk was reported done or not. One that somebody had begun
  /// counts as an attempt: after two of them samples go out one by one. Returns the slice, with its sample named as bad,
  /// when a lone sample has had two, and names whoever had begun it.
  [[nodiscard]] std::optional<slice_filled> came_back(batch_slice slice);

  [[nodiscard]] const epoch_plan& plan() const noexcept { return plan_; }
  /// The place of the next batch to be cut.
  [[nodiscard]] data_position position() const noexcept { return position_; }
  [[nodiscard]] std::uint64_t num_chunks_out() const noexcept { return out_.size(); }
  [[nodiscard]] std::uint64_t num_being_read() const noexcept;
  [[nodiscard]] std::uint64_t num_free_buffers() const noexcept { return free_.size(); }
  /// Of the chunks that are out, read ahead or being read.
  [[nodiscard]] std::uint64_t encoded_bytes() const noexcept { return bytes_; }
  [[nodiscard]] bool served() const noexcept {
    return position_.epoch >= end_epoch_ && slices_.empty() && again_.empty();
  }
  /// True if there is a buffer for a batch of an epoch that is not settled yet.
  [[nodiscard]] bool waits_for_sampling() const noexcept;

private:
  using key = std::pair<std::uint64_t, std::uint64_t>; ///< Batch and position.

  enum class progress : std::uint8_t { wanted, being_read, ready };

  /// A chunk on its way from the disk.
  struct incoming {
    chunk_place place;
    progress state = progress::wanted;
    std::uint32_t failures = 0; ///< Readers that died with it.
    std::uint64_t bytes = 0;    ///< Counted in `bytes_`.
    chunk_ptr chunk = {};       ///< If ready.
  };

  [[nodiscard]] bool may_serve(std::uint64_t epoch) const noexcept;
  [[nodiscard]] bool cut_next_batch();
  [[nodiscard]] std::optional<chunk_ready> next_read_here();
  [[nodiscard]] std::optional<chunk_ready> next_read_ahead();
  [[nodiscard]] chunk_ready hand_out(chunk_ptr chunk, batch_slice slice);
  void want_waiting_slices();
  [[nodiscard]] bool want_next_of_run();
  [[nodiscard]] chunk_wanted begin_reading(incoming& what);
  void set_ready(incoming& what, chunk_ptr chunk);
  void forget(std::map<key, incoming>::iterator which);
  [[nodiscard]] chunk_ptr take_from_out(const key& which);
  void try_again(chunk_ptr chunk, batch_slice slice);
  [[nodiscard]] slice_filled give_up(batch_slice slice, std::string who);
  [[nodiscard]] std::uint64_t id_of(const data_position& x) const noexcept {
    return x.epoch * plan_.batches_per_epoch() + x.batch;
  }

  std::shared_ptr<const dataset> data_;
  epoch_plan plan_;
  chunk_maker maker_;
  std::uint32_t chunk_size_;
  std::uint32_t read_ahead_;
  std::uint64_t max_bytes_;
  bool use_readers_;

  data_position position_;
  std::uint64_t end_epoch_ = 0;

  std::deque<batch_buffer> free_;
  std::deque<batch_slice> slices_;                      ///< Cut, not handed out yet.
  std::deque<std::pair<chunk_ptr, batch_slice>> again_; ///< Came back.
  std::map<key, incoming> incoming_;
  data_position ahead_;          ///< The batch that the next chunk to be read ahead belongs to.
  std::uint32_t ahead_slot_ = 0; ///< And that chunk's first slot.
  std::map<key, chunk_ptr> out_;
  std::uint64_t bytes_ = 0;
};

} // namespace troupe
