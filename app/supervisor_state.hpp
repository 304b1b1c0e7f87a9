/// The run as the supervisor sees it: its phase, its children, how it will end. For supervisor*.cpp only.
#pragma once

#include "app/bad_sample_budget.hpp"
#include "app/child_table.hpp"
#include "app/company.hpp"
#include "app/restart_budget.hpp"
#include "app/stall_watch.hpp"
#include "app/supervisor.hpp"

#include <caf/system_messages.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace troupe {

using supervisor_pointer = traced_pointer<supervisor_actor, supervisor_holder>;
using steady_clock = std::chrono::steady_clock;

/// Where the run stands. Phases follow each other in this order; some may be left out.
enum class run_phase : std::uint8_t {
  opening,  ///< The loaders open their data sets.
  building, ///< Trainer, then validator, build their models.
  training,
  stopping,   ///< The trainer has been told to end.
  validating, ///< Training is over; snapshots wait to be judged.
  saving,     ///< The saver writes what is left.
  logging,    ///< The logger closes its files.
  leaving,    ///< Everybody has been told to exit.
  tracing,    ///< The tracer writes what is left.
  over,
};

[[nodiscard]] const char* to_string(run_phase phase) noexcept;

/// A plugin's stage in one of the pipelines.
struct staged {
  pipeline_kind kind = pipeline_kind::training;
  actor_use use;
  relay_actor relay;
  stage_actor next;
  std::vector<stage_actor> actors;
};

class supervisor_state {
public:
  supervisor_state(supervisor_pointer self, supervisor_setup setup);

  // The run's way onto the stage (supervisor_start.cpp).
  void start();
  void trainer_built(const trainer_ready& ready);
  void validator_built(const validator_ready& ready);

  // While it runs (supervisor_watch.cpp).
  void signalled(int number);
  void note_bad_sample(const bad_sample& sample);
  void note_plugin_failure(const plugin_failed& fact);
  void end_was_wanted(const end_wanted& wish);
  void child_down(const caf::down_msg& down);
  void tick();

  // Its way off the stage (supervisor_stop.cpp).
  void minted(const buffers_minted& fact) { homes_.push_back(fact); }
  void judged(const snapshot_judged& fact);
  void ended(const training_ended& fact);
  void saved(const saver_finished& fact);
  void logged(const logger_finished& fact);

private:
  // supervisor_start.cpp
  void open(pipeline_kind kind, const std::vector<std::string>& classes);
  void opened(pipeline_kind kind, dataset_opened data);
  void take_stage();
  void announce(const stage_facts& facts);
  void begin_training_now();
  void spawn_pipeline(pipeline_kind kind, const batch_sink& consumer);
  void spawn_reader(const std::string& name, const loader_actor& loader);
  void spawn_augmenter(pipeline_kind kind, const std::string& name);
  void judge_what_was_not();
  template <class Handle>
  void adopt(const std::string& name, const Handle& handle, std::function<void()> restart = {}) {
    self_->monitor(handle);
    children_.add(name, caf::actor_cast<caf::actor>(handle), std::move(restart));
  }

  // supervisor_plugins.cpp
  void hear_of_plugin_failures();
  void spawn_listeners();
  void spawn_listener(const actor_use& use);
  void introduce_listeners();
  /// Spawns the stages between augmenters and collator; returns whom the augmenters' slices go to.
  [[nodiscard]] stage_actor spawn_stages(pipeline_kind kind, const collator_actor& collator);
  void spawn_stage(staged& stage, std::size_t index);
  void check_plugins();

  // supervisor_watch.cpp
  void schedule_tick();
  void ask_for_statuses();
  void check_stall();
  void warn_of_slow_start();
  void check_deadline();
  void keep_flight_recorder(const std::string& reason, const std::function<void()>& then);
  [[nodiscard]] std::string name_the_culprit() const;
  void restart_child(child& who, const std::string& why);

  // supervisor_stop.cpp
  /// Ends the run as soon as may be. The first reason counts; a signal overrides a later one.
  void stop(run_end end, std::string reason, severity told_as = severity::error);
  void enter(run_phase phase, std::optional<std::chrono::milliseconds> deadline);
  void change_phase(run_phase phase);
  void leave_training();
  void close_data_side();
  void close_validation();
  void validate_rest();
  void give_validation_up();
  void save_rest();
  void log_rest();
  void leave_stage();
  void leave_if_empty();
  void trace_rest();
  void check_books();
  void over();
  void exit_child(const std::string& name);
  void exit_child(child& who);

  void tell(severity level, std::string text);
  [[nodiscard]] bool before(run_phase phase) const noexcept { return phase_ < phase; }

  supervisor_pointer self_;
  std::shared_ptr<const run_job> job_;
  std::shared_ptr<std::promise<run_outcome>> promise_;
  company company_;
  run_phase phase_ = run_phase::opening;
  steady_clock::time_point phase_since_ = steady_clock::now();
  std::optional<steady_clock::time_point> deadline_; ///< Of the phase.

  child_table children_;
  tracer_actor tracer_;
  loader_actor train_loader_, validation_loader_;
  std::map<pipeline_kind, stage_actor> fill_sinks_; ///< Whom the augmenters send their slices to.
  std::list<staged> stages_;                        ///< Their addresses last.
  std::vector<listener_entry> listeners_;
  logger_actor logger_;
  saver_actor saver_;
  trainer_actor trainer_;
  validator_actor validator_;

  std::optional<dataset_opened> train_data_, validation_data_;
  std::optional<stage_facts> facts_;
  trainer_ready model_;

  restart_budget restarts_;
  stall_watch watch_;
  std::map<pipeline_kind, bad_sample_budget> bad_samples_;
  std::set<std::string> plugin_losses_;   ///< Components of plugins whose failures cost more than samples.
  std::uint64_t judgements_expected_ = 0; ///< Besides those that the trainer asked for.
  std::uint64_t judgements_ = 0;
  std::vector<buffers_minted> homes_;
  bool flight_pending_ = false; ///< The tracer writes what a stall was like.
  bool slow_start_told_ = false;
  bool end_decided_ = false;
  run_outcome outcome_;
};

} // namespace troupe
