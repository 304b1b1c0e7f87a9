#include "actors/plugin/testing_company.hpp"

#include "actors/glue/guard.hpp"
#include "actors/glue/traced.hpp"

#include <caf/exit_reason.hpp>
#include <caf/send.hpp>
#include <caf/system_messages.hpp>

#include <random>
#include <utility>

namespace troupe::testing {

namespace {

using memory_ptr = std::shared_ptr<company_memory>;

constexpr std::size_t max_messages = 1'000'000;

void hand_out(company_memory& memory) {
  while (!memory.chunks.empty() && !memory.idle.empty()) {
    caf::anon_send(memory.idle.front(), std::move(memory.chunks.front()));
    memory.idle.pop_front();
    memory.chunks.pop_front();
  }
}

samples_found find_samples(company_memory& memory, const samples_wanted& wanted) {
  memory.wanted.push_back(wanted);
  samples_found found{wanted.epoch, {}, {}};
  for (const auto id : wanted.ids) {
    const bool there = id < memory.data.size() && !memory.data[id].bytes.empty();
    found.samples.emplace_back();
    found.samples.back().id = id;
    if (there)
      found.samples.back() = memory.data[id];
    found.failures.push_back(there ? failure{}
                                   : failure{ec::bad_data, "sample " + std::to_string(id) + " cannot be read"});
  }
  return found;
}

loader_actor::behavior_type stub_loader(const memory_ptr& memory) {
  return {
    [](describe_atom) { return dataset_opened{}; },
    [](const collator_actor&) {},
    [](const serve_range&) {},
    [](const buffer_returned&) {},
    [memory](next_atom, const augmenter_actor& who) {
      ++memory->times_asked;
      memory->idle.push_back(who);
      hand_out(*memory);
    },
    [](next_atom, const reader_actor&) {},
    [](const chunk_read&) {},
    [memory](const chunk_done& x) { memory->done.push_back(x); },
    [memory](slice_dropped& x) {
      if (auto slice = x.slice.take())
        memory->dropped.push_back(std::move(*slice));
    },
    [](const replacement_wanted&) {},
    [memory](const samples_wanted& x) { return find_samples(*memory, x); },
    [](const sampling_settled&) {},
    [](status_atom) { return actor_status{}; },
  };
}

stage_actor::behavior_type stub_next(const memory_ptr& memory) {
  return {
    [memory](slice_filled& x) {
      if (auto slice = x.slice.take())
        memory->filled.push_back({std::move(*slice), x.bad});
    },
    [](status_atom) { return actor_status{}; },
  };
}

logger_actor::behavior_type stub_logger(const memory_ptr& memory) {
  return {
    [](const step_completed&) {},   [](const validation_report&) {},
    [](const checkpoint_saved&) {}, [](const checkpoint_failed&) {},
    [](const bad_sample_found&) {}, [memory](const notice& x) { memory->notices.push_back(x); },
    [](const close_log&) {},        [](status_atom) { return actor_status{}; },
  };
}

supervisor_actor::behavior_type stub_supervisor(const memory_ptr& memory) {
  return {
    [](const signal_received&) {}, [](const trainer_ready&) {},
    [](const validator_ready&) {}, [](const buffers_minted&) {},
    [](const snapshot_judged&) {}, [](const bad_sample&) {},
    [](const plugin_failed&) {},   [memory](const end_wanted& x) { memory->ends.push_back(x); },
    [](const training_ended&) {},  [](const saver_finished&) {},
    [](const logger_finished&) {}, [](internal_atom) {},
  };
}

/// Traced as in a run, so that a test may look at the trace.
template <class Handle>
Handle spawn_stub(caf::actor_system& system, const char* name,
                  typename Handle::behavior_type (*stub)(const memory_ptr&), const memory_ptr& memory) {
  return system.spawn([=](traced_base_pointer<Handle> self) -> typename Handle::behavior_type {
    trace_name(self, name);
    return stub(memory);
  });
}

std::shared_ptr<buffer_home> home_at(const loader_actor& loader) {
  return std::make_shared<buffer_home>(
    [loader](batch_slice x) { caf::anon_send(loader, slice_dropped{lease<batch_slice>{std::move(x)}}); },
    [loader](batch_buffer x) { caf::anon_send(loader, buffer_returned{lease<batch_buffer>{std::move(x)}}); });
}

} // namespace

company::testing_config::testing_config() {
  set("scheduler.policy", caf::atom("testing"));
  troupe::add_error_category(*this);
}

company::company(plugin_policy on_failure) : before_(plugin_failures()) {
  handle_plugin_failures({on_failure, [memory = memory_](const plugin_failure& x) { memory->failures.push_back(x); }});
  loader_ = keep(spawn_stub<loader_actor>(system_, "loader", stub_loader, memory_));
  next_ = keep(spawn_stub<stage_actor>(system_, "collator", stub_next, memory_));
  logger_ = keep(spawn_stub<logger_actor>(system_, "logger", stub_logger, memory_));
  supervisor_ = keep(spawn_stub<supervisor_actor>(system_, "supervisor", stub_supervisor, memory_));
  home_ = home_at(loader_);
}

company::~company() {
  end();
  handle_plugin_failures(std::move(before_));
}

void company::run(std::uint64_t shuffle) {
  std::mt19937_64 engine{shuffle};
  for (std::size_t handled = 0; scheduler_.has_job(); ++handled) {
    if (handled == max_messages)
      throw std::runtime_error("still busy after " + std::to_string(handled) + " messages");
    if (shuffle != 0)
      std::swap(scheduler_.jobs.front(), scheduler_.jobs[engine() % scheduler_.jobs.size()]);
    scheduler_.run_once();
  }
}

void company::advance(std::chrono::nanoseconds time) {
  run();
  scheduler_.advance_time(time);
  run();
}

void company::serve(chunk_ready chunk) {
  memory_->chunks.push_back(std::move(chunk));
  hand_out(*memory_);
}

batch_buffer company::mint(const batch_layout& layout) const {
  const auto num_bytes = layout.capacity * layout.bytes_per_sample();
  return {home_, layout, std::shared_ptr<std::byte>{new std::byte[num_bytes]{}, std::default_delete<std::byte[]>{}}};
}

std::uint64_t company::end() {
  if (home_)
    home_->close();
  for (auto& each : kept_)
    caf::anon_send<caf::message_priority::high>(each, caf::exit_msg{each.address(), caf::exit_reason::kill});
  kept_.clear();
  run();
  memory_->chunks.clear();
  memory_->idle.clear();
  memory_->filled.clear();
  memory_->dropped.clear();
  return home_ ? home_->minted() - home_->retired() : 0;
}

void company::introduce(role_base& role, const component_info& kind, std::string name, parameters values) const {
  role.name = std::move(name);
  role.plugin = kind.plugin;
  role.values = std::move(values);
  role.first_stream = 256;
  role.supervisor = supervisor_;
  role.shares_threads = true;
}

std::string company::text_of_error(const caf::error& error) {
  return to_string(to_failure(error));
}

} // namespace troupe::testing
