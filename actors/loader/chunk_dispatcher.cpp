#include "actors/loader/chunk_dispatcher.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

namespace {

/// Attempts at a whole chunk before its samples are tried one by one; and attempts at reading it.
constexpr std::uint32_t max_attempts = 2;

chunk_place place_of(const batch_slice& slice) {
  return {slice.batch().id, slice.batch().epoch, slice.position(), slice.first(), slice.count()};
}

std::uint64_t bytes_of(const encoded_chunk& chunk) noexcept {
  std::uint64_t n = 0;
  for (auto& sample : chunk.samples)
    n += sample.bytes.size();
  return n;
}

/// What of the chunk belongs into the slice, which has one slot of it.
chunk_ptr part_of(const encoded_chunk& chunk, const batch_slice& slot) {
  auto part = std::make_shared<encoded_chunk>(chunk);
  part->position = slot.position();
  part->first_slot = slot.first();
  part->samples = {chunk.samples[slot.first() - chunk.first_slot]};
  std::erase_if(part->unreadable, [&](auto& bad) { return bad.slot != slot.first(); });
  return part;
}

} // namespace

chunk_dispatcher::chunk_dispatcher(std::shared_ptr<const dataset> data, const epoch_plan& plan,
                                   const loader_config& config, std::shared_ptr<pixel_cache> cache,
                                   sampling_history sampling)
  : data_(data), plan_(plan), maker_(std::move(data), plan, config.shuffle, std::move(cache), std::move(sampling)),
    chunk_size_(std::max(config.chunk_size, 1u)), read_ahead_(config.read_ahead), max_bytes_(config.max_encoded_bytes),
    use_readers_(config.use_readers) {}

expected<void> chunk_dispatcher::serve(const serve_range& range) {
  auto first = plan_.normalised(range.first);
  if (!first)
    return first.error();
  position_ = ahead_ = *first;
  ahead_slot_ = 0;
  while (!incoming_.empty())
    forget(incoming_.begin());
  end_epoch_ = range.end_epoch;
  maker_.sampling().begin_at(first->epoch);
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
    bytes_ += bytes_of(*chunk);
    return hand_out(std::move(chunk), std::move(slice));
  }
  return use_readers_ ? next_read_ahead() : next_read_here();
}

std::optional<chunk_ready> chunk_dispatcher::next_read_here() {
  // One chunk may always be out, so that a bound smaller than a chunk slows the run down but does not stop it.
  if (bytes_ >= max_bytes_ && !out_.empty())
    return std::nullopt;
  if (slices_.empty() && !cut_next_batch())
    return std::nullopt;
  auto slice = std::move(slices_.front());
  slices_.pop_front();
  auto chunk = std::make_shared<encoded_chunk>(maker_.reading_of(maker_.request(place_of(slice)))());
  bytes_ += bytes_of(*chunk);
  return hand_out(std::move(chunk), std::move(slice));
}

std::optional<chunk_ready> chunk_dispatcher::next_read_ahead() {
  while (cut_next_batch()) {
  }
  for (auto slice = slices_.begin(); slice != slices_.end(); ++slice) {
    auto it = incoming_.find({slice->batch().id, slice->position()});
    if (it == incoming_.end() || it->second.state != progress::ready)
      continue;
    auto chunk = std::move(it->second.chunk);
    forget(it);
    if (chunk->samples.size() != slice->count())
      continue; // A lone slot where there was a chunk: it is read on its own.
    bytes_ += bytes_of(*chunk);
    auto token = std::move(*slice);
    slices_.erase(slice);
    return hand_out(std::move(chunk), std::move(token));
  }
  return std::nullopt;
}

chunk_ready chunk_dispatcher::hand_out(chunk_ptr chunk, batch_slice slice) {
  out_[{chunk->batch, chunk->position}] = chunk;
  return {std::move(chunk), lease<batch_slice>(std::move(slice))};
}

bool chunk_dispatcher::may_serve(std::uint64_t epoch) const noexcept {
  return epoch < end_epoch_ && maker_.sampling().is_settled(epoch);
}

bool chunk_dispatcher::waits_for_sampling() const noexcept {
  return !free_.empty() && position_.epoch < end_epoch_ && !may_serve(position_.epoch);
}

bool chunk_dispatcher::cut_next_batch() {
  if (free_.empty() || !may_serve(position_.epoch))
    return false;
  auto batch = plan_.batch(position_.epoch, position_.batch);
  auto buffer = std::move(free_.front());
  free_.pop_front();
  for (auto& slice : std::move(buffer).split(batch, chunk_size_))
    slices_.push_back(std::move(slice));
  position_ = batch.next;
  // Slices of the epoch before may still come back; of those before that, all batches have been trained on.
  maker_.forget_before(batch.epoch > 0 ? batch.epoch - 1 : 0);
  return true;
}

// -- reading ahead -------------------------------------------------------------------------------------------------

std::optional<chunk_wanted> chunk_dispatcher::next_to_read() {
  if (!use_readers_)
    return std::nullopt;
  while (cut_next_batch()) {
  }
  want_waiting_slices();
  do {
    for (auto& [at, what] : incoming_)
      if (what.state == progress::wanted)
        return begin_reading(what);
  } while (want_next_of_run());
  return std::nullopt;
}

void chunk_dispatcher::want_waiting_slices() {
  const std::pair reached(id_of(ahead_), ahead_slot_);
  for (auto& slice : slices_) {
    const auto place = place_of(slice);
    const bool replaces = place.position != slice.batch().first_position + place.first_slot;
    if (replaces || std::pair(place.batch, place.first_slot) < reached)
      incoming_.try_emplace({place.batch, place.position}, incoming{.place = place});
  }
}

bool chunk_dispatcher::want_next_of_run() {
  if (!may_serve(ahead_.epoch) || id_of(ahead_) >= id_of(position_) + read_ahead_)
    return false;
  if (bytes_ >= max_bytes_ && (!incoming_.empty() || !out_.empty()))
    return false;
  const auto batch = plan_.batch(ahead_.epoch, ahead_.batch);
  const auto count = std::min(chunk_size_, batch.num_samples - ahead_slot_);
  const chunk_place place{batch.id, batch.epoch, batch.first_position + ahead_slot_, ahead_slot_, count};
  incoming_.try_emplace({place.batch, place.position}, incoming{.place = place});
  ahead_slot_ += count;
  if (ahead_slot_ == batch.num_samples) {
    ahead_ = batch.next;
    ahead_slot_ = 0;
  }
  return true;
}

chunk_wanted chunk_dispatcher::begin_reading(incoming& what) {
  auto request = maker_.request(what.place);
  const auto first_sample = request.frame.samples.front().id;
  what.bytes = request.estimated_bytes;
  bytes_ += what.bytes;
  what.state = progress::being_read;
  return chunk_wanted{what.place.batch, what.place.position, first_sample, maker_.reading_of(std::move(request))};
}

void chunk_dispatcher::set_ready(incoming& what, chunk_ptr chunk) {
  bytes_ = bytes_ - what.bytes + bytes_of(*chunk);
  what.bytes = bytes_of(*chunk);
  what.chunk = std::move(chunk);
  what.state = progress::ready;
}

void chunk_dispatcher::forget(std::map<key, incoming>::iterator which) {
  bytes_ -= which->second.bytes;
  incoming_.erase(which);
}

void chunk_dispatcher::was_read(const chunk_ptr& chunk) {
  auto it = incoming_.find({chunk->batch, chunk->position});
  if (it != incoming_.end() && it->second.state == progress::being_read)
    set_ready(it->second, chunk);
}

void chunk_dispatcher::reading_failed(std::uint64_t batch, std::uint64_t position) {
  auto it = incoming_.find({batch, position});
  if (it == incoming_.end() || it->second.state != progress::being_read)
    return;
  auto& what = it->second;
  if (++what.failures < max_attempts) {
    bytes_ -= std::exchange(what.bytes, 0);
    what.state = progress::wanted;
    return;
  }
  auto chunk = maker_.request(what.place).frame;
  for (std::uint32_t i = 0; i < what.place.count; ++i)
    chunk.unreadable.push_back({chunk.samples[i].id,
                                what.place.first_slot + i,
                                {},
                                "a reader died with it " + std::to_string(what.failures) + " times",
                                "loader",
                                chunk.epoch});
  set_ready(what, std::make_shared<encoded_chunk>(std::move(chunk)));
}

std::uint64_t chunk_dispatcher::num_being_read() const noexcept {
  return static_cast<std::uint64_t>(std::count_if(
    incoming_.begin(), incoming_.end(), [](auto& each) { return each.second.state == progress::being_read; }));
}

// -- coming back ---------------------------------------------------------------------------------------------------

chunk_ptr chunk_dispatcher::take_from_out(const key& which) {
  auto it = out_.find(which);
  if (it == out_.end())
    return nullptr;
  auto chunk = std::move(it->second);
  bytes_ -= bytes_of(*chunk);
  out_.erase(it);
  return chunk;
}

void chunk_dispatcher::done(std::uint64_t batch, std::uint64_t position) {
  (void)take_from_out({batch, position});
}

void chunk_dispatcher::replace(batch_slice slice) {
  slice.adopt();
  slices_.push_front(std::move(slice));
}

std::optional<slice_filled> chunk_dispatcher::came_back(batch_slice slice) {
  auto who = slice.begun() ? slice.begun_by() : std::string("an actor");
  const auto attempts_before = slice.failed_attempts();
  slice.adopt();
  auto chunk = take_from_out({slice.batch().id, slice.position()});
  if (slice.failed_attempts() == attempts_before || slice.failed_attempts() < max_attempts) {
    try_again(std::move(chunk), std::move(slice));
    return std::nullopt;
  }
  if (slice.count() == 1)
    return give_up(std::move(slice), std::move(who));
  for (auto& single : std::move(slice).singles()) {
    auto part = chunk ? part_of(*chunk, single) : nullptr;
    try_again(std::move(part), std::move(single));
  }
  return std::nullopt;
}

void chunk_dispatcher::try_again(chunk_ptr chunk, batch_slice slice) {
  if (chunk)
    again_.emplace_back(std::move(chunk), std::move(slice));
  else // Reported done, but lost before the collator had it: it is read again.
    slices_.push_front(std::move(slice));
}

slice_filled chunk_dispatcher::give_up(batch_slice slice, std::string who) {
  const auto frame = maker_.request(place_of(slice)).frame;
  const auto id = frame.samples.front().id;
  bad_sample bad{.id = id,
                 .slot = slice.first(),
                 .name = data_->sample_name(id),
                 .reason = "it died with it, at attempt " + std::to_string(slice.failed_attempts()),
                 .stage = std::move(who),
                 .epoch = frame.epoch};
  return {lease<batch_slice>(std::move(slice)), {std::move(bad)}, frame.batch};
}

} // namespace troupe
