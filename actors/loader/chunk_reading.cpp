#include "actors/loader/chunk_reading.hpp"

#include "actors/loader/datasets/read_sample.hpp"

#include <utility>

namespace troupe {

const chunk_maker::order& chunk_maker::order_of(std::uint64_t epoch) {
  auto it = orders_.find(epoch);
  if (it == orders_.end())
    it = orders_.emplace(epoch, plan_.order(epoch)).first;
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
      if (request.cached[i] && request.cached[i](sample))
        continue;
      const auto slot = chunk.first_slot + static_cast<std::uint32_t>(i);
      if (auto read = read_sample(*data, sample.id))
        sample = std::move(*read);
      else
        chunk.unreadable.push_back({sample.id, slot, {}, to_string(read.error()), "loader", chunk.epoch});
    }
    return chunk;
  };
}

} // namespace troupe
