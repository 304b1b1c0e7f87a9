#include "actors/glue/trace_recorder.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <random>
#include <unistd.h>
#include <utility>

namespace troupe {

std::atomic<trace_recorder*> trace_recorder::active_{nullptr};

namespace {

constexpr std::uint64_t ids_per_block = std::uint64_t{1} << 20;

/// What a thread needs to record: its ring, its ids, its context. Shares the mapping, since a thread may end after the
/// recorder.
struct thread_recorder {
  std::shared_ptr<trace_map> map;
  std::size_t ring_index = 0;
  bool has_ring = false;
  trace_ring ring;
  trace_stats stats;
  std::uint64_t next_id = 0;
  std::uint64_t last_id = 0;
  trace_context current;

  struct known_actor {
    std::uint64_t actor = 0;
    std::size_t place = 0; ///< 0: not traced.
  };
  std::array<known_actor, 16> known_actors{};

  ~thread_recorder() { leave(); }

  void leave() noexcept {
    if (has_ring)
      map->release_ring(ring_index);
    has_ring = false;
    map.reset();
  }

  void join(const std::shared_ptr<trace_map>& to) noexcept {
    leave();
    map = to;
    ring_index = map->claim_ring();
    has_ring = ring_index < map->header().num_rings;
    if (has_ring) {
      ring = map->ring(ring_index);
      stats = map->stats(ring_index);
    }
    next_id = last_id = 0;
    known_actors = {};
  }
};

thread_local thread_recorder this_thread;

std::uint64_t random_nonce() {
  std::random_device device;
  return (std::uint64_t{device()} << 32 | device()) | 1;
}

} // namespace

expected<std::unique_ptr<trace_recorder>> trace_recorder::start(const options& options) {
  if (active() != nullptr)
    return failure{ec::unsupported, "tracer: this process is being traced already"};
  trace_map_options map_options{.path = {},
                                .nonce = random_nonce(),
                                .policy = options.policy,
                                .num_rings = options.num_rings,
                                .ring_capacity = options.ring_capacity};
  if (!options.folder.empty()) {
    std::array<char, 40> name{};
    std::snprintf(name.data(), name.size(), "/rings-%016llx.bin", static_cast<unsigned long long>(map_options.nonce));
    map_options.path = options.folder + name.data();
  }
  auto map = trace_map::create(map_options);
  if (!map)
    return map.error();
  std::unique_ptr<trace_recorder> recorder{new trace_recorder(*map)};
  trace_recorder* none = nullptr;
  if (!active_.compare_exchange_strong(none, recorder.get(), std::memory_order_acq_rel))
    return failure{ec::unsupported, "tracer: this process is being traced already"};
  return recorder;
}

trace_recorder::~trace_recorder() {
  stop();
}

void trace_recorder::stop() noexcept {
  auto* self = this;
  active_.compare_exchange_strong(self, nullptr, std::memory_order_acq_rel);
}

trace_totals trace_recorder::totals() const noexcept {
  trace_totals totals{.recorded = 0, .dropped = map_->dropped()};
  for (std::size_t i = 0; i < map_->header().num_rings; ++i)
    if (map_->ring_used(i))
      totals.recorded += map_->ring(i).head();
  return totals;
}

void trace_recorder::remove_file() noexcept {
  if (!map_->path().empty())
    ::unlink(map_->path().c_str());
}

void trace_recorder::put(const trace_record& record) noexcept {
  auto& thread = this_thread;
  if (thread.map != map_)
    thread.join(map_);
  if (!thread.has_ring) {
    map_->header().homeless.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  thread.ring.push(record, static_cast<ring_policy>(map_->header().policy));
  thread.stats.count(record);
}

std::uint64_t trace_recorder::next_message_id() noexcept {
  auto& thread = this_thread;
  if (thread.map != map_)
    thread.join(map_);
  if (thread.next_id == thread.last_id) {
    thread.next_id = next_block_.fetch_add(1, std::memory_order_relaxed) * ids_per_block;
    thread.last_id = thread.next_id + ids_per_block;
  }
  return thread.next_id++;
}

std::size_t trace_recorder::claim_actor(std::uint64_t actor) noexcept {
  // Round-robin, so that a freed place keeps the name of a dead actor for as long as possible.
  const auto start = next_place_.fetch_add(1, std::memory_order_relaxed);
  for (std::size_t probe = 0; probe < max_traced_actors; ++probe) {
    const auto place = (start + probe) % max_traced_actors;
    if (place == 0 || !map_->actor(place).claim(actor))
      continue;
    auto known = num_places_.load(std::memory_order_relaxed);
    while (known <= place && !num_places_.compare_exchange_weak(known, place + 1, std::memory_order_release)) {
    }
    return place;
  }
  return 0;
}

std::uint32_t trace_recorder::name_of(std::uint64_t actor) noexcept {
  auto& thread = this_thread;
  if (thread.map != map_)
    thread.join(map_);
  auto& known = thread.known_actors[actor % thread.known_actors.size()];
  if (known.actor != actor || (known.place != 0 && map_->actor(known.place).actor() != actor)) {
    known = {actor, 0};
    const auto num_places = num_places_.load(std::memory_order_acquire);
    for (std::size_t place = 1; place < num_places && known.place == 0; ++place)
      if (map_->actor(place).actor() == actor)
        known.place = place;
  }
  return known.place == 0 ? 0 : map_->actor(known.place).name();
}

std::int64_t trace_now_ns() noexcept {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

trace_context current_message() noexcept {
  return this_thread.current;
}

trace_context exchange_current_message(const trace_context& context) noexcept {
  return std::exchange(this_thread.current, context);
}

std::vector<in_progress_entry> in_progress() {
  auto* recorder = trace_recorder::active();
  return recorder == nullptr ? std::vector<in_progress_entry>{} : in_progress(recorder->map());
}

std::vector<in_progress_entry> in_progress(const trace_map& map) {
  std::vector<in_progress_entry> entries;
  const auto strings = map.strings();
  for (const auto& state : map.actor_states())
    if (state.now)
      entries.push_back({strings.text(state.name), strings.text(state.now->type), state.now->message, state.now->ids,
                         state.now->since_ns, state.mailbox_depth});
  return entries;
}

} // namespace troupe
