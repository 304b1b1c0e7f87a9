/// Puts the actors on stage: from the run's config to each actor's own.
#pragma once

#include "app/run_job.hpp"
#include "messages/collator_protocol.hpp"
#include "messages/relay_protocol.hpp"
#include "messages/supervisor_protocol.hpp"
#include "messages/tracer_protocol.hpp"
#include "messages/trainer_protocol.hpp"

#include <caf/fwd.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

struct component_info;
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

/// A plugin's actor as the run uses it: what the config says, with nothing left open.
struct actor_use {
  component_use what;
  std::uint32_t count = 1; ///< Instances.
  std::uint32_t index = 0; ///< Place in `pipeline.stages`.
  bool in_order = false;   ///< It is `ordered`.
  bool weighs = false;     ///< A listener that says how samples are drawn.
};

/// What a checkpoint calls the data that it was trained on.
inline constexpr const char* fingerprint_note = "data.fingerprint";

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
                                                const loader_actor& loader, const stage_actor& next) const;

  /// The plugin's actor that takes the augmenters' place in that pipeline, if the config names one.
  [[nodiscard]] std::optional<actor_use> plugin_augmenter(pipeline_kind kind) const;
  /// The stages between augmenters and collator, in the order of the flow.
  [[nodiscard]] std::vector<actor_use> stages(pipeline_kind kind) const;
  [[nodiscard]] std::vector<actor_use> listeners() const;
  /// How long the trainer waits for a listener's answer.
  [[nodiscard]] std::chrono::milliseconds listener_timeout() const;

  [[nodiscard]] relay_actor spawn_relay(pipeline_kind kind, const std::string& name, bool in_order,
                                        const stage_facts& facts, const stage_actor& next) const;
  [[nodiscard]] stage_actor spawn_stage(const actor_use& use, pipeline_kind kind, const std::string& name,
                                        const loader_actor& loader, const stage_actor& next) const;
  [[nodiscard]] listener_actor spawn_listener(const actor_use& use, const std::string& name, const stage_facts& facts,
                                              const logger_actor& logger) const;

private:
  template <class Kind>
  [[nodiscard]] std::vector<actor_use> uses_of(const std::vector<Kind>& kinds, pipeline_kind kind) const;
  template <class Role>
  [[nodiscard]] Role role_of(const actor_use& use, pipeline_kind kind, const std::string& name,
                             const component_info& who) const;
  [[nodiscard]] std::uint64_t first_batch(pipeline_kind kind, const stage_facts& facts) const;
  [[nodiscard]] augmenter_actor spawn_plugin_augmenter(const actor_use& use, pipeline_kind kind,
                                                       const std::string& name, const stage_facts& facts,
                                                       const loader_actor& loader, const stage_actor& next) const;

  caf::actor_system& system_;
  const run_job& job_;
  supervisor_actor supervisor_;
};

} // namespace troupe
