/// Neighbours around the data loop that only keep what they are told.
#pragma once

#include "messages/logger_protocol.hpp"
#include "messages/saver_protocol.hpp"
#include "messages/supervisor_protocol.hpp"
#include "messages/validator_protocol.hpp"
#include "tests/support/stub_pipeline.hpp"

#include <memory>
#include <vector>

namespace troupe::test {

struct supervisor_memory {
  std::vector<trainer_ready> trainers;
  std::vector<validator_ready> validators;
  std::vector<buffers_minted> minted;
  std::vector<snapshot_judged> judged;
  std::vector<bad_sample> bad_samples;
  std::vector<plugin_failed> plugin_failures;
  std::vector<end_wanted> ends_wanted;
  std::vector<training_ended> ended;
  std::vector<saver_finished> savers;
  std::vector<logger_finished> loggers;
};

inline stub<supervisor_actor, supervisor_memory> stub_supervisor(deterministic_system& actors) {
  auto memory = std::make_shared<supervisor_memory>();
  auto handle = actors.spawn([memory]() -> supervisor_actor::behavior_type {
    return {
      [](const signal_received&) {},
      [memory](const trainer_ready& x) { memory->trainers.push_back(x); },
      [memory](const validator_ready& x) { memory->validators.push_back(x); },
      [memory](const buffers_minted& x) { memory->minted.push_back(x); },
      [memory](const snapshot_judged& x) { memory->judged.push_back(x); },
      [memory](const bad_sample& x) { memory->bad_samples.push_back(x); },
      [memory](const plugin_failed& x) { memory->plugin_failures.push_back(x); },
      [memory](const end_wanted& x) { memory->ends_wanted.push_back(x); },
      [memory](const training_ended& x) { memory->ended.push_back(x); },
      [memory](const saver_finished& x) { memory->savers.push_back(x); },
      [memory](const logger_finished& x) { memory->loggers.push_back(x); },
      [](internal_atom) {},
    };
  });
  return {handle, memory};
}

struct logger_memory {
  std::vector<step_completed> steps;
  std::vector<validation_report> reports;
  std::vector<checkpoint_saved> saved;
  std::vector<checkpoint_failed> failed;
  std::vector<bad_sample_found> bad_samples;
  std::vector<notice> notices;
};

inline stub<logger_actor, logger_memory> stub_logger(deterministic_system& actors) {
  auto memory = std::make_shared<logger_memory>();
  auto handle = actors.spawn([memory]() -> logger_actor::behavior_type {
    return {
      [memory](const step_completed& x) { memory->steps.push_back(x); },
      [memory](const validation_report& x) { memory->reports.push_back(x); },
      [memory](const checkpoint_saved& x) { memory->saved.push_back(x); },
      [memory](const checkpoint_failed& x) { memory->failed.push_back(x); },
      [memory](const bad_sample_found& x) { memory->bad_samples.push_back(x); },
      [memory](const notice& x) { memory->notices.push_back(x); },
      [](const close_log&) {},
      [](status_atom) { return actor_status{}; },
    };
  });
  return {handle, memory};
}

struct saver_memory {
  std::vector<snapshot_ptr> snapshots;
  std::vector<validation_report> reports;
  std::vector<batch_rejected> rejected;
};

inline stub<saver_actor, saver_memory> stub_saver(deterministic_system& actors) {
  auto memory = std::make_shared<saver_memory>();
  auto handle = actors.spawn([memory]() -> saver_actor::behavior_type {
    return {
      [memory](const snapshot_ptr& x) { memory->snapshots.push_back(x); },
      [memory](const validation_report& x) { memory->reports.push_back(x); },
      [memory](const batch_rejected& x) { memory->rejected.push_back(x); },
      [](finish_atom) {},
      [](status_atom) { return actor_status{}; },
      [](internal_atom) {},
    };
  });
  return {handle, memory};
}

struct validator_memory {
  std::vector<snapshot_ptr> snapshots;
};

inline stub<validator_actor, validator_memory> stub_validator(deterministic_system& actors) {
  auto memory = std::make_shared<validator_memory>();
  auto handle = actors.spawn([memory]() -> validator_actor::behavior_type {
    return {
      [memory](const snapshot_ptr& x) { memory->snapshots.push_back(x); },
      [](const batch_ready&) {},
      [](const loader_actor&) {},
      [](const listeners_now&) {},
      [](finish_atom) {},
      [](status_atom) { return actor_status{}; },
    };
  });
  return {handle, memory};
}

struct judgement_memory {
  std::vector<snapshot_judged> judged;
};

inline stub<judgement_sink, judgement_memory> stub_judgement_sink(deterministic_system& actors) {
  auto memory = std::make_shared<judgement_memory>();
  auto handle = actors.spawn([memory]() -> judgement_sink::behavior_type {
    return {[memory](const snapshot_judged& x) { memory->judged.push_back(x); }};
  });
  return {handle, memory};
}

} // namespace troupe::test
