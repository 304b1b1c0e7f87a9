// What tracing costs per message: plain actors against traced ones with the recorder off, in flight, and full.
// Prints nanoseconds of CPU time of the whole process per message, the least and the median of several rounds.
#include "actors/glue/traced.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <future>
#include <memory>
#include <vector>

namespace {

using go_atom = caf::atom_constant<caf::atom("go")>;

constexpr int num_rounds = 7;
constexpr int num_messages = 400'000;
constexpr int window = 1024; // Messages on their way at a time, so that the mailbox stays in the cache.

template <class Self>
caf::behavior sink(Self* self, caf::actor source, std::promise<void>* done) {
  auto seen = std::make_shared<int>(0);
  return {[=](int) {
    ++*seen;
    if (*seen == num_messages)
      done->set_value();
    else if (*seen % (window / 2) == 0)
      self->send(source, window / 2);
  }};
}

template <class Self>
caf::behavior source(Self* self) {
  auto sent = std::make_shared<int>(0);
  auto credit = std::make_shared<int>(window);
  auto to = std::make_shared<caf::actor>();
  const auto pump = [=] {
    for (; *credit > 0 && *sent < num_messages; --*credit, ++*sent)
      self->send(*to, *sent);
  };
  return {[=](const caf::actor& receiver) {
            *to = receiver;
            pump();
          },
          [=](int more) {
            *credit += more;
            pump();
          },
          [=](go_atom) { *to = nullptr; }};
}

double cpu_ns() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

/// Frees the rings as the tracer would, without a file.
void drain(troupe::trace_recorder& recorder, std::vector<troupe::trace_record>& buffer) {
  auto& map = recorder.map();
  for (std::size_t i = 0; i < map.header().num_rings; ++i) {
    if (!map.ring_used(i))
      continue;
    buffer.clear();
    auto ring = map.ring(i);
    ring.release_until(ring.read(ring.tail(), buffer));
  }
}

template <class Self, caf::spawn_options Options>
double one_round(troupe::trace_recorder* drained) {
  caf::actor_system_config config;
  config.set("scheduler.policy", caf::atom("sharing"));
  config.set("scheduler.max-threads", 1);
  caf::actor_system system{config};
  std::promise<void> done;
  auto finished = done.get_future();
  const auto from = system.spawn(source<Self>);
  const auto to = system.spawn<Options>(sink<Self>, from, &done);
  const auto before = cpu_ns();
  caf::anon_send(from, to);
  std::vector<troupe::trace_record> buffer;
  while (finished.wait_for(std::chrono::milliseconds{10}) != std::future_status::ready)
    if (drained != nullptr)
      drain(*drained, buffer);
  const auto used = cpu_ns() - before;
  caf::anon_send(from, go_atom{});
  caf::anon_send_exit(to, caf::exit_reason::kill);
  caf::anon_send_exit(from, caf::exit_reason::kill);
  return used / num_messages;
}

template <class Self, caf::spawn_options Options>
void measure(const char* name, const troupe::trace_recorder::options* tracing) {
  std::vector<double> rounds;
  unsigned long long dropped = 0;
  for (int i = 0; i < num_rounds; ++i) {
    std::unique_ptr<troupe::trace_recorder> recorder;
    if (tracing != nullptr)
      recorder = std::move(*troupe::trace_recorder::start(*tracing));
    const bool full = tracing != nullptr && tracing->policy == troupe::ring_policy::keep_all;
    rounds.push_back(one_round<Self, Options>(full ? recorder.get() : nullptr));
    if (recorder)
      dropped += recorder->totals().dropped;
  }
  std::sort(rounds.begin(), rounds.end());
  std::printf("%-34s min %6.0f  median %6.0f ns/message  dropped %llu of %d\n", name, rounds.front(),
              rounds[rounds.size() / 2], dropped, num_rounds * num_messages);
}

template <caf::spawn_options Options>
void measure_all(const char* receiver) {
  using plain = caf::event_based_actor;
  using hooked = troupe::traced<caf::event_based_actor>;
  const troupe::trace_recorder::options flight{};
  const troupe::trace_recorder::options full{.folder = {}, .policy = troupe::ring_policy::keep_all};
  std::printf("receiver: %s\n", receiver);
  measure<plain, Options>("  plain", nullptr);
  measure<hooked, Options>("  traced, off", nullptr);
  measure<hooked, Options>("  traced, flight", &flight);
  measure<hooked, Options>("  traced, full", &full);
}

} // namespace

int main() {
  measure_all<caf::no_spawn_options>("cooperative");
  measure_all<caf::detached>("detached");
}
