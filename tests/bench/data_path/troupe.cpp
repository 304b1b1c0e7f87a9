// The data loop of a run, by the actors and the defaults of a run: a loader and readers on threads of their own,
// augmenters and the collator on the scheduler's. A consumer stands in for the trainer, and the trace is recorded as it
// is unless the user says otherwise (`flight`; --trace).
#include "actors/augmenter/augmenter_actor.hpp"
#include "actors/augmenter/pipeline_sample_maker.hpp"
#include "actors/augmenter/transform_pipeline.hpp"
#include "actors/collator/collator_actor.hpp"
#include "actors/glue/guard.hpp"
#include "actors/glue/home_at.hpp"
#include "actors/glue/register_messages.hpp"
#include "actors/loader/loader_actor.hpp"
#include "actors/loader/reader_actor.hpp"
#include "actors/plugin/plugin_roles.hpp"
#include "actors/relay/relay_actor.hpp"
#include "actors/support/allocator_tuning.hpp"
#include "actors/tracer/tracer_actor.hpp"
#include "app/plugins/plugin_loader.hpp"
#include "app/thread_plan.hpp"
#include "tests/bench/data_path/contestants.hpp"
#include "tests/bench/data_path/loop_meter.hpp"
#include "tests/bench/data_path/photo_maker.hpp"
#include "tests/bench/data_path/value_or_exit.hpp"
#include "tests/support/scratch_folder.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <future>
#include <memory>
#include <new>
#include <string>
#include <utility>

namespace troupe::bench {

namespace {

constexpr std::chrono::minutes open_timeout{10};

/// As a run sets it.
struct company_config : caf::actor_system_config {
  explicit company_config(std::size_t num_workers) {
    set("scheduler.policy", caf::atom("sharing"));
    set("scheduler.max-throughput", std::size_t{50});
    set("scheduler.max-threads", num_workers);
    troupe::add_error_category(*this);
  }
};

trace_mode mode_of(const std::string& name) {
  return name == "off" ? trace_mode::off : name == "full" ? trace_mode::full : trace_mode::flight;
}

/// Samples that cost next to nothing, so that everything around them shows.
void use_raw_samples(const std::string& root, run_config& config) {
  config.data.train.dataset = "idx";
  config.data.train.root = root;
  config.data.train.images = "train-images-idx3-ubyte.gz";
  config.data.train.labels = "train-labels-idx1-ubyte.gz";
  config.transforms.train = {random_crop_config{.size = 28, .padding = 2}, random_horizontal_flip_config{},
                             normalize_config{.mean = {0.2860}, .std = {0.3530}}};
}

run_config config_of(const run_options& options) {
  run_config out;
  out.data.train.dataset = "image_folder";
  out.data.train.root = options.root;
  out.transforms.train = photo_transforms(options.antialias);
  if (options.raw)
    use_raw_samples(options.root, out);
  if (!options.plugin.empty())
    value_or_exit(load_plugin(options.plugin, "."));
  if (!options.transform.empty())
    out.transforms.train.insert(out.transforms.train.end() - 1, plugin_transform_config{options.transform, {}});
  out.pipeline.batch_size = options.batch_size;
  out.pipeline.augmenters = options.num_workers;
  out.run.seed = run_seed;
  out.trace.mode = mode_of(options.trace);
  return out;
}

loader_config loader_config_of(const run_config& config, const thread_plan& threads) {
  loader_config out;
  out.data = config.data.train;
  out.seed = config.run.seed;
  out.batch_size = config.pipeline.batch_size;
  out.chunk_size = threads.chunk_size;
  out.read_ahead = config.pipeline.read_ahead;
  out.max_encoded_bytes = config.pipeline.max_encoded_bytes;
  return out;
}

/// Memory as the trainer has it for batches.
std::shared_ptr<std::byte> batch_memory(const batch_layout& layout) {
  constexpr std::align_val_t alignment{64};
  const auto num_bytes = layout.capacity * layout.bytes_per_sample();
  return {static_cast<std::byte*>(::operator new(num_bytes, alignment)),
          [](std::byte* data) { ::operator delete(data, alignment); }};
}

/// Takes all batches, then fulfils the promise.
struct consumer_setup {
  loader_actor loader;
  std::shared_ptr<loop_meter> meter;
  std::shared_ptr<std::promise<void>> done;
};

batch_sink::behavior_type consumer(batch_sink::pointer self, const consumer_setup& setup) {
  return {[self, setup](batch_ready& ready) {
    auto buffer = ready.buffer.take();
    if (!buffer)
      return;
    auto& meter = *setup.meter;
    const auto num_samples = ready.batch.num_samples;
    meter.batch_came(num_samples, ready.bad.size(),
                     {buffer->pixels(), num_samples * buffer->layout().bytes_per_sample()});
    meter.step();
    self->send(setup.loader, buffer_returned{lease<batch_buffer>(std::move(*buffer))});
    meter.batch_done();
    if (!ready.batch.last_in_epoch)
      return;
    meter.epoch_done();
    if (meter.all_done())
      setup.done->set_value();
  }};
}

/// Hears of bad samples, in place of the supervisor.
supervisor_actor spawn_boss(caf::actor_system& system) {
  auto boss = system.spawn<caf::detached>([](caf::event_based_actor* self) -> caf::behavior {
    self->set_default_handler(caf::drop);
    return {[](const bad_sample&) {}};
  });
  return caf::actor_cast<supervisor_actor>(boss);
}

/// The actors of one run; they end with it.
class data_company {
public:
  data_company(caf::actor_system& system, const run_config& config, const run_options& options,
               const thread_plan& threads)
    : system_(system), config_(config), options_(options), boss_(spawn_boss(system)),
      loader_(system.spawn<caf::detached>(loader, loader_setup{loader_config_of(config, threads), "loader", boss_})) {
    dismiss_later(boss_);
    dismiss_later(loader_);
  }
  data_company(const data_company&) = delete;
  data_company& operator=(const data_company&) = delete;
  ~data_company() {
    if (home_)
      home_->close();
    for (auto& each : everybody_)
      caf::anon_send_exit(each, caf::exit_reason::user_shutdown);
  }

  [[nodiscard]] dataset_opened open() {
    caf::scoped_actor self{system_};
    dataset_opened out;
    self->request(loader_, open_timeout, describe_atom_v)
      .receive([&](dataset_opened& data) { out = std::move(data); },
               [&](const caf::error& error) { out.error = to_failure(error); });
    return out.error.code == ec::none ? out : value_or_exit<dataset_opened>(out.error);
  }

  /// Runs all epochs.
  void run(std::uint64_t num_epochs, std::shared_ptr<const transform_pipeline> transforms,
           const std::shared_ptr<loop_meter>& meter) {
    auto done = std::make_shared<std::promise<void>>();
    auto future = done->get_future();
    auto sink = system_.spawn<caf::detached>(consumer, consumer_setup{loader_, meter, std::move(done)});
    dismiss_later(sink);
    spawn_makers(sink, std::move(transforms));
    meter->begin();
    mint_buffers();
    caf::anon_send(loader_, serve_range{{}, num_epochs});
    future.get();
  }

private:
  template <class Handle>
  void dismiss_later(const Handle& who) {
    everybody_.push_back(caf::actor_cast<caf::actor>(who));
  }

  void spawn_makers(const batch_sink& sink, std::shared_ptr<const transform_pipeline> transforms) {
    collator_setup how;
    how.replace_bad = config_.pipeline.bad_samples == bad_sample_policy::replace;
    how.seed = config_.run.seed;
    how.consumer = sink;
    how.loader = loader_;
    auto assembler = system_.spawn(collator, std::move(how));
    dismiss_later(assembler);
    caf::anon_send(loader_, assembler);
    for (std::uint32_t i = 1; i <= config_.pipeline.readers; ++i)
      dismiss_later(system_.spawn<caf::detached>(reader, reader_setup{"reader#" + std::to_string(i), loader_}));
    layout_ = {config_.pipeline.batch_size,
               static_cast<std::uint32_t>(transforms->output_channels()),
               static_cast<std::uint32_t>(transforms->output_height()),
               static_cast<std::uint32_t>(transforms->output_width()),
               config_.train.channels_last,
               config_.pipeline.pixels};
    const auto next = options_.stage.empty() ? stage_actor{assembler} : spawn_stages(assembler);
    for (std::uint32_t i = 1; i <= config_.pipeline.augmenters; ++i)
      dismiss_later(spawn_augmenter(transforms, std::to_string(i), next));
  }

  /// As the supervisor does: a relay, and a stage per augmenter.
  stage_actor spawn_stages(const collator_actor& assembler) {
    const auto& kind = *find_component(actor_registry::instance().stages, options_.stage);
    stages_now stages;
    for (std::uint32_t i = 1; i <= config_.pipeline.augmenters; ++i) {
      stage_role role;
      role.name = "stage " + options_.stage + "#" + std::to_string(i);
      role.loader = loader_;
      role.next = assembler;
      dismiss_later(stages.actors.emplace_back(kind.spawn(system_, std::move(role))));
    }
    auto before = system_.spawn(relay, relay_setup{"relay " + options_.stage});
    dismiss_later(before);
    caf::anon_send(before, std::move(stages));
    return before;
  }

  augmenter_actor spawn_augmenter(const std::shared_ptr<const transform_pipeline>& transforms,
                                  const std::string& number, const stage_actor& next) {
    if (options_.augmenter.empty())
      return system_.spawn(augmenter, augmenter_setup{transforms, config_.run.seed, "augmenter#" + number, loader_,
                                                      next, config_.trace.mode == trace_mode::full});
    augmenter_role role;
    role.name = "augmenter " + options_.augmenter + "#" + number;
    role.seed = config_.run.seed;
    role.loader = loader_;
    role.next = next;
    role.samples = make_pipeline_sample_maker(transforms, config_.run.seed);
    return find_component(actor_registry::instance().augmenters, options_.augmenter)->spawn(system_, std::move(role));
  }

  void mint_buffers() {
    home_ = home_at(loader_);
    for (std::uint32_t i = 0; i < config_.pipeline.prefetch_batches; ++i)
      caf::anon_send(loader_,
                     buffer_returned{lease<batch_buffer>(batch_buffer(home_, layout_, batch_memory(layout_)))});
  }

  caf::actor_system& system_;
  const run_config& config_;
  const run_options& options_;
  supervisor_actor boss_;
  loader_actor loader_;
  batch_layout layout_;
  std::shared_ptr<buffer_home> home_;
  std::vector<caf::actor> everybody_;
};

} // namespace

nlohmann::ordered_json run_troupe(const run_options& options) {
  keep_freed_memory();
  const scratch_folder folder;
  const auto config = config_of(options);
  const tracer_config tracing{config.trace.mode, folder.path()};
  const auto recorder = value_or_exit(start_recorder(tracing));
  register_messages();
  const auto threads = plan_threads(config, num_usable_cores());
  company_config how(threads.scheduler_workers);
  caf::actor_system system{how};
  const auto scribe = recorder ? system.spawn<caf::detached>(tracer, tracing, recorder.get()) : tracer_actor{};
  const auto meter = std::make_shared<loop_meter>(options);
  {
    data_company company(system, config, options, threads);
    const auto data = company.open();
    auto transforms = value_or_exit(
      transform_pipeline::make(config.transforms.train, {data.channels, data.height, data.width, config.data.decode}));
    company.run(options.num_epochs, std::make_shared<const transform_pipeline>(std::move(transforms)), meter);
  }
  if (scribe)
    caf::anon_send_exit(scribe, caf::exit_reason::user_shutdown);
  return meter->figures();
}

} // namespace troupe::bench
