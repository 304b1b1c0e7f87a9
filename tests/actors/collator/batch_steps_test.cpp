#include "actors/collator/batch_steps.hpp"
#include "actors/support/components/component_registry.hpp"
#include "actors/support/components/guarded_block.hpp"

#include "tests/support/plugin_failure_log.hpp"

#include <bit>
#include <cmath>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

using work = std::function<void(const batch_pixels&, sample_rng&)>;

class tested_step final : public batch_transform {
public:
  explicit tested_step(work what) : what_(std::move(what)) {}
  void apply(const batch_pixels& batch, sample_rng& rng) const override { what_(batch, rng); }

private:
  work what_;
};

void offer(const std::string& name, work what) {
  component_registry::instance().batch_transforms.push_back(
    {{name, "", {}, "tested"}, [what](const parameters&) { return std::make_unique<tested_step>(what); }});
}

batch_steps made(const std::vector<std::string>& names) {
  std::vector<component_use> list;
  for (const auto& name : names)
    list.push_back({name, {}});
  auto steps = batch_steps::make(list);
  REQUIRE_MESSAGE(steps, (steps ? "" : steps.error().context));
  return std::move(*steps);
}

/// A buffer of four slots, of which three are in use.
struct some_batch {
  explicit some_batch(pixel_type type = pixel_type::float32) : layout{4, 1, 2, 2, false, type} {
    ref.num_samples = 3;
    ref.epoch = 2;
    ref.index = 7;
    for (std::uint32_t i = 0; i < 4; ++i) {
      buffer.sample_ids()[i] = 10 + i;
      buffer.labels()[i] = i % 2;
    }
    for (std::size_t k = 0; k < 16; ++k)
      put(k, static_cast<float>(k));
  }
  ~some_batch() { home->close(); }
  some_batch(const some_batch&) = delete;
  some_batch& operator=(const some_batch&) = delete;

  [[nodiscard]] std::uint16_t* halves() const { return reinterpret_cast<std::uint16_t*>(buffer.pixels()); }
  void put(std::size_t k, float x) {
    if (layout.type == pixel_type::float32)
      buffer.floats()[k] = x;
    else
      halves()[k] = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(x) >> 16);
  }
  [[nodiscard]] float at(std::size_t k) const {
    return layout.type == pixel_type::float32 ? buffer.floats()[k]
                                              : std::bit_cast<float>(static_cast<std::uint32_t>(halves()[k]) << 16);
  }
  [[nodiscard]] std::vector<float> values() const {
    std::vector<float> out;
    for (std::size_t k = 0; k < 16; ++k)
      out.push_back(at(k));
    return out;
  }

  batch_layout layout;
  batch_ref ref;
  std::shared_ptr<buffer_home> home = std::make_shared<buffer_home>([](batch_slice) {}, [](batch_buffer) {});
  batch_buffer buffer{home, layout, {new std::byte[4 * 4 * 4](), std::default_delete<std::byte[]>()}};
};

} // namespace

TEST_SUITE_BEGIN("actors/collator");

TEST_CASE("steps change the slots in use, in their order, whatever the type of the pixels") {
  offer("add_one", [](const batch_pixels& batch, sample_rng&) {
    for (auto& x : batch.pixels)
      x += 1;
  });
  offer("twice", [](const batch_pixels& batch, sample_rng&) {
    for (auto& x : batch.pixels)
      x *= 2;
  });
  for (const auto type : {pixel_type::float32, pixel_type::bfloat16}) {
    some_batch batch(type);
    auto steps = made({"add_one", "twice"});
    REQUIRE(steps.apply(1, batch.ref, batch.buffer));
    for (std::size_t k = 0; k < 12; ++k)
      CHECK(batch.at(k) == 2 * (static_cast<float>(k) + 1));
    for (std::size_t k = 12; k < 16; ++k)
      CHECK(batch.at(k) == static_cast<float>(k));
  }
}

TEST_CASE("a step is told what the batch is") {
  bool good = false;
  offer("looks", [&good](const batch_pixels& batch, sample_rng&) {
    good = batch.num_samples == 3 && batch.epoch == 2 && batch.index == 7 && batch.layout.width == 2
           && batch.pixels.size() == 12 && batch.labels.size() == 3 && batch.labels[1] == 1
           && batch.sample_ids.size() == 3 && batch.sample_ids[2] == 12;
  });
  some_batch batch;
  REQUIRE(made({"looks"}).apply(1, batch.ref, batch.buffer));
  CHECK(good);
}

TEST_CASE("what a step draws depends on seed, epoch, index and its place alone") {
  offer("noise", [](const batch_pixels& batch, sample_rng& rng) {
    for (auto& x : batch.pixels)
      x = static_cast<float>(rng.uniform());
  });
  const auto noise = [](std::uint64_t seed, std::uint64_t epoch, std::uint64_t index, bool second = false) {
    some_batch batch;
    batch.ref.epoch = epoch;
    batch.ref.index = index;
    REQUIRE(made(second ? std::vector<std::string>{"noise", "noise"} : std::vector<std::string>{"noise"})
              .apply(seed, batch.ref, batch.buffer));
    return batch.values();
  };
  CHECK(noise(1, 2, 3) == noise(1, 2, 3));
  CHECK(noise(1, 2, 3) != noise(2, 2, 3));
  CHECK(noise(1, 2, 3) != noise(1, 3, 3));
  CHECK(noise(1, 2, 3) != noise(1, 2, 4));
  CHECK(noise(1, 2, 3) != noise(1, 2, 3, true));
}

TEST_CASE("a NaN stays one in bfloat16") {
  offer("breaks", [](const batch_pixels& batch, sample_rng&) {
    batch.pixels[0] = std::bit_cast<float>(0x7FFF'FFFFu);
    batch.pixels[1] = std::bit_cast<float>(0xFF80'0001u);
  });
  some_batch batch(pixel_type::bfloat16);
  REQUIRE(made({"breaks"}).apply(1, batch.ref, batch.buffer));
  CHECK(std::isnan(batch.at(0)));
  CHECK(std::isnan(batch.at(1)));
}

TEST_CASE("whatever a step throws is a failure, by name") {
  for (const std::string word : {"error", "number", "own"}) {
    plugin_failure_log log;
    offer("throws_" + word, [word](const batch_pixels&, sample_rng&) { throw_as(word); });
    some_batch batch;
    const auto ok = made({"throws_" + word}).apply(1, batch.ref, batch.buffer);
    REQUIRE_FALSE(ok);
    CHECK(ok.error().code == ec::plugin_failed);
    CHECK(ok.error().context.find("throws_" + word) != std::string::npos);
    CHECK(log.all().size() == 1);
  }
}

TEST_CASE("a disabled step is passed over, and the others go on") {
  plugin_failure_log log(plugin_policy::disable);
  offer("fails", [](const batch_pixels&, sample_rng&) { throw_as("error"); });
  offer("sets", [](const batch_pixels& batch, sample_rng&) { batch.pixels[0] = 99; });
  some_batch batch;
  auto steps = made({"fails", "sets"});
  CHECK_FALSE(steps.apply(1, batch.ref, batch.buffer));
  CHECK(steps.apply(1, batch.ref, batch.buffer));
  CHECK(batch.at(0) == 99);
  CHECK(log.all().size() == 1);
}

TEST_CASE("a batch without samples is not shown to steps") {
  offer("never", [](const batch_pixels&, sample_rng&) { throw_as("error"); });
  some_batch batch;
  batch.ref.num_samples = 0;
  CHECK(made({"never"}).apply(1, batch.ref, batch.buffer));
}

TEST_CASE("a step that writes beside the pixels is found out in a checked build") {
#ifndef __SANITIZE_ADDRESS__
  offer("spills", [](const batch_pixels& batch, sample_rng&) { batch.pixels.data()[batch.pixels.size()] = 1; });
  some_batch batch;
  const auto ok = made({"spills"}).apply(1, batch.ref, batch.buffer);
  CHECK(bool(ok) == !checked_build);
#endif
}

TEST_CASE("a step that is unknown or cannot be made is a bad config") {
  for (const std::string word : {"error", "number", "own"}) {
    component_registry::instance().batch_transforms.push_back(
      {{"unmade_" + word, "", {}, "tested"}, [word](const parameters&) {
         throw_as(word);
         return std::unique_ptr<batch_transform>();
       }});
    const auto steps = batch_steps::make({{"unmade_" + word, {}}});
    REQUIRE_FALSE(steps);
    CHECK(steps.error().code == ec::bad_config);
    CHECK(steps.error().context.find("unmade_" + word) != std::string::npos);
  }
  const auto unknown = batch_steps::make({{"unheard_of", {}}});
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().context.find("\"unheard_of\"") != std::string::npos);
}

TEST_SUITE_END();
