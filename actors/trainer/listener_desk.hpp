/// The trainer's side of its listeners: reports to them, and asks them what the run depends on.
#pragma once

#include "actors/trainer/trainer_actor.hpp"

#include <caf/error.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace troupe {

/// Reports that a listener may be behind.
inline constexpr std::uint64_t max_unheard_reports = 256;

using trainer_pointer = traced_pointer<trainer_actor, trainer_holder>;

/// Sends reports, and gathers answers without ever waiting for one: whatever has to come after an answer is told so. All
/// of it runs on the trainer's thread.
class listener_desk {
public:
  /// What comes later than `timeout` is no answer. `supervisor` hears of listeners that do not give one. `sampling`: the
  /// weights so far, of the checkpoint that the run is resumed from. `relieved` is called when nobody is behind any more.
  listener_desk(trainer_pointer self, std::chrono::milliseconds timeout, supervisor_actor supervisor,
                std::uint64_t num_samples, std::vector<sample_weights> sampling, std::function<void()> relieved)
    : self_(self), timeout_(timeout), supervisor_(std::move(supervisor)), num_samples_(num_samples),
      relieved_(std::move(relieved)), sampling_(std::move(sampling)) {}

  void follow(const listeners_now& who) { listeners_ = who.listeners; }
  [[nodiscard]] bool has_listeners() const noexcept { return !listeners_.empty(); }

  /// True if a listener has so many reports to hear still that nobody should make more: memory is bounded by it.
  [[nodiscard]] bool is_behind() const noexcept;

  /// Reports a step. After the last one of an epoch, tells `loader` how the epoch after next is drawn, once it is known.
  void report(const step_report_ptr& report, const loader_actor& loader);

  /// Completes a snapshot with training state by what the listeners keep, as of the last step that was reported, and by the
  /// weights that are or will be in force; then calls `then`: in the order of the calls, at once where nobody listens.
  void complete(const snapshot_ptr& taken, std::function<void(snapshot_ptr)> then);

  /// Calls `then` when no answer is awaited any more; perhaps at once.
  void when_idle(std::function<void()> then);

private:
  /// A checkpoint that waits for answers.
  struct gathering {
    snapshot_ptr taken;
    std::function<void(snapshot_ptr)> then;
    std::size_t missing = 0;
    std::vector<sample_weights> sampling = {}; ///< As of the step of `taken`.
    std::map<std::string, std::string> kept = {};
  };

  void ask_for_weights(const listener_entry& whom, std::uint64_t epoch, const loader_actor& loader);
  void send_report(const listener_entry& whom, const step_report_ptr& report);
  void settle(const std::string& listener, std::uint64_t epoch, const loader_actor& loader,
              const sampling_answer& answer);
  void ask_for_memory(const listener_entry& whom, const std::shared_ptr<gathering>& work);
  void finish(gathering& work);
  void answered();
  void complain(const std::string& listener, const std::string& what, const caf::error& why);
  void tell(const std::string& listener, std::string what);

  trainer_pointer self_;
  std::chrono::milliseconds timeout_;
  supervisor_actor supervisor_;
  std::vector<listener_entry> listeners_;
  std::uint64_t num_samples_;
  std::function<void()> relieved_;
  std::vector<sample_weights> sampling_;         ///< Ascending versions.
  std::map<std::string, std::uint64_t> unheard_; ///< Reports on their way, by listener.
  std::size_t awaited_ = 0;
  std::vector<std::function<void()>> when_idle_;
};

} // namespace troupe
