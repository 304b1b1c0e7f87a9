#include "actors/augmenter/fill_slice.hpp"

#include <algorithm>

namespace troupe {

slice_outcome fill_slice(const transform_pipeline& transforms, std::uint64_t seed, const encoded_chunk& chunk,
                         const batch_slice& slice) {
  slice_outcome out{chunk.unreadable, {}};
  auto& bad = out.bad;
  const auto& layout = slice.layout();
  for (std::uint32_t i = 0; i < slice.count(); ++i) {
    const auto& sample = chunk.samples[i];
    const auto slot = slice.first() + i;
    if (std::any_of(bad.begin(), bad.end(), [=](auto& x) { return x.slot == slot; }))
      continue;
    slice.set_sample(i, sample.id, sample.label, sample.weight);
    decoded_sample decoded;
    const sample_slot to{slice.pixels(i), layout.type, layout.channels_last};
    if (auto made = transforms.apply(sample, seed, chunk.epoch, to, chunk.wants_decoded ? &decoded : nullptr); !made)
      bad.push_back({sample.id, slot, {}, to_string(made.error()), "augmenter", chunk.epoch});
    else if (!decoded.bytes.empty())
      out.decoded.push_back(std::move(decoded));
  }
  std::sort(bad.begin(), bad.end(), [](auto& a, auto& b) { return a.slot < b.slot; });
  return out;
}

} // namespace troupe
