#include "actors/augmenter/fill_slice.hpp"

#include <algorithm>
#include <limits>

namespace troupe {

namespace {

std::uint32_t saturated(std::size_t x) {
  return static_cast<std::uint32_t>(std::min<std::size_t>(x, std::numeric_limits<std::uint32_t>::max()));
}

} // namespace

slice_outcome fill_slice(const transform_pipeline& transforms, std::uint64_t seed, const encoded_chunk& chunk,
                         const batch_slice& slice, sample_observer* observer) {
  slice_outcome out{chunk.unreadable, {}};
  auto& bad = out.bad;
  const auto& layout = slice.layout();
  const bool wants_hash = observer != nullptr && observer->wants_hash();
  for (std::uint32_t i = 0; i < slice.count(); ++i) {
    const auto& sample = chunk.samples[i];
    const auto slot = slice.first() + i;
    if (std::any_of(bad.begin(), bad.end(), [=](auto& x) { return x.slot == slot; }))
      continue;
    if (observer != nullptr)
      observer->begins(sample.id);
    slice.set_sample(i, sample.id, sample.label, sample.weight);
    decoded_sample decoded;
    std::uint64_t hash = 0;
    const sample_slot to{slice.pixels(i), layout.type, layout.channels_last};
    const sample_extras extras{chunk.wants_decoded ? &decoded : nullptr, wants_hash ? &hash : nullptr};
    const auto made = transforms.apply(sample, seed, chunk.epoch, to, extras);
    if (!made)
      bad.push_back({sample.id, slot, {}, to_string(made.error()), "augmenter", chunk.epoch});
    else if (!decoded.bytes.empty())
      out.decoded.push_back(std::move(decoded));
    if (observer != nullptr)
      observer->made({sample.id, slot, hash, saturated(sample.bytes.size()), !made});
  }
  std::sort(bad.begin(), bad.end(), [](auto& a, auto& b) { return a.slot < b.slot; });
  return out;
}

} // namespace troupe
