#include "actors/loader/sampler.hpp"
#include "tests/actors/loader/loader_stage.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/deterministic_system.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

/// A loader of four epochs whose sampling changes.
struct changing_stage : loader_stage {
  changing_stage() { sampling_changes = true; }

  void settle(std::uint64_t epoch, std::optional<sample_weights> change = {}) {
    caf::anon_send(loader, sampling_settled{epoch, std::move(change)});
    actors.run();
  }

  [[nodiscard]] std::string doing() {
    const auto status = actors.ask<actor_status>(loader, status_atom_v);
    REQUIRE(status);
    return status->doing;
  }

  /// Ids that `a` was given of the epoch, in order.
  [[nodiscard]] std::vector<std::uint32_t> drawn_in(std::uint64_t epoch) const {
    std::vector<std::uint32_t> out;
    for (const auto& chunk : a->chunks)
      if (chunk->epoch == epoch)
        for (const auto id : ids_in(chunk))
          out.push_back(static_cast<std::uint32_t>(id));
    return out;
  }
};

std::vector<float> mostly_the_first() {
  std::vector<float> out(12, 1);
  out[0] = 20;
  return out;
}

sample_weights from(std::uint64_t epoch, std::vector<float> weights = mostly_the_first()) {
  return {1, epoch, std::make_shared<const std::vector<float>>(std::move(weights))};
}

} // namespace

TEST_SUITE_BEGIN("actors/loader");

TEST_CASE_FIXTURE(changing_stage, "no epoch goes out before the last but one is settled") {
  open();
  serve({}, 4);
  give_buffers(12);
  ask(a, 30);
  CHECK(a->chunks.size() == 12); // Two epochs of three batches in two chunks.
  while (!a->slices.empty()) {
    if (a->slices.back())
      finish_newest(a);
    a->slices.pop_back();
    a->chunks.pop_back();
  }
  CHECK(doing() == "waits for the sampling of epoch 2 to be settled");
  settle(0);
  CHECK(a->chunks.size() == 6);
  settle(1);
  CHECK(a->chunks.size() == 12);
  CHECK(drawn_in(2) == permutation(12, 1, 2));
}

TEST_CASE_FIXTURE(changing_stage, "a later epoch is drawn by the weights that it was settled with") {
  open();
  serve({}, 4);
  give_buffers(12);
  ask(a, 30);
  settle(0, from(2));
  settle(1);
  CHECK(drawn_in(1) == permutation(12, 1, 1));
  CHECK(drawn_in(2) == weighted_order(12, mostly_the_first(), 1, 2));
  CHECK(drawn_in(3) == weighted_order(12, mostly_the_first(), 1, 3));
}

TEST_CASE_FIXTURE(changing_stage, "a run that is resumed knows the weights of the run before") {
  SUBCASE("which may change") {}
  SUBCASE("which stay") {
    sampling_changes = false;
  }
  sampling = {from(3)};
  open();
  serve({2, 1}, 4);
  give_buffers(6);
  ask(a, 30);
  CHECK(drawn_in(2).size() == 8);
  CHECK(drawn_in(3) == weighted_order(12, mostly_the_first(), 1, 3));
}

TEST_CASE_FIXTURE(changing_stage, "a loader that does not shuffle goes by no weights and waits for none") {
  sampling = {from(0)};
  auto config = twelve_samples();
  config.shuffle = false;
  open(config);
  serve({}, 4);
  give_buffers(12);
  ask(a, 30);
  REQUIRE(a->chunks.size() == 24);
  for (std::size_t i = 0; i < 24; ++i)
    CHECK(ids_in(a->chunks[i])[0] == i * 2 % 12);
}

TEST_CASE_FIXTURE(changing_stage, "weights that samples cannot be drawn by end the loader, with the reason") {
  open();
  serve({}, 4);
  caf::scoped_actor watcher{actors.system()};
  watcher->monitor(loader);
  std::string why;
  SUBCASE("of the wrong number") {
    settle(0, from(2, {1, 2, 3}));
    why = "3 weights, expected one for each of the 12 samples";
  }
  SUBCASE("of no number") {
    auto weights = mostly_the_first();
    weights[4] = std::numeric_limits<float>::quiet_NaN();
    settle(0, from(2, weights));
    why = "sample 4 is nan";
  }
  std::string reason;
  watcher->receive([&](const caf::down_msg& down) { reason = caf::to_string(down.reason); });
  CHECK_MESSAGE(reason.find(why) != std::string::npos, reason);
}

TEST_CASE_FIXTURE(changing_stage, "weights of the run before that samples cannot be drawn by are an error of opening") {
  sampling = {from(2, {1, 2, 3})};
  const auto opened = open();
  CHECK(opened.error.code == ec::bad_data);
  CHECK(opened.error.context.find("3 weights") != std::string::npos);
}

TEST_CASE_FIXTURE(loader_stage, "samples besides those of chunks are given at any time, in the order of the question") {
  open();
  const auto found = actors.ask<samples_found>(loader, samples_wanted{7, {3, 0, 3}});
  REQUIRE(found);
  CHECK(found->epoch == 7);
  REQUIRE(found->samples.size() == 3);
  REQUIRE(found->failures.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(found->samples[i].id == std::vector<std::uint64_t>{3, 0, 3}[i]);
    CHECK(found->samples[i].bytes.size() == 64);
    CHECK(found->failures[i].code == ec::none);
  }
}

TEST_CASE_FIXTURE(loader_stage, "samples that are not in the data set are failures, and the others are given") {
  open();
  const auto found = actors.ask<samples_found>(loader, samples_wanted{0, {11, 12, ~std::uint64_t{0}}});
  REQUIRE(found);
  CHECK(found->failures[0].code == ec::none);
  CHECK(found->failures[1].code == ec::not_found);
  CHECK(found->failures[1].context.find("no sample 12, expected an id below 12") != std::string::npos);
  CHECK(found->failures[2].code == ec::not_found);
  CHECK(found->samples[2].id == ~std::uint64_t{0});
  CHECK(found->samples[2].bytes.empty());
}

TEST_CASE_FIXTURE(loader_stage, "samples are an error as long as there is no data set") {
  loader = actors.spawn(troupe::loader, loader_setup{twelve_samples(), "loader", supervisor.handle});
  CHECK_FALSE(actors.ask<samples_found>(loader, samples_wanted{0, {1}}));
}

TEST_SUITE_END();
