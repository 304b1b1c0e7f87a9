#include "actors/validator/validator_actor.hpp"

#include "actors/glue/guard.hpp"
#include "actors/glue/home_at.hpp"
#include "actors/glue/thread_identity.hpp"
#include "actors/support/network/host_memory.hpp"
#include "actors/validator/evaluator.hpp"

#include <chrono>
#include <deque>

namespace troupe {

namespace {

using validator_pointer = traced_pointer<validator_actor, validator_holder>;
using steady_clock = std::chrono::steady_clock;

} // namespace

class validator_state {
public:
  validator_state(validator_pointer self, validator_setup setup) : self_(self), setup_(std::move(setup)) {}
  ~validator_state() {
    if (home_)
      home_->close();
  }

  /// Builds the replica and reports.
  void build();
  void connect(const loader_actor& loader);
  void enqueue(const snapshot_ptr& snapshot);
  void add_batch(batch_ready& ready);
  void follow(const listeners_now& who) { listeners_ = who.listeners; }
  void give_up();
  [[nodiscard]] actor_status status() const;

private:
  void judge_next();
  void report();
  void settle(const snapshot& judged, bool superseded);

  validator_pointer self_;
  validator_setup setup_;
  std::unique_ptr<evaluator> judge_;
  std::shared_ptr<buffer_home> home_;
  loader_actor loader_;
  std::vector<listener_entry> listeners_;
  std::deque<snapshot_ptr> waiting_;
  snapshot_ptr judging_;
  std::uint64_t next_pass_ = 0;
  std::uint64_t batches_done_ = 0;
  steady_clock::time_point began_;
};

void validator_state::build() {
  validator_ready ready;
  if (auto made = evaluator::make(setup_.config, setup_.io))
    judge_ = std::move(*made);
  else
    ready.error = made.error();
  self_->send(setup_.supervisor, std::move(ready));
}

void validator_state::connect(const loader_actor& loader) {
  loader_ = loader;
  home_ = home_at(loader);
  self_->send(setup_.supervisor, buffers_minted{"validation", home_});
  const auto num_bytes = setup_.layout.capacity * setup_.layout.bytes_per_sample();
  for (std::uint32_t i = 0; i < setup_.prefetch_batches; ++i) {
    auto memory = allocate_host_memory(num_bytes, judge_->wants_page_locked_batches());
    self_->send(loader_, buffer_returned{lease<batch_buffer>(batch_buffer(home_, setup_.layout, std::move(memory)))});
  }
}

void validator_state::enqueue(const snapshot_ptr& snapshot) {
  if (setup_.config.policy == validation_policy::latest)
    for (; !waiting_.empty(); waiting_.pop_front())
      settle(*waiting_.front(), true);
  waiting_.push_back(snapshot);
  judge_next();
}

void validator_state::judge_next() {
  if (judging_ || waiting_.empty())
    return;
  judging_ = std::move(waiting_.front());
  waiting_.pop_front();
  began_ = steady_clock::now();
  if (auto loaded = judge_->load(judging_); !loaded) {
    self_->quit(to_error(loaded.error()));
    return;
  }
  self_->send(loader_, serve_range{{next_pass_, 0}, next_pass_ + 1});
  ++next_pass_;
}

void validator_state::add_batch(batch_ready& ready) {
  auto buffer = ready.buffer.take();
  if (!buffer || !judging_)
    return;
  if (ready.batch.num_samples > 0) {
    if (auto added = judge_->add(view_of(*buffer, ready.batch)); !added) {
      self_->quit(to_error(added.error()));
      return;
    }
  }
  ++batches_done_;
  self_->send(loader_, buffer_returned{lease<batch_buffer>(std::move(*buffer))});
  if (ready.batch.last_in_epoch)
    report();
}

void validator_state::report() {
  auto found = judge_->finish();
  found.seconds = std::chrono::duration<double>(steady_clock::now() - began_).count();
  trace_value("top1", found.top1, ids_of(found));
  trace_value("validation loss", found.loss, ids_of(found));
  for (const auto& figure : found.figures)
    trace_value(figure.name, figure.value, ids_of(found));
  self_->send(setup_.logger, found);
  self_->send(setup_.saver, found);
  for (auto& each : listeners_)
    self_->send(each.handle, found);
  settle(*std::exchange(judging_, nullptr), false);
  judge_next();
}

void validator_state::give_up() {
  if (judging_)
    waiting_.push_front(std::exchange(judging_, nullptr));
  for (auto& snapshot : waiting_)
    self_->send(setup_.saver, snapshot);
  waiting_.clear();
}

void validator_state::settle(const snapshot& judged, bool superseded) {
  const snapshot_judged fact{judged.tag.version, judged.tag.step, superseded};
  self_->send(setup_.trainer, fact);
  self_->send(setup_.supervisor, fact);
}

actor_status validator_state::status() const {
  if (!judging_)
    return {"waits for a snapshot", batches_done_, true};
  return {"judges step " + std::to_string(judging_->tag.step), batches_done_, false};
}

validator_actor::behavior_type validator(validator_pointer self, validator_setup setup) {
  name_thread("validator");
  pin_thread(setup.cpus);
  lower_priority(setup.niceness);
  trace_name(self, "validator");
  report_exceptions(self, "validator");
  auto state = std::make_shared<validator_state>(self, std::move(setup));
  self->state.impl = state;
  state->build();
  return {
    [self](const snapshot_ptr& snapshot) { self->state.impl->enqueue(snapshot); },
    [self](batch_ready& ready) { self->state.impl->add_batch(ready); },
    [self](const loader_actor& loader) { self->state.impl->connect(loader); },
    [self](const listeners_now& who) { self->state.impl->follow(who); },
    [self](finish_atom) { self->state.impl->give_up(); },
    [self](status_atom) { return self->state.impl->status(); },
  };
}

} // namespace troupe
