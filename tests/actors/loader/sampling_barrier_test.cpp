#include "actors/loader/chunk_dispatcher.hpp"
#include "tests/actors/loader/counted_dataset.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

/// What a run consists of, apart from chance.
struct run_shape {
  std::uint64_t num_samples = 22;
  std::uint64_t end_epoch = 6;
  std::uint32_t read_ahead = 3;
  int num_buffers = 3;
  bool use_readers = true;
  std::set<std::uint64_t> bad; ///< Samples that are replaced, by the first of the epoch's order that is not bad.
};

/// How a listener answers at the end of the epoch: every third time it keeps what was.
std::optional<sample_weights> change_after(std::uint64_t epoch, std::uint64_t num_samples) {
  if (epoch % 3 == 2)
    return std::nullopt;
  std::vector<float> weights;
  for (std::uint64_t id = 0; id < num_samples; ++id)
    weights.push_back(id % (epoch + 2) == 0 ? 4.f : 0.5f);
  return sample_weights{epoch + 1, epoch + 2, std::make_shared<const std::vector<float>>(std::move(weights))};
}

/// All changes that a run which stands at this epoch has heard of.
std::vector<sample_weights> changes_before(std::uint64_t epoch, std::uint64_t num_samples) {
  std::vector<sample_weights> out;
  for (std::uint64_t i = 0; i < epoch; ++i)
    if (auto change = change_after(i, num_samples))
      out.push_back(std::move(*change));
  return out;
}

using place = std::pair<std::uint64_t, std::uint64_t>; ///< Batch and slot.
using filled_slots = std::map<place, std::uint64_t>;   ///< To sample ids.

/// A training run: whatever is ready is read, filled and trained in an order that `chance` decides.
class training {
public:
  training(const run_shape& shape, data_position first, std::uint64_t chance)
    : shape_(shape), data_(std::make_shared<counted_dataset>(shape.num_samples)), engine_(chance),
      plan_(*epoch_plan::make(shape.num_samples, 4, false, true, 1)) {
    loader_config config;
    config.batch_size = 4;
    config.chunk_size = 2;
    config.read_ahead = shape.read_ahead;
    config.use_readers = shape.use_readers;
    auto sampling = sampling_history::make(shape.num_samples, true, changes_before(first.epoch, shape.num_samples));
    REQUIRE(sampling);
    unit_.emplace(data_, plan_, config, nullptr, std::move(*sampling));
    REQUIRE(unit_->serve({first, shape.end_epoch}));
    settled_end_ = first.epoch + 2;
    next_ = first.epoch * plan_.batches_per_epoch() + first.batch;
    for (int i = 0; i < shape.num_buffers; ++i)
      unit_->add_buffer({home_, {4, 1, 1, 1}, {new std::byte[16](), std::default_delete<std::byte[]>()}});
  }
  ~training() { home_->close(); }
  training(const training&) = delete;
  training& operator=(const training&) = delete;

  [[nodiscard]] filled_slots run() {
    for (int i = 0; i < 100'000 && next_ < shape_.end_epoch * plan_.batches_per_epoch(); ++i) {
      if (engine_() % 2 == 0)
        ask_for_reading();
      if (engine_() % 2 == 0)
        read_one();
      if (engine_() % 2 == 0)
        fill_one();
      if (engine_() % 4 == 0)
        train();
    }
    CHECK(unit_->served());
    CHECK_FALSE(unit_->waits_for_sampling());
    CHECK(unit_->encoded_bytes() == 0);
    return std::move(filled_);
  }

private:
  void check_settled(std::uint64_t batch) const {
    if (batch / plan_.batches_per_epoch() >= settled_end_)
      FAIL("batch " << batch << " is begun, and only epochs before " << settled_end_ << " are settled");
  }

  void ask_for_reading() {
    if (auto wanted = unit_->next_to_read()) {
      check_settled(wanted->batch);
      being_read_.push_back(std::move(*wanted));
    }
  }

  void read_one() {
    if (being_read_.empty())
      return;
    std::swap(being_read_[engine_() % being_read_.size()], being_read_.back());
    unit_->was_read(std::make_shared<encoded_chunk>(being_read_.back().read()));
    being_read_.pop_back();
  }

  void fill_one() {
    auto ready = unit_->next();
    if (!ready)
      return;
    check_settled(ready->chunk->batch);
    auto slice = ready->slice.take();
    REQUIRE(slice);
    unit_->done(ready->chunk->batch, ready->chunk->position);
    auto slots = std::move(*slice).singles();
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const auto id = ready->chunk->samples[i].id;
      if (shape_.bad.contains(id)) {
        slots[i].fill_from(first_good(slots[i].batch().epoch));
        unit_->replace(std::move(slots[i]));
      } else {
        filled_[{ready->chunk->batch, slots[i].first()}] = id;
        batches_[ready->chunk->batch].push_back(std::move(slots[i]));
      }
    }
  }

  [[nodiscard]] std::uint64_t first_good(std::uint64_t epoch) const;

  void train() {
    auto whole = batch_buffer::join(batches_[next_]);
    if (!whole)
      return;
    unit_->add_buffer(std::move(*whole));
    ++next_;
    if (next_ % plan_.batches_per_epoch() == 0) {
      const auto epoch = next_ / plan_.batches_per_epoch() - 1;
      REQUIRE(unit_->settle({epoch, change_after(epoch, shape_.num_samples)}));
      settled_end_ = epoch + 3;
    }
  }

  run_shape shape_;
  std::shared_ptr<counted_dataset> data_;
  std::mt19937_64 engine_;
  epoch_plan plan_;
  std::shared_ptr<buffer_home> home_ = std::make_shared<buffer_home>([](batch_slice) {}, [](batch_buffer) {});
  std::optional<chunk_dispatcher> unit_;
  std::vector<chunk_wanted> being_read_;
  std::map<std::uint64_t, std::vector<batch_slice>> batches_;
  filled_slots filled_;
  std::uint64_t settled_end_ = 0;
  std::uint64_t next_ = 0; ///< Batch to be trained.
};

/// The order of the epoch, as the answers at the ends of the epochs before it make it.
std::vector<std::uint32_t> order_of(std::uint64_t epoch, std::uint64_t num_samples) {
  const auto changes = changes_before(epoch > 0 ? epoch - 1 : 0, num_samples);
  return changes.empty() ? permutation(num_samples, 1, epoch)
                         : weighted_order(num_samples, *changes.back().weights, 1, epoch);
}

std::uint64_t training::first_good(std::uint64_t epoch) const {
  const auto order = order_of(epoch, shape_.num_samples);
  const auto good = std::find_if(order.begin(), order.end(), [&](auto id) { return !shape_.bad.contains(id); });
  return static_cast<std::uint64_t>(good - order.begin());
}

/// What a run from `first` on has to fill.
filled_slots wanted(const run_shape& shape, data_position first = {}) {
  const auto plan = *epoch_plan::make(shape.num_samples, 4, false, true, 1);
  filled_slots out;
  for (auto epoch = first.epoch; epoch < shape.end_epoch; ++epoch) {
    const auto order = order_of(epoch, shape.num_samples);
    const auto spare = *std::find_if(order.begin(), order.end(), [&](auto id) { return !shape.bad.contains(id); });
    for (auto index = epoch == first.epoch ? first.batch : 0; index < plan.batches_per_epoch(); ++index) {
      const auto batch = plan.batch(epoch, index);
      for (std::uint32_t slot = 0; slot < batch.num_samples; ++slot) {
        const auto id = order[batch.first_position + slot];
        out[{batch.id, slot}] = shape.bad.contains(id) ? spare : id;
      }
    }
  }
  return out;
}

} // namespace

TEST_SUITE_BEGIN("actors/loader");

TEST_CASE("samples are drawn as settled, whoever is first, and no epoch is begun before it is settled") {
  run_shape shape;
  SUBCASE("with readers") {}
  SUBCASE("without readers") {
    shape.use_readers = false;
  }
  SUBCASE("in epochs of three batches") {
    shape.num_samples = 12;
  }
  SUBCASE("in epochs of two batches") {
    shape.num_samples = 6;
  }
  SUBCASE("in epochs of one batch") {
    shape.num_samples = 3;
    shape.end_epoch = 12;
  }
  SUBCASE("in epochs of one batch, with buffers and read-ahead for ten") {
    shape.num_samples = 4;
    shape.end_epoch = 12;
    shape.num_buffers = 10;
    shape.read_ahead = 10;
  }
  const auto expected_slots = wanted(shape);
  for (std::uint64_t chance = 0; chance < 40; ++chance) {
    CAPTURE(chance);
    REQUIRE(training(shape, {}, chance).run() == expected_slots);
  }
}

TEST_CASE("a run that is resumed anywhere draws what the run without a pause draws") {
  run_shape shape;
  shape.num_samples = 10;
  shape.num_buffers = 5;
  const auto batches_per_epoch = epoch_plan::make(10, 4, false, true, 1)->batches_per_epoch();
  for (std::uint64_t epoch = 0; epoch < shape.end_epoch; ++epoch)
    for (std::uint64_t batch = 0; batch < batches_per_epoch; ++batch) {
      CAPTURE(epoch);
      CAPTURE(batch);
      REQUIRE(training(shape, {epoch, batch}, epoch + batch).run() == wanted(shape, {epoch, batch}));
    }
}

TEST_CASE("with bad samples every slot of every epoch is filled once, by samples of its epoch's order") {
  run_shape shape;
  shape.bad = {0, 3, 7};
  SUBCASE("with readers") {}
  SUBCASE("without readers") {
    shape.use_readers = false;
  }
  SUBCASE("in tiny epochs") {
    shape.num_samples = 8;
    shape.num_buffers = 6;
    shape.read_ahead = 6;
  }
  const auto expected_slots = wanted(shape);
  for (std::uint64_t chance = 0; chance < 20; ++chance) {
    CAPTURE(chance);
    REQUIRE(training(shape, {}, chance).run() == expected_slots);
  }
}

TEST_SUITE_END();
