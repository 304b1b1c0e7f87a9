/// Cuts the run into chunks and keeps each until it is reported done. Logic only.
#pragma once

#include "actors/loader/dataset.hpp"
#include "actors/loader/loader_config.hpp"
#include "actors/loader/sampler.hpp"
#include "messages/flow.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace troupe {

/// Hands out the chunks of the batches in order, as far as free buffers and the bound on encoded bytes allow. What comes
/// of it depends on the plan and the position alone, never on who asks or when.
class chunk_dispatcher {
public:
  /// `data` must outlive the dispatcher.
  chunk_dispatcher(const dataset& data, const epoch_plan& plan, const loader_config& config);

  /// Starts to serve. Chunks of an earlier range that are still out stay valid.
  [[nodiscard]] expected<void> serve(const serve_range& range);

  /// Takes a free buffer.
  void add_buffer(batch_buffer buffer);

  /// Returns the next chunk to be filled: one that came back, or the next of the run. Nothing if the range is served,
  /// no buffer is free, or too many encoded bytes are out. Reads the data set: may block.
  [[nodiscard]] std::optional<chunk_ready> next();

  /// Forgets a chunk whose slice was handed on. Unknown chunks are ignored: they were handed out twice.
  void done(std::uint64_t batch, std::uint32_t first_slot);

  /// Takes back a slice that its holder died with. One that was begun counts as an attempt: a chunk is given out twice,
  /// then its samples one by one. Returns the slice, with its sample named as bad, when a lone sample failed twice.
  [[nodiscard]] std::optional<slice_filled> came_back(batch_slice slice);

  [[nodiscard]] const epoch_plan& plan() const noexcept { return plan_; }
  /// The place of the next batch to be cut.
  [[nodiscard]] data_position position() const noexcept { return position_; }
  [[nodiscard]] std::uint64_t num_chunks_out() const noexcept { return out_.size(); }
  [[nodiscard]] std::uint64_t num_free_buffers() const noexcept { return free_.size(); }
  [[nodiscard]] std::uint64_t encoded_bytes_out() const noexcept { return bytes_out_; }
  [[nodiscard]] bool served() const noexcept {
    return position_.epoch >= end_epoch_ && slices_.empty() && again_.empty();
  }

private:
  using key = std::pair<std::uint64_t, std::uint32_t>;

  [[nodiscard]] bool cut_next_batch();
  [[nodiscard]] chunk_ptr read_chunk(const batch_slice& slice);
  [[nodiscard]] std::uint64_t bytes_of(const encoded_chunk& chunk) const noexcept;

  const dataset& data_;
  epoch_plan plan_;
  std::uint32_t chunk_size_;
  std::uint64_t max_bytes_;
  bool shuffle_;

  data_position position_;
  std::uint64_t end_epoch_ = 0;
  std::vector<std::uint32_t> order_; ///< Of epoch `order_epoch_`.
  std::optional<std::uint64_t> order_epoch_;

  std::deque<batch_buffer> free_;
  std::deque<batch_slice> slices_;                      ///< Cut, not read yet.
  std::deque<std::pair<chunk_ptr, batch_slice>> again_; ///< Came back.
  std::map<key, chunk_ptr> out_;
  std::uint64_t bytes_out_ = 0;
};

} // namespace troupe
