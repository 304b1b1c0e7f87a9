#include "actors/collator/batch_steps.hpp"

#include "actors/support/bfloat16.hpp"
#include "actors/support/components/component_registry.hpp"
#include "actors/support/components/guarded_block.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace troupe {

namespace {

/// The k-th step's stream is the k-th from here on; ids of batches are ids of samples elsewhere.
constexpr std::uint32_t first_step_stream = sample_rng::first_reserved_stream + 0x100;

failure unknown_step(const std::string& name) {
  std::string names;
  for (const auto& each : component_registry::instance().batch_transforms)
    names.append(names.empty() ? "" : ", ").append(each.name);
  return {ec::bad_config, "collator: unknown step \"" + name + "\" of batches; plugins have brought "
                            + (names.empty() ? "none" : names)};
}

} // namespace

expected<batch_steps> batch_steps::make(const std::vector<component_use>& list) {
  batch_steps out;
  for (const auto& use : list) {
    const auto* kind = find_component(component_registry::instance().batch_transforms, use.name);
    if (kind == nullptr)
      return unknown_step(use.name);
    step next{nullptr, std::make_unique<plugin_guard>(kind->plugin, "batch transform " + kind->name)};
    const auto made = next.guard->call(no_sample, [&] {
      next.change = kind->make(use.values);
      if (!next.change)
        throw std::runtime_error("made no step");
    });
    if (!made)
      return failure{ec::bad_config, "collator: " + made.error().context};
    out.steps_.push_back(std::move(next));
  }
  return out;
}

expected<void> batch_steps::apply(std::uint64_t seed, const batch_ref& batch, const batch_buffer& buffer) {
  const bool idle = std::none_of(steps_.begin(), steps_.end(), [](auto& x) { return x.guard->enabled(); });
  if (idle || batch.num_samples == 0)
    return {};
  const auto& layout = buffer.layout();
  const auto num_values = batch.num_samples * layout.values_per_sample();
  batch_pixels pixels{layout,
                      batch.num_samples,
                      {},
                      buffer.labels().first(batch.num_samples),
                      buffer.sample_ids().first(batch.num_samples),
                      batch.epoch,
                      batch.index};
  if (layout.type == pixel_type::float32) {
    pixels.pixels = {buffer.floats(), num_values};
    return take_steps(seed, pixels);
  }
  auto* numbers = reinterpret_cast<std::uint16_t*>(buffer.pixels());
  copy_.resize(std::max(copy_.size(), num_values));
  std::transform(numbers, numbers + num_values, copy_.begin(), from_bfloat16);
  pixels.pixels = std::span(copy_).first(num_values);
  if (auto ok = take_steps(seed, pixels); !ok)
    return ok;
  std::transform(pixels.pixels.begin(), pixels.pixels.end(), numbers, to_bfloat16);
  return {};
}

expected<void> batch_steps::take_steps(std::uint64_t seed, const batch_pixels& batch) const {
  for (std::uint32_t k = 0; k < steps_.size(); ++k) {
    if (!steps_[k].guard->enabled())
      continue;
    sample_rng rng(seed, batch.epoch, batch.index, first_step_stream + k);
    if (auto ok = take_step(steps_[k], batch, rng); !ok)
      return ok;
  }
  return {};
}

expected<void> batch_steps::take_step(const step& each, const batch_pixels& batch, sample_rng& rng) const {
  if (!checked_build)
    return each.guard->call(no_sample, [&] { each.change->apply(batch, rng); });
  guarded_block block(batch.pixels.size_bytes());
  auto watched = batch;
  watched.pixels = {reinterpret_cast<float*>(block.data()), batch.pixels.size()};
  std::copy(batch.pixels.begin(), batch.pixels.end(), watched.pixels.begin());
  if (auto ok = each.guard->call(no_sample, [&] { each.change->apply(watched, rng); }); !ok)
    return ok;
  if (!block.intact())
    return each.guard->failed(no_sample,
                              "wrote beside the pixels, which are " + std::to_string(batch.pixels.size()) + " numbers");
  std::copy(watched.pixels.begin(), watched.pixels.end(), batch.pixels.begin());
  return {};
}

} // namespace troupe
