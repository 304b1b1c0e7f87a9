#include "messages/batch_buffer.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace troupe {

struct buffer_storage {
  buffer_storage(std::shared_ptr<buffer_home> home_, const batch_layout& layout_, std::shared_ptr<std::byte> pixels_)
    : home(std::move(home_)), layout(layout_), pixels(std::move(pixels_)), labels(layout.capacity),
      weights(layout.capacity, 1.f), sample_ids(layout.capacity) {
    home->minted_.fetch_add(1, std::memory_order_acq_rel);
  }
  ~buffer_storage() {
    pixels.reset();
    home->retired_.fetch_add(1, std::memory_order_acq_rel);
  }
  buffer_storage(const buffer_storage&) = delete;
  buffer_storage& operator=(const buffer_storage&) = delete;

  std::shared_ptr<buffer_home> home;
  batch_layout layout;
  std::shared_ptr<std::byte> pixels;
  std::vector<std::int64_t> labels;
  std::vector<float> weights;
  std::vector<std::uint64_t> sample_ids;
  batch_ref batch; // Set by split, while the buffer is whole; read-only while it is in slices.
};

buffer_home::buffer_home(slice_handler on_slice, buffer_handler on_buffer)
  : on_slice_(std::move(on_slice)), on_buffer_(std::move(on_buffer)) {}

// -- batch_buffer --------------------------------------------------------------------------------------------------

batch_buffer::batch_buffer(std::shared_ptr<buffer_home> home, const batch_layout& layout,
                           std::shared_ptr<std::byte> pixels)
  : storage_(std::make_shared<buffer_storage>(std::move(home), layout, std::move(pixels))) {}

batch_buffer& batch_buffer::operator=(batch_buffer&& other) noexcept {
  if (this != &other) {
    drop();
    storage_ = std::move(other.storage_);
    revived_ = other.revived_;
  }
  return *this;
}

batch_buffer::~batch_buffer() {
  drop();
}

void batch_buffer::drop() noexcept {
  if (!storage_)
    return;
  auto home = storage_->home;
  if (revived_ || !home->open_.load(std::memory_order_acquire)) {
    storage_.reset();
    return;
  }
  batch_buffer again;
  again.storage_ = std::move(storage_);
  again.revived_ = true;
  home->on_buffer_(std::move(again));
}

const batch_layout& batch_buffer::layout() const noexcept {
  return storage_->layout;
}

std::byte* batch_buffer::pixels() const noexcept {
  return storage_->pixels.get();
}

std::span<std::int64_t> batch_buffer::labels() const noexcept {
  return storage_->labels;
}

std::span<float> batch_buffer::weights() const noexcept {
  return storage_->weights;
}

std::span<std::uint64_t> batch_buffer::sample_ids() const noexcept {
  return storage_->sample_ids;
}

std::vector<batch_slice> batch_buffer::split(const batch_ref& batch, std::uint32_t chunk_size) && {
  assert(storage_ && chunk_size > 0 && batch.num_samples <= storage_->layout.capacity);
  storage_->batch = batch;
  std::vector<batch_slice> slices;
  for (std::uint32_t first = 0; first < batch.num_samples; first += chunk_size)
    slices.push_back(batch_slice(storage_, first, std::min(chunk_size, batch.num_samples - first)));
  storage_.reset();
  return slices;
}

std::optional<batch_buffer> batch_buffer::join(std::vector<batch_slice>& slices) {
  if (slices.empty() || !slices.front())
    return std::nullopt;
  auto& storage = slices.front().storage_;
  std::uint32_t total = 0;
  for (auto& slice : slices) {
    if (slice.storage_ != storage)
      return std::nullopt;
    total += slice.count_;
  }
  if (total != storage->batch.num_samples)
    return std::nullopt;
  batch_buffer whole;
  whole.storage_ = storage;
  for (auto& slice : slices)
    slice.storage_.reset();
  slices.clear();
  return whole;
}

void batch_buffer::remove_slots(std::span<const std::uint32_t> bad, std::uint32_t num_samples) {
  auto& s = *storage_;
  const auto stride = s.layout.bytes_per_sample();
  std::uint32_t to = 0;
  for (std::uint32_t from = 0; from < num_samples; ++from) {
    if (std::binary_search(bad.begin(), bad.end(), from))
      continue;
    if (to != from) {
      std::memcpy(s.pixels.get() + to * stride, s.pixels.get() + from * stride, stride);
      s.labels[to] = s.labels[from];
      s.weights[to] = s.weights[from];
      s.sample_ids[to] = s.sample_ids[from];
    }
    ++to;
  }
}

// -- batch_slice ---------------------------------------------------------------------------------------------------

batch_slice::batch_slice(std::shared_ptr<buffer_storage> storage, std::uint32_t first, std::uint32_t count) noexcept
  : storage_(std::move(storage)), first_(first), count_(count) {}

batch_slice& batch_slice::operator=(batch_slice&& other) noexcept {
  if (this != &other) {
    drop();
    storage_ = std::move(other.storage_);
    first_ = other.first_;
    count_ = other.count_;
    position_ = other.position_;
    begun_by_ = std::move(other.begun_by_);
    failed_attempts_ = other.failed_attempts_;
    idle_returns_ = other.idle_returns_;
    revived_ = other.revived_;
  }
  return *this;
}

batch_slice::~batch_slice() {
  drop();
}

void batch_slice::drop() noexcept {
  if (!storage_)
    return;
  auto home = storage_->home;
  if (revived_ || !home->open_.load(std::memory_order_acquire)) {
    storage_.reset();
    return;
  }
  batch_slice again(std::move(storage_), first_, count_);
  again.position_ = position_;
  again.begun_by_ = std::move(begun_by_);
  again.failed_attempts_ = failed_attempts_;
  again.idle_returns_ = idle_returns_;
  again.revived_ = true;
  home->on_slice_(std::move(again));
}

const batch_ref& batch_slice::batch() const noexcept {
  return storage_->batch;
}

const batch_layout& batch_slice::layout() const noexcept {
  return storage_->layout;
}

std::uint64_t batch_slice::position() const noexcept {
  return position_.value_or(storage_->batch.first_position + first_);
}

std::byte* batch_slice::pixels(std::uint32_t i) const noexcept {
  assert(i < count_);
  return storage_->pixels.get() + (first_ + i) * storage_->layout.bytes_per_sample();
}

void batch_slice::copy_sample(const batch_slice& from, std::uint32_t i) const noexcept {
  assert(from.storage_ == storage_ && from.first_ + i != first_);
  std::memcpy(pixels(0), from.pixels(i), storage_->layout.bytes_per_sample());
  const auto source = from.first_ + i;
  set_sample(0, storage_->sample_ids[source], storage_->labels[source], storage_->weights[source]);
}

void batch_slice::set_sample(std::uint32_t i, std::uint64_t id, std::int64_t label, float weight) const noexcept {
  assert(i < count_);
  storage_->weights[first_ + i] = weight;
  storage_->sample_ids[first_ + i] = id;
  storage_->labels[first_ + i] = label;
}

std::uint64_t batch_slice::sample_id(std::uint32_t i) const noexcept {
  assert(i < count_);
  return storage_->sample_ids[first_ + i];
}

std::int64_t batch_slice::label(std::uint32_t i) const noexcept {
  assert(i < count_);
  return storage_->labels[first_ + i];
}

std::vector<batch_slice> batch_slice::singles() && {
  std::vector<batch_slice> out;
  for (std::uint32_t i = 0; i < count_; ++i) {
    out.push_back(batch_slice(storage_, first_ + i, 1));
    out.back().failed_attempts_ = failed_attempts_;
    if (position_)
      out.back().position_ = *position_ + i;
  }
  storage_.reset();
  return out;
}

} // namespace troupe
