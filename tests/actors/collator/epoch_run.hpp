/// Epochs with bad samples, put together by an `assembly`; and the same by a plain walk through the samples.
#pragma once

#include "actors/collator/assembly.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/doctest.hpp"

namespace troupe::test {

/// Epochs of one data set. A sample's id is its epoch's number times 1000 and its place in that epoch's order.
struct epochs {
  std::uint64_t num_samples = 33;
  std::uint32_t batch_size = 8;
  std::set<std::uint64_t> bad = {}; ///< Ids.
  bool replace = true;
  std::uint64_t num_epochs = 1;

  [[nodiscard]] std::uint64_t num_batches() const { return (num_samples + batch_size - 1) / batch_size; }

  /// The reference that a loader would give the batch.
  [[nodiscard]] batch_ref batch(std::uint64_t epoch, std::uint64_t index) const {
    batch_ref ref;
    ref.id = epoch * num_batches() + index;
    ref.epoch = epoch;
    ref.index = index;
    ref.last_in_epoch = index + 1 == num_batches();
    const auto size = std::min<std::uint64_t>(batch_size, num_samples - index * batch_size);
    ref.lead = ref.last_in_epoch && index > 0 && size < batch_size && batch_size > 2 ? 1 : 0;
    ref.num_samples = static_cast<std::uint32_t>(size) + ref.lead;
    ref.first_position = index * batch_size - ref.lead;
    ref.epoch_samples = num_samples;
    ref.next = ref.last_in_epoch ? data_position{epoch + 1, 0} : data_position{epoch, index + 1};
    return ref;
  }
};

/// One batch, as it came out or should have.
struct seen_batch {
  std::vector<std::uint64_t> ids;
  std::vector<std::uint64_t> bad; ///< Ascending.
  data_position next;
  friend bool operator==(const seen_batch&, const seen_batch&) = default;
};

/// What should come out: the samples one after another, by the rule alone.
class plain_walk {
public:
  explicit plain_walk(const epochs& what) : what_(what) {}

  [[nodiscard]] std::vector<seen_batch> batches() {
    std::vector<seen_batch> out;
    for (epoch_ = 0; epoch_ < what_.num_epochs; ++epoch_) {
      end_ = what_.num_samples;
      gift_.clear();
      for (std::uint64_t index = 0; index < what_.num_batches(); ++index)
        out.push_back(batch(index));
    }
    return out;
  }

private:
  [[nodiscard]] bool is_bad(std::uint64_t position) const { return what_.bad.contains(id(position)); }
  [[nodiscard]] std::uint64_t id(std::uint64_t position) const { return epoch_ * 1000 + position; }

  /// Puts the last unused good sample behind the others; the bad ones before it are skipped.
  void replace(seen_batch& out, std::uint64_t batch_end) {
    while (end_ > batch_end) {
      --end_;
      if (!is_bad(end_)) {
        out.ids.push_back(id(end_));
        return;
      }
      out.bad.push_back(id(end_));
    }
  }

  seen_batch batch(std::uint64_t index) {
    seen_batch out;
    out.ids = std::exchange(gift_, {});
    const auto planned_end = std::min((index + 1) * what_.batch_size, what_.num_samples);
    for (auto at = index * what_.batch_size; at < std::min(planned_end, end_); ++at) {
      if (!is_bad(at)) {
        out.ids.push_back(id(at));
        continue;
      }
      out.bad.push_back(id(at));
      if (what_.replace)
        replace(out, planned_end);
    }
    std::sort(out.bad.begin(), out.bad.end());
    if (index + 1 == what_.num_batches()) {
      out.next = {epoch_ + 1, 0};
      return out;
    }
    // A lone last sample gets company where its batch has room for it.
    const bool has_room = what_.num_samples - planned_end < what_.batch_size;
    if (end_ == planned_end + 1 && has_room && what_.batch_size > 2 && !is_bad(planned_end - 1)) {
      gift_ = {out.ids.back()};
      out.ids.pop_back();
    }
    out.next = {epoch_, index + 1, what_.num_samples - end_, gift_.size()};
    return out;
  }

  const epochs& what_;
  std::uint64_t epoch_ = 0;
  std::uint64_t end_ = 0; ///< Samples from here on have left.
  std::vector<std::uint64_t> gift_;
};

/// Everything that must not make a difference.
struct circumstances {
  std::uint32_t chunk_size = 2;
  std::size_t num_buffers = 3;
  std::uint32_t seed = 1; ///< Of the order in which slices arrive.
};

/// An assembly and what surrounds it: slices are filled in a random order.
class assembled_run {
public:
  assembled_run(const epochs& what, const circumstances& how, const data_position& first = {})
    : what_(what), how_(how), engine_(how.seed), next_{first.epoch, first.batch},
      unit_(what.replace, first.epoch * what.num_batches() + first.batch, first) {}
  ~assembled_run() { home_->close(); }
  assembled_run(const assembled_run&) = delete;
  assembled_run& operator=(const assembled_run&) = delete;

  [[nodiscard]] std::vector<seen_batch> batches() {
    for (std::size_t i = 0; i < how_.num_buffers; ++i)
      open_next();
    while (!waiting_.empty()) {
      std::swap(waiting_[engine_() % waiting_.size()], waiting_.back());
      auto slice = std::move(waiting_.back());
      waiting_.pop_back();
      auto bad = fill(slice);
      auto outcome = unit_.add(std::move(slice), std::move(bad));
      for (auto& wanted : outcome.wanted) {
        CHECK(wanted.count() == 1);
        waiting_.push_back(std::move(wanted));
      }
      for (auto& ready : outcome.ready) {
        keep(ready);
        open_next();
      }
    }
    CHECK(unit_.num_open() == 0);
    return std::move(out_);
  }

private:
  void open_next() {
    if (next_.epoch >= what_.num_epochs)
      return;
    const auto ref = what_.batch(next_.epoch, next_.batch);
    next_ = ref.next;
    const batch_layout layout{what_.batch_size, 1, 1, 2, false};
    const auto num_bytes = layout.capacity * layout.bytes_per_sample();
    batch_buffer buffer(home_, layout, {new std::byte[num_bytes](), std::default_delete<std::byte[]>()});
    for (auto& slice : std::move(buffer).split(ref, std::min(how_.chunk_size, what_.batch_size)))
      waiting_.push_back(std::move(slice));
  }

  [[nodiscard]] std::vector<bad_sample> fill(const batch_slice& slice) const {
    std::vector<bad_sample> bad;
    for (std::uint32_t i = 0; i < slice.count(); ++i) {
      const auto id = slice.batch().epoch * 1000 + slice.position() + i;
      if (what_.bad.contains(id)) {
        bad.push_back({.id = id, .slot = slice.first() + i, .name = "sample", .reason = "broken", .stage = "test"});
        continue;
      }
      slice.set_sample(i, id, static_cast<std::int64_t>(id % 7), static_cast<float>(id) + 0.5f);
      const float value = static_cast<float>(id);
      std::memcpy(slice.pixels(i) + sizeof value, &value, sizeof value);
    }
    return bad;
  }

  void keep(batch_ready& ready) {
    auto buffer = ready.buffer.take();
    REQUIRE(buffer);
    CHECK(ready.batch.id == what_.batch(ready.batch.epoch, ready.batch.index).id);
    seen_batch seen;
    for (std::uint32_t i = 0; i < ready.batch.num_samples; ++i) {
      const auto id = buffer->sample_ids()[i];
      CHECK(buffer->labels()[i] == static_cast<std::int64_t>(id % 7));
      CHECK(buffer->weights()[i] == static_cast<float>(id) + 0.5f);
      CHECK(buffer->floats()[2 * i + 1] == static_cast<float>(id));
      seen.ids.push_back(id);
    }
    for (const auto& each : ready.bad)
      seen.bad.push_back(each.id);
    std::sort(seen.bad.begin(), seen.bad.end());
    seen.next = ready.batch.next;
    out_.push_back(std::move(seen));
  }

  const epochs& what_;
  circumstances how_;
  std::mt19937 engine_;
  data_position next_;
  std::shared_ptr<buffer_home> home_ = std::make_shared<buffer_home>([](batch_slice) {}, [](batch_buffer) {});
  std::vector<batch_slice> waiting_;
  std::vector<seen_batch> out_;
  assembly unit_;
};

[[nodiscard]] inline std::vector<seen_batch> assembled(const epochs& what, const circumstances& how = {},
                                                       const data_position& first = {}) {
  return assembled_run(what, how, first).batches();
}

[[nodiscard]] inline std::vector<std::size_t> sizes(const std::vector<seen_batch>& batches) {
  std::vector<std::size_t> out;
  for (const auto& each : batches)
    out.push_back(each.ids.size());
  return out;
}

} // namespace troupe::test

namespace doctest {

template <>
struct StringMaker<std::vector<troupe::test::seen_batch>> {
  static String convert(const std::vector<troupe::test::seen_batch>& batches) {
    std::string text;
    for (const auto& each : batches) {
      text += "\n  ";
      for (const auto id : each.ids)
        text += std::to_string(id) + " ";
      text += "| bad ";
      for (const auto id : each.bad)
        text += std::to_string(id) + " ";
      text += "| next " + std::to_string(each.next.epoch) + "." + std::to_string(each.next.batch) + " taken "
              + std::to_string(each.next.taken) + " given " + std::to_string(each.next.given);
    }
    return text.c_str();
  }
};

} // namespace doctest
