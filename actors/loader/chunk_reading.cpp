#include "actors/loader/chunk_reading.hpp"

#include "actors/loader/datasets/read_sample.hpp"

#include <string>
#include <utility>

namespace troupe {

namespace {

/// Reads the sample, from the cache if it is there: `known` has its id, and keeps its label and weight.
expected<void> fetch(const dataset& data, const pixel_cache::fetcher& cached, encoded_sample& known) {
  if (cached && cached(known))
    return {};
  auto read = read_sample(data, known.id);
  if (!read)
    return read.error();
  known = std::move(*read);
  return {};
}

} // namespace

const chunk_maker::order& chunk_maker::order_of(std::uint64_t epoch) {
  auto it = orders_.find(epoch);
  if (it == orders_.end())
    it = orders_.emplace(epoch, plan_.order(epoch, sampling_.weights_in(epoch))).first;
  return it->second;
}

chunk_request chunk_maker::request(const chunk_place& place) {
  chunk_request out;
  auto& chunk = out.frame;
  chunk.batch = place.batch;
  // Without shuffle every pass is the same, random transforms included: validation does not depend on its turn.
  chunk.epoch = shuffle_ ? place.epoch : 0;
  chunk.position = place.position;
  chunk.first_slot = place.first_slot;
  chunk.wants_decoded = cache_ && cache_->takes_more();
  const auto& ids = order_of(place.epoch);
  for (std::uint32_t i = 0; i < place.count; ++i) {
    auto& sample = chunk.samples.emplace_back();
    sample.id = ids[place.position + i];
    sample.label = data_->label(sample.id);
    sample.weight = data_->weight(sample.id);
    out.cached.push_back(cache_ ? cache_->find(sample.id) : pixel_cache::fetcher{});
    out.estimated_bytes += data_->encoded_bytes(sample.id);
  }
  return out;
}

std::function<encoded_chunk()> chunk_maker::reading_of(chunk_request request) const {
  return [data = data_, request = std::move(request)] {
    auto chunk = request.frame;
    for (std::size_t i = 0; i < chunk.samples.size(); ++i) {
      auto& sample = chunk.samples[i];
      const auto slot = chunk.first_slot + static_cast<std::uint32_t>(i);
      if (const auto ok = fetch(*data, request.cached[i], sample); !ok)
        chunk.unreadable.push_back({sample.id, slot, {}, to_string(ok.error()), "loader", chunk.epoch});
    }
    return chunk;
  };
}

std::function<samples_found()> chunk_maker::reading_of(const samples_wanted& wanted) const {
  samples_found frame{wanted.epoch, {}, {}};
  std::vector<pixel_cache::fetcher> cached;
  const auto end = data_->num_samples();
  for (const auto id : wanted.ids) {
    auto& sample = frame.samples.emplace_back();
    auto& why = frame.failures.emplace_back();
    sample.id = id;
    if (id >= end) {
      why = {ec::not_found,
             "the data set has no sample " + std::to_string(id) + ", expected an id below " + std::to_string(end)};
    } else {
      sample.label = data_->label(id);
      sample.weight = data_->weight(id);
    }
    cached.push_back(cache_ && id < end ? cache_->find(id) : pixel_cache::fetcher{});
  }
  return [data = data_, frame = std::move(frame), cached = std::move(cached)] {
    auto found = frame;
    for (std::size_t i = 0; i < found.samples.size(); ++i)
      if (found.failures[i].code == ec::none)
        if (const auto ok = fetch(*data, cached[i], found.samples[i]); !ok)
          found.failures[i] = ok.error();
    return found;
  };
}

void chunk_maker::forget_before(std::uint64_t epoch) {
  orders_.erase(orders_.begin(), orders_.lower_bound(epoch));
  sampling_.forget_before(epoch);
}

} // namespace troupe
