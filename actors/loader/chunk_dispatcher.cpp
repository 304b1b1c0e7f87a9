#include "actors/loader/chunk_dispatcher.hpp"

#include <algorithm>

namespace troupe {

namespace {

/// Attempts at a whole chunk before its samples are tried one by one.
constexpr std::uint32_t max_attempts = 2;

} // namespace

chunk_dispatcher::chunk_dispatcher(const dataset& data, const epoch_plan& plan, const loader_config& config)
  : data_(data), plan_(plan), chunk_size_(std::max(config.chunk_size, 1u)), max_bytes_(config.max_encoded_bytes),
    shuffle_(config.shuffle) {}

expected<void> chunk_dispatcher::serve(const serve_range& range) {
  auto first = plan_.normalised(range.first);
  if (!first)
    return first.error();
  position_ = *first;
  end_epoch_ = range.end_epoch;
  return {};
}

void chunk_dispatcher::add_buffer(batch_buffer buffer) {
  buffer.adopt();
  free_.push_back(std::move(buffer));
}

std::optional<chunk_ready> chunk_dispatcher::next() {
  if (!again_.empty()) {
    auto [chunk, slice] = std::move(again_.front());
    again_.pop_front();
    out_[{chunk->batch, chunk->first_slot}] = chunk;
    bytes_out_ += bytes_of(*chunk);
    return chunk_ready{std::move(chunk), lease<batch_slice>(std::move(slice))};
  }
  // One chunk may always be out, so that a bound smaller than a chunk slows the run down but does not stop it.
  if (bytes_out_ >= max_bytes_ && !out_.empty())
    return std::nullopt;
  if (slices_.empty() && !cut_next_batch())
    return std::nullopt;
  auto slice = std::move(slices_.front());
  slices_.pop_front();
  auto chunk = read_chunk(slice);
  out_[{chunk->batch, chunk->first_slot}] = chunk;
  bytes_out_ += bytes_of(*chunk);
  return chunk_ready{std::move(chunk), lease<batch_slice>(std::move(slice))};
}

bool chunk_dispatcher::cut_next_batch() {
  if (free_.empty() || position_.epoch >= end_epoch_)
    return false;
  if (order_epoch_ != position_.epoch) {
    order_ = plan_.order(position_.epoch);
    order_epoch_ = position_.epoch;
  }
  auto batch = plan_.batch(position_.epoch, position_.batch);
  auto buffer = std::move(free_.front());
  free_.pop_front();
  for (auto& slice : std::move(buffer).split(batch, chunk_size_))
    slices_.push_back(std::move(slice));
  position_ = batch.next;
  return true;
}

chunk_ptr chunk_dispatcher::read_chunk(const batch_slice& slice) {
  auto chunk = std::make_shared<encoded_chunk>();
  const auto& batch = slice.batch();
  chunk->batch = batch.id;
  // Without shuffle every pass is the same, random transforms included: validation does not depend on its turn.
  chunk->epoch = shuffle_ ? batch.epoch : 0;
  chunk->first_slot = slice.first();
  chunk->samples.reserve(slice.count());
  // A slice may be cut before the order of the next epoch replaces this one's, but is read after it.
  if (order_epoch_ != batch.epoch) {
    order_ = plan_.order(batch.epoch);
    order_epoch_ = batch.epoch;
  }
  const auto first = plan_.range(batch.index).first + slice.first();
  for (std::uint32_t i = 0; i < slice.count(); ++i) {
    const std::uint64_t id = order_[first + i];
    if (auto sample = data_.read(id)) {
      chunk->samples.push_back(std::move(*sample));
    } else {
      chunk->unreadable.push_back({id, slice.first() + i, {}, "loader: " + to_string(sample.error())});
      chunk->samples.emplace_back();
      chunk->samples.back().id = id;
    }
  }
  return chunk;
}

std::uint64_t chunk_dispatcher::bytes_of(const encoded_chunk& chunk) const noexcept {
  std::uint64_t n = 0;
  for (auto& sample : chunk.samples)
    n += sample.bytes.size();
  return n;
}

void chunk_dispatcher::done(std::uint64_t batch, std::uint32_t first_slot) {
  auto it = out_.find({batch, first_slot});
  if (it == out_.end())
    return;
  bytes_out_ -= bytes_of(*it->second);
  out_.erase(it);
}

std::optional<slice_filled> chunk_dispatcher::came_back(batch_slice slice) {
  auto it = out_.find({slice.batch().id, slice.first()});
  if (it == out_.end()) {
    // Reported done, but lost before the collator had it: it is read and filled again.
    slice.adopt();
    slices_.push_front(std::move(slice));
    return std::nullopt;
  }
  encoded_chunk chunk = *it->second;
  done(chunk.batch, chunk.first_slot);
  chunk.attempt += slice.begun() ? 1 : 0;
  slice.adopt();
  if (chunk.attempt < max_attempts) {
    again_.emplace_back(std::make_shared<encoded_chunk>(std::move(chunk)), std::move(slice));
    return std::nullopt;
  }
  if (slice.count() == 1) {
    bad_sample bad{chunk.samples[0].id, slice.first(), data_.sample_name(chunk.samples[0].id),
                   "augmenter: died with it " + std::to_string(chunk.attempt) + " times"};
    return slice_filled{lease<batch_slice>(std::move(slice)), {std::move(bad)}, chunk.batch};
  }
  for (auto& single : std::move(slice).singles()) {
    auto part = std::make_shared<encoded_chunk>(chunk);
    part->first_slot = single.first();
    part->samples = {chunk.samples[single.first() - chunk.first_slot]};
    std::erase_if(part->unreadable, [&](auto& bad) { return bad.slot != single.first(); });
    again_.emplace_back(std::move(part), std::move(single));
  }
  return std::nullopt;
}

} // namespace troupe
