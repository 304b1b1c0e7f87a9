/// What a run is, and what became of it.
#pragma once

#include "actors/saver/checkpoint.hpp"
#include "actors/support/components/attachments.hpp"
#include "app/config/run_config.hpp"
#include "app/thread_plan.hpp"
#include "messages/run_events.hpp"
#include "messages/tracer_protocol.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

class trace_recorder;

/// Everything that the supervisor needs to put a run on stage.
struct run_job {
  run_config config;
  thread_plan threads;
  std::string name;                                ///< Of the run; the folder may carry a number behind it.
  std::string folder;                              ///< The run folder; it exists.
  std::string config_yaml;                         ///< The resolved config.
  snapshot_ptr resume_from;                        ///< Null: a fresh run.
  kept_attachments attached;                       ///< What the snapshot keeps for listeners and sampler.
  std::vector<snapshot_ptr> unjudged;              ///< Due to be validated before the run went on; oldest first.
  std::string resumed_from;                        ///< Name of its checkpoint.
  std::map<std::string, std::string> resume_notes; ///< Of its checkpoint.
  std::uint64_t first_version = 1;
  std::vector<std::string> notices;            ///< To be told at the start.
  trace_recorder* recorder = nullptr;          ///< Null: no trace.
  std::function<void(std::string_view)> write; ///< News, to the terminal.
  std::function<void(std::string_view)> warn;  ///< Warnings and errors, to the terminal.
};

/// How the run ended.
enum class run_end : std::uint8_t { done, failed, refused, stopped, interrupted };

struct run_outcome {
  run_end end = run_end::failed;
  std::string reason; ///< Why it is not `done`; one sentence or more.
  int signal = 0;     ///< That interrupted it.
  training_ended trained;
  std::uint64_t bad_training_samples = 0; ///< Different ones.
  std::uint64_t bad_validation_samples = 0;
  saver_finished saved;
  logger_finished logged;
  trace_counts traced;
  std::map<std::string, std::uint64_t> plugin_failures; ///< By component.
  std::set<std::string> disabled_components;            ///< Of plugins.
  std::vector<std::string> losses; ///< What was lost on the way: names of dead actors, lost rows, failed checks.
  std::vector<std::string> hung;   ///< Actors that would not end: the process must leave without them.
};

} // namespace troupe
