#include "actors/augmenter/pipeline_sample_maker.hpp"
#include "actors/glue/trace_events.hpp"
#include "actors/plugin/plugin_roles.hpp"
#include "actors/relay/relay_actor.hpp"
#include "app/company.hpp"

#include <caf/actor_system.hpp>

#include <algorithm>

namespace troupe {

namespace {

/// Far from the transforms' streams, which count from 0, and from the framework's own.
constexpr std::uint32_t first_plugin_stream = 0x1000'0000;
constexpr std::uint32_t streams_per_actor = 256;

constexpr std::chrono::milliseconds shortest_listener_timeout{1000};

/// The config's word, or as many as there are augmenters: each of them keeps one stage busy at most.
std::uint32_t count_of(const stage_use& use, instances how_many, pipeline_kind kind, std::uint32_t num_augmenters) {
  if (how_many == instances::ordered || kind == pipeline_kind::validation)
    return 1;
  return use.count > 0 ? use.count : num_augmenters;
}

/// Tells the watchdog which sample is in work.
class watched_maker final : public sample_maker {
public:
  explicit watched_maker(std::shared_ptr<const sample_maker> inner) : inner_(std::move(inner)) {}

  [[nodiscard]] image_shape shape() const override { return inner_->shape(); }
  [[nodiscard]] expected<void> make(const encoded_sample& sample, std::uint64_t epoch,
                                    cv::Mat& picture) const override {
    trace_progress(sample.id);
    return inner_->make(sample, epoch, picture);
  }
  void write(const cv::Mat& picture, const batch_slice& slice, std::uint32_t i) const override {
    inner_->write(picture, slice, i);
  }
  [[nodiscard]] expected<void> fill(const encoded_sample& sample, std::uint64_t epoch, const batch_slice& slice,
                                    std::uint32_t i) const override {
    trace_progress(sample.id);
    return inner_->fill(sample, epoch, slice, i);
  }

private:
  std::shared_ptr<const sample_maker> inner_;
};

} // namespace

template <class Kind>
std::vector<actor_use> company::uses_of(const std::vector<Kind>& kinds, pipeline_kind kind) const {
  std::vector<actor_use> out;
  std::uint32_t index = 0;
  for (const auto& use : job_.config.pipeline.stages) {
    const auto* found = find_component(kinds, use.what.name);
    if (found != nullptr && (kind == pipeline_kind::training || use.in_validation))
      out.push_back({use.what, count_of(use, found->how_many, kind, job_.threads.num_augmenters), index,
                     found->how_many == instances::ordered, found->weighs});
    ++index;
  }
  return out;
}

std::optional<actor_use> company::plugin_augmenter(pipeline_kind kind) const {
  auto found = uses_of(actor_registry::instance().augmenters, kind);
  return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
}

std::vector<actor_use> company::stages(pipeline_kind kind) const {
  return uses_of(actor_registry::instance().stages, kind);
}

std::vector<actor_use> company::listeners() const {
  return uses_of(actor_registry::instance().listeners, pipeline_kind::training);
}

std::chrono::milliseconds company::listener_timeout() const {
  return std::max(job_.config.pipeline.stall_timeout / 2, shortest_listener_timeout);
}

std::uint64_t company::first_batch(pipeline_kind kind, const stage_facts& facts) const {
  if (kind == pipeline_kind::validation || !job_.resume_from)
    return 0;
  const auto& next = job_.resume_from->next;
  return next.epoch * facts.train.batches_per_epoch + next.batch;
}

template <class Role>
Role company::role_of(const actor_use& use, pipeline_kind kind, const std::string& name,
                      const component_info& who) const {
  Role role;
  role.name = name;
  role.plugin = who.plugin;
  role.values = use.what.values;
  role.seed = job_.config.run.seed;
  role.in_validation = kind == pipeline_kind::validation;
  role.first_stream = first_plugin_stream + streams_per_actor * use.index;
  role.timeout = job_.config.pipeline.stall_timeout;
  role.supervisor = supervisor_;
  return role;
}

augmenter_actor company::spawn_plugin_augmenter(const actor_use& use, pipeline_kind kind, const std::string& name,
                                                const stage_facts& facts, const loader_actor& loader,
                                                const stage_actor& next) const {
  const bool training = kind == pipeline_kind::training;
  const auto& found = *find_component(actor_registry::instance().augmenters, use.what.name);
  auto role = role_of<augmenter_role>(use, kind, name, found);
  role.loader = loader;
  role.next = next;
  role.samples =
    make_pipeline_sample_maker(training ? facts.train_transforms : facts.validation_transforms, job_.config.run.seed);
  role.num_samples = (training ? facts.train : facts.validation).num_samples;
  return found.spawn(system_, std::move(role));
}

relay_actor company::spawn_relay(pipeline_kind kind, const std::string& name, bool in_order, const stage_facts& facts,
                                 const stage_actor& next) const {
  return system_.spawn(relay, relay_setup{name, in_order, first_batch(kind, facts), next});
}

stage_actor company::spawn_stage(const actor_use& use, pipeline_kind kind, const std::string& name,
                                 const loader_actor& loader, const stage_actor& next) const {
  const auto& found = *find_component(actor_registry::instance().stages, use.what.name);
  auto role = role_of<stage_role>(use, kind, name, found);
  role.loader = loader;
  role.next = next;
  return found.spawn(system_, std::move(role));
}

listener_actor company::spawn_listener(const actor_use& use, const std::string& name, const stage_facts& facts,
                                       const logger_actor& logger) const {
  const auto& found = *find_component(actor_registry::instance().listeners, use.what.name);
  auto role = role_of<listener_role>(use, pipeline_kind::training, name, found);
  role.logger = logger;
  role.folder = job_.folder;
  role.class_names = facts.train.class_names;
  role.num_samples = facts.train.num_samples;
  if (const auto kept = job_.attached.listeners.find(use.what.name); kept != job_.attached.listeners.end())
    role.kept = kept->second;
  role.resumed_step = job_.resume_from ? job_.resume_from->tag.step : 0;
  return found.spawn(system_, std::move(role));
}

} // namespace troupe
