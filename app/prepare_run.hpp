/// From the command line to a run that can be put on stage: config, folder, checkpoint.
#pragma once

#include "actors/support/expected.hpp"
#include "app/commands/train_command.hpp"
#include "app/run_folder.hpp"
#include "app/run_job.hpp"

#include <memory>

namespace troupe {

struct prepared_run {
  std::shared_ptr<run_job> job;
  run_folder folder; ///< Locked as long as this lives.
};

/// Loads the config, finds or makes the run folder, loads the checkpoint to resume from. Nothing of an earlier run is
/// changed if it fails.
expected<prepared_run> prepare_run(const train_options& options);

} // namespace troupe
