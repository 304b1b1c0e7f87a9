#include "app/plugins/check_parts.hpp"
#include "app/plugins/check_support.hpp"

#include "actors/support/components/guarded_block.hpp"

#include <array>
#include <cmath>
#include <cstring>

namespace troupe {

namespace {

constexpr std::uint32_t batch_size = 16;
constexpr std::int64_t num_classes = 10;

struct outcome {
  std::vector<std::byte> bytes;
  bool intact = true;
  bool finite = true;
  friend bool operator==(const outcome&, const outcome&) = default;
};

struct tried_batch {
  const batch_transform& transform;
  batch_layout layout;

  outcome operator()(std::uint64_t index) const {
    call_timer timer;
    return apply(index, timer);
  }

  outcome apply(std::uint64_t index, call_timer& timer) const {
    const auto num_values = layout.values_per_sample() * batch_size;
    guarded_block memory{num_values * sizeof(float)};
    const std::span pixels{reinterpret_cast<float*>(memory.data()), num_values};
    sample_rng drawn{1, 0, index, sample_rng::first_reserved_stream - 1};
    for (auto& x : pixels)
      x = static_cast<float>(drawn.uniform(-2, 2));
    std::array<std::int64_t, batch_size> labels{};
    std::array<std::uint64_t, batch_size> ids{};
    for (std::uint32_t i = 0; i < batch_size; ++i) {
      ids[i] = index * batch_size + i;
      labels[i] = static_cast<std::int64_t>(ids[i]) % num_classes;
    }
    sample_rng rng{1, 0, index, 0};
    timer.time([&] { transform.apply({layout, batch_size, pixels, labels, ids, 0, index}, rng); });
    const bool finite = std::all_of(pixels.begin(), pixels.end(), [](float x) { return std::isfinite(x); });
    return {{memory.data(), memory.data() + memory.size()}, memory.intact(), finite};
  }
};

void try_layout(const batch_transform& transform, const batch_layout& layout, const std::string& prefix,
                std::uint64_t num_batches, check_log& log) {
  const tried_batch tried{transform, layout};
  std::vector<outcome> first;
  call_timer timer;
  if (!log.survives(prefix + "does not throw", [&] {
        for (std::uint64_t i = 0; i < num_batches; ++i)
          first.push_back(tried.apply(i, timer));
      }))
    return;
  const auto all = [&first](bool outcome::*what) {
    return std::all_of(first.begin(), first.end(), [what](const outcome& x) { return x.*what; });
  };
  log.say(prefix + "leaves numbers", all(&outcome::finite), "a pixel is infinite or not a number");
  log.say(prefix + "writes nothing beside the pixels", all(&outcome::intact),
          "bytes before or behind the pixels were changed");
  check_sameness(log, prefix, first, tried);
  log.good(prefix + "speed", timer.text("batch of 16", batch_size * layout.bytes_per_sample()));
}

} // namespace

void check_batch_transform(const batch_transform_component& what, const parameters& values,
                           const check_options& options, check_log& log) {
  const auto made = what.make(values);
  if (!made) {
    log.bad("is made", "nothing was made");
    return;
  }
  const auto num_batches = std::max<std::uint64_t>(4, options.num_samples / batch_size);
  try_layout(*made, {batch_size, 1, 28, 28, false, pixel_type::float32}, "1x28x28: ", num_batches, log);
  try_layout(*made, {batch_size, 3, 64, 48, true, pixel_type::float32}, "3x64x48, channels last: ", num_batches, log);
}

} // namespace troupe
