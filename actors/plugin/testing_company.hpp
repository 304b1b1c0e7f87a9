/// The neighbours of a plugin's actor, without threads, sleep or wall clock.
#pragma once

#include "actors/plugin/plugin_roles.hpp"
#include "actors/support/components/plugin_guard.hpp"

#include <caf/actor_cast.hpp>
#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/error.hpp>
#include <caf/scheduler/test_coordinator.hpp>
#include <caf/scoped_actor.hpp>

#include <cstdint>
#include <deque>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace troupe::testing {

/// What came out of a plugin's actor: a slice, and who in it is bad.
struct handed_on {
  batch_slice slice;
  std::vector<bad_sample> bad;
};

/// All that the neighbours know and were told.
struct company_memory {
  std::vector<encoded_sample> data; ///< By id; one without bytes cannot be read. The loader answers from these.
  std::deque<chunk_ready> chunks;   ///< The loader gives the first to whoever asks next.
  std::deque<augmenter_actor> idle; ///< Who has asked and was given nothing yet.

  std::uint64_t times_asked = 0; ///< For a chunk.
  std::vector<chunk_done> done;
  std::vector<samples_wanted> wanted;
  std::vector<handed_on> filled;    ///< In the order in which they came.
  std::vector<batch_slice> dropped; ///< Slices that came home because somebody let go of them.
  std::vector<notice> notices;
  std::vector<end_wanted> ends;
  std::vector<plugin_failure> failures; ///< What plugins threw.
};

/// An actor system that handles messages one by one on the calling thread, with a loader, whoever comes next, a logger
/// and a supervisor that only keep what they are told. One at a time in a process: the failures of plugins are the
/// process's.
class company {
public:
  explicit company(plugin_policy on_failure = plugin_policy::skip);
  company(const company&) = delete;
  company& operator=(const company&) = delete;
  ~company();

  [[nodiscard]] company_memory& memory() noexcept { return *memory_; }
  [[nodiscard]] caf::actor_system& system() noexcept { return system_; }

  /// Handles messages until none is left. `shuffle`: in an order of its own for each number; 0: as they came.
  /// Throws std::runtime_error for an endless exchange.
  void run(std::uint64_t shuffle = 0);

  /// Lets time pass: requests that nobody answers run out.
  void advance(std::chrono::nanoseconds time);

  /// Gives a chunk to the loader, which hands it to whoever asked.
  void serve(chunk_ready chunk);

  /// Makes a buffer whose slices come home to this company.
  [[nodiscard]] batch_buffer mint(const batch_layout& layout) const;

  /// Remembers to end the actor with the company.
  template <class Handle>
  Handle keep(Handle whom) {
    kept_.push_back(caf::actor_cast<caf::actor>(whom));
    return whom;
  }

  /// Sends a request, runs, and gives the answer. Throws std::runtime_error with the text of an error.
  template <class Result, class Handle, class... Args>
  [[nodiscard]] Result ask(const Handle& whom, Args&&... args) {
    caf::scoped_actor self{system_};
    auto response = self->request(whom, caf::infinite, std::forward<Args>(args)...);
    run();
    if (!self->has_next_message())
      throw std::runtime_error("the actor has not answered");
    Result result;
    caf::error error;
    response.receive([&](Result& value) { result = std::move(value); },
                     [&](caf::error& why) { error = std::move(why); });
    if (error)
      throw std::runtime_error(text_of_error(error));
    return result;
  }

  /// Ends all actors and sends everything home. Returns how many buffers have not come: somebody still holds a part.
  std::uint64_t end();

  [[nodiscard]] const loader_actor& loader() const noexcept { return loader_; }
  [[nodiscard]] const stage_actor& next() const noexcept { return next_; }
  [[nodiscard]] const logger_actor& logger() const noexcept { return logger_; }
  [[nodiscard]] const supervisor_actor& supervisor() const noexcept { return supervisor_; }

  /// Fills in what every role has.
  void introduce(role_base& role, const component_info& kind, std::string name, parameters values) const;

private:
  struct testing_config : caf::actor_system_config {
    testing_config();
  };

  [[nodiscard]] static std::string text_of_error(const caf::error& error);

  plugin_failure_handling before_;
  std::shared_ptr<company_memory> memory_ = std::make_shared<company_memory>();
  testing_config config_;
  caf::actor_system system_{config_};
  caf::scheduler::test_coordinator& scheduler_ = dynamic_cast<caf::scheduler::test_coordinator&>(system_.scheduler());
  loader_actor loader_;
  stage_actor next_;
  logger_actor logger_;
  supervisor_actor supervisor_;
  std::shared_ptr<buffer_home> home_;
  std::vector<caf::actor> kept_;
};

} // namespace troupe::testing
