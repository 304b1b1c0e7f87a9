#include "actors/glue/trace_actors.hpp"

namespace troupe {

bool traced_actor::claim(std::uint64_t actor) noexcept {
  std::uint64_t free = 0;
  if (!cell_->actor.compare_exchange_strong(free, actor, std::memory_order_acq_rel))
    return false;
  cell_->name.store(0, std::memory_order_relaxed);
  cell_->enqueued.store(0, std::memory_order_relaxed);
  cell_->dequeued.store(0, std::memory_order_relaxed);
  end();
  return true;
}

std::uint64_t traced_actor::mailbox_depth() const noexcept {
  const auto taken = cell_->dequeued.load(std::memory_order_acquire); // First: may lag behind, never run ahead.
  const auto put = cell_->enqueued.load(std::memory_order_acquire);
  return put > taken ? put - taken : 0;
}

void traced_actor::begin(const handling& what) noexcept {
  store(what);
}

void traced_actor::end() noexcept {
  store({});
}

void traced_actor::store(const handling& what) noexcept {
  const auto before = cell_->sequence.load(std::memory_order_relaxed);
  cell_->sequence.store(before + 1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  const std::array<std::uint64_t, actor_cell::num_words> words = {
    what.message,    static_cast<std::uint64_t>(what.since_ns),
    what.type,       what.ids.sample,
    what.ids.batch,  what.ids.step,
    what.ids.version};
  for (std::size_t i = 0; i < words.size(); ++i)
    cell_->words[i].store(words[i], std::memory_order_relaxed);
  cell_->sequence.store(before + 2, std::memory_order_release);
}

std::optional<handling> traced_actor::current() const noexcept {
  constexpr int tries = 8;
  for (int i = 0; i < tries; ++i) {
    const auto before = cell_->sequence.load(std::memory_order_acquire);
    std::array<std::uint64_t, actor_cell::num_words> words;
    for (std::size_t j = 0; j < words.size(); ++j)
      words[j] = cell_->words[j].load(std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_acquire);
    if (before % 2 != 0 || cell_->sequence.load(std::memory_order_relaxed) != before)
      continue;
    if (words[0] == 0)
      return std::nullopt;
    return handling{words[0],
                    static_cast<std::int64_t>(words[1]),
                    static_cast<std::uint32_t>(words[2]),
                    {words[3], words[4], words[5], words[6], 0}};
  }
  return std::nullopt;
}

} // namespace troupe
