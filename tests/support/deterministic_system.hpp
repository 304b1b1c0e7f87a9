/// Actors without threads, sleep or wall clock: the fixture of the actor tests. Includes doctest, so include it last.
#pragma once

#include <caf/actor_cast.hpp>
#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/exit_reason.hpp>
#include <caf/expected.hpp>
#include <caf/scheduler/test_coordinator.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>
#include <caf/system_messages.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/doctest.hpp"

namespace troupe::test {

/// An actor system whose messages are handled one by one on the calling thread, under a clock that only `advance` moves.
/// Spawn actors here without `caf::detached`: a detached actor takes a real thread even here.
class deterministic_system {
public:
  /// A run that handles this many messages is taken for an endless ping-pong.
  static constexpr std::size_t max_messages = 1'000'000;

  deterministic_system() = default;
  deterministic_system(const deterministic_system&) = delete;
  deterministic_system& operator=(const deterministic_system&) = delete;

  /// Kills the actors that `keep` was told of, so that none of them keeps the system alive.
  ~deterministic_system() {
    for (auto& each : kept_)
      caf::anon_send<caf::message_priority::high>(caf::actor_cast<caf::actor>(each),
                                                  caf::exit_msg{each->address(), caf::exit_reason::kill});
    kept_.clear();
    scheduler_.run();
  }

  [[nodiscard]] caf::actor_system& system() noexcept { return system_; }
  [[nodiscard]] caf::scheduler::test_coordinator& scheduler() noexcept { return scheduler_; }

  /// Returns `whom` and remembers to kill it at the end. Tell of every actor that does not quit of its own accord.
  template <class Handle>
  Handle keep(Handle whom) {
    kept_.push_back(caf::actor_cast<caf::strong_actor_ptr>(whom));
    return whom;
  }

  /// Spawns a cooperative actor and keeps it.
  template <class Behaviour, class... Args>
  auto spawn(Behaviour behaviour, Args&&... args) {
    return keep(system_.spawn(behaviour, std::forward<Args>(args)...));
  }

  /// Handles messages in the order of their arrival until none is left. Returns how many.
  /// @throws std::runtime_error after `max_messages`.
  std::size_t run() {
    return run_until_idle([] {});
  }

  /// Like `run`, in an order that `seed` alone decides: before each message a random runnable actor is moved to the
  /// front. Messages between two given actors stay in order. Print the seed where a check fails.
  std::size_t run_shuffled(std::uint64_t seed) {
    std::mt19937_64 engine{seed};
    return run_until_idle(
      [&] { std::swap(scheduler_.jobs.front(), scheduler_.jobs[engine() % scheduler_.jobs.size()]); });
  }

  /// Lets `time` pass and handles all that falls due, each message at its own time; re-arming timers fire as often as
  /// they would have. Returns the number of handled messages.
  std::size_t advance(std::chrono::nanoseconds time) {
    auto& clock = scheduler_.clock();
    auto handled = run();
    const auto end = clock.now() + time;
    while (clock.has_pending_timeout() && clock.schedule().begin()->first <= end) {
      scheduler_.advance_time(std::max(clock.schedule().begin()->first - clock.now(), std::chrono::nanoseconds{0}));
      handled += run();
    }
    scheduler_.advance_time(end - clock.now());
    return handled + run();
  }

  /// Sends a request, runs, and returns the response or the error. No response without further time is an error too.
  template <class Result = void, class Handle, class... Args>
  caf::expected<Result> ask(const Handle& whom, Args&&... args) {
    caf::scoped_actor self{system_};
    auto response = self->request(whom, caf::infinite, std::forward<Args>(args)...);
    run();
    if (!self->has_next_message())
      return caf::make_error(caf::sec::request_timeout,
                             std::string{"no response while the virtual clock stands still"});
    if constexpr (std::is_void_v<Result>) {
      caf::expected<void> result{caf::unit};
      response.receive([] {}, [&](caf::error& error) { result = std::move(error); });
      return result;
    } else {
      caf::expected<Result> result{caf::error{}};
      response.receive([&](Result& value) { result = std::move(value); },
                       [&](caf::error& error) { result = std::move(error); });
      return result;
    }
  }

private:
  struct testing_config : caf::actor_system_config {
    testing_config() { set("scheduler.policy", caf::atom("testing")); }
  };

  template <class BeforeEach>
  std::size_t run_until_idle(BeforeEach before_each) {
    std::size_t handled = 0;
    for (; scheduler_.has_job(); ++handled) {
      if (handled == max_messages)
        throw std::runtime_error("deterministic_system: still busy after " + std::to_string(handled) + " messages");
      before_each();
      scheduler_.run_once();
    }
    return handled;
  }

  testing_config config_;
  caf::actor_system system_{config_};
  caf::scheduler::test_coordinator& scheduler_ = dynamic_cast<caf::scheduler::test_coordinator&>(system_.scheduler());
  std::vector<caf::strong_actor_ptr> kept_;
};

} // namespace troupe::test

namespace doctest {

template <>
struct StringMaker<caf::error> {
  static String convert(const caf::error& error) { return caf::to_string(error).c_str(); }
};

} // namespace doctest
