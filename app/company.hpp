/// Puts the actors on stage: from the run's config to each actor's own.
#pragma once

#include "app/run_job.hpp"
#include "messages/collator_protocol.hpp"
#include "messages/supervisor_protocol.hpp"
#include "messages/tracer_protocol.hpp"
#include "messages/trainer_protocol.hpp"

#include <caf/fwd.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace troupe {

class transform_pipeline;

/// One of the run's two pipelines.
enum class pipeline_kind : std::uint8_t { training, validation };

/// "loader" or "validation loader": what an actor of that pipeline is called.
[[nodiscard]] std::string name_in(pipeline_kind kind, const std::string& role);

/// What the data sets have told: needed by all that come after the loaders.
struct stage_facts {
  dataset_opened train;
  dataset_opened validation; ///< Unset where nothing is validated.
  model_io io;
  std::shared_ptr<const transform_pipeline> train_transforms;
  std::shared_ptr<const transform_pipeline> validation_transforms;
  std::uint64_t steps_per_epoch = 0;
};

/// Checks that the data sets fit each other, the transforms and the run that is resumed.
expected<stage_facts> survey(const run_job& job, dataset_opened train, std::optional<dataset_opened> validation);

/// Spawns actors for one run. All functions run on the supervisor's thread.
class company {
public:
  company(caf::actor_system& system, const run_job& job, supervisor_actor supervisor)
    : system_(system), job_(job), supervisor_(std::move(supervisor)) {}

  [[nodiscard]] tracer_actor spawn_tracer() const;
  [[nodiscard]] loader_actor spawn_loader(pipeline_kind kind, const std::vector<std::string>& classes) const;
  [[nodiscard]] reader_actor spawn_reader(const std::string& name, const loader_actor& loader) const;
  [[nodiscard]] logger_actor spawn_logger(const stage_facts& facts) const;
  [[nodiscard]] saver_actor spawn_saver(const stage_facts& facts, const logger_actor& logger) const;
  [[nodiscard]] trainer_actor spawn_trainer(const stage_facts& facts, const logger_actor& logger,
                                            const saver_actor& saver) const;
  [[nodiscard]] validator_actor spawn_validator(const stage_facts& facts, const logger_actor& logger,
                                                const saver_actor& saver, const trainer_actor& trainer) const;
  [[nodiscard]] collator_actor spawn_collator(pipeline_kind kind, const stage_facts& facts, const loader_actor& loader,
                                              const batch_sink& consumer) const;
  [[nodiscard]] augmenter_actor spawn_augmenter(pipeline_kind kind, const std::string& name, const stage_facts& facts,
                                                const loader_actor& loader, const collator_actor& collator) const;

private:
  caf::actor_system& system_;
  const run_job& job_;
  supervisor_actor supervisor_;
};

} // namespace troupe
