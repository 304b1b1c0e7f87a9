#include "actors/augmenter/fill_slice.hpp"

#include <algorithm>

namespace troupe {

std::vector<bad_sample> fill_slice(const transform_pipeline& transforms, std::uint64_t seed, const encoded_chunk& chunk,
                                   const batch_slice& slice) {
  auto bad = chunk.unreadable;
  const bool channels_last = slice.layout().channels_last;
  for (std::uint32_t i = 0; i < slice.count(); ++i) {
    const auto& sample = chunk.samples[i];
    const auto slot = slice.first() + i;
    if (std::any_of(bad.begin(), bad.end(), [=](auto& x) { return x.slot == slot; }))
      continue;
    slice.set_sample(i, sample.id, sample.label);
    if (auto made = transforms.apply(sample, seed, chunk.epoch, slice.pixels(i), channels_last); !made)
      bad.push_back({sample.id, slot, {}, to_string(made.error())});
  }
  std::sort(bad.begin(), bad.end(), [](auto& a, auto& b) { return a.slot < b.slot; });
  return bad;
}

} // namespace troupe
