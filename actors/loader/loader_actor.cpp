#include "actors/loader/loader_actor.hpp"

#include "actors/glue/guard.hpp"
#include "actors/glue/thread_identity.hpp"
#include "actors/loader/chunk_dispatcher.hpp"
#include "actors/loader/open_dataset.hpp"

#include <caf/system_messages.hpp>

namespace troupe {

namespace {

using loader_pointer = traced_pointer<loader_actor, loader_state>;

/// The classes' names: the config's, else the data set's, else their numbers.
std::vector<std::string> names_of(const loader_config& config, const dataset& data) {
  if (!config.classes.empty())
    return config.classes;
  if (!data.class_names().empty())
    return data.class_names();
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < data.num_classes(); ++i)
    names.push_back(std::to_string(i));
  return names;
}

dataset_opened describe(loader_pointer self) {
  auto& st = self->state;
  auto& config = st.setup.config;
  dataset_opened out;
  if (!st.data) {
    auto opened = open_dataset(config.data, config.classes);
    if (!opened) {
      out.error = opened.error();
      return out;
    }
    auto plan =
      epoch_plan::make((*opened)->num_samples(), config.batch_size, config.drop_last, config.shuffle, config.seed);
    if (!plan) {
      out.error = plan.error();
      return out;
    }
    st.data = std::move(*opened);
    st.chunks = std::make_unique<chunk_dispatcher>(*st.data, *plan, config);
  }
  out.num_samples = st.data->num_samples();
  out.samples_per_epoch = st.chunks->plan().samples_per_epoch();
  out.batches_per_epoch = st.chunks->plan().batches_per_epoch();
  out.channels = st.data->channels();
  out.height = st.data->height();
  out.width = st.data->width();
  out.num_classes = st.data->num_classes();
  out.class_names = names_of(config, *st.data);
  out.fingerprint = st.data->fingerprint();
  return out;
}

void hand_out(loader_pointer self) {
  auto& st = self->state;
  while (st.chunks && st.collator && !st.idle.empty()) {
    auto work = st.chunks->next();
    if (!work)
      return;
    self->send(st.idle.front(), std::move(*work));
    st.idle.pop_front();
  }
}

/// Slices for a dead collator would come home and go out again without end: nothing is handed out any more.
void follow(loader_pointer self, const collator_actor& collator) {
  self->state.collator = collator;
  self->monitor(collator);
  self->set_down_handler([self](const caf::down_msg& down) {
    if (self->state.collator && self->state.collator.address() == down.source)
      self->state.collator = collator_actor{};
  });
  hand_out(self);
}

void add_buffer(loader_pointer self, buffer_returned& returned) {
  if (auto buffer = returned.buffer.take(); buffer && self->state.chunks)
    self->state.chunks->add_buffer(std::move(*buffer));
  hand_out(self);
}

void forget(loader_pointer self, chunk_done& done) {
  auto& st = self->state;
  ++st.chunks_done;
  for (auto& bad : done.bad) {
    bad.name = st.data->sample_name(bad.id);
    self->send(st.setup.supervisor, std::move(bad));
  }
  st.chunks->done(done.batch, done.first_slot);
  hand_out(self);
}

void take_back(loader_pointer self, slice_dropped& dropped) {
  auto& st = self->state;
  auto slice = dropped.slice.take();
  if (!slice)
    return;
  if (auto given_up = st.chunks->came_back(std::move(*slice))) {
    for (auto& bad : given_up->bad)
      self->send(st.setup.supervisor, bad);
    self->send(st.collator, std::move(*given_up));
  }
  hand_out(self);
}

void serve(loader_pointer self, const serve_range& range) {
  if (auto ok = self->state.chunks->serve(range); !ok)
    self->quit(to_error(ok.error()));
  else
    hand_out(self);
}

actor_status status(loader_pointer self) {
  auto& st = self->state;
  if (!st.chunks)
    return {"has not opened its data set", 0, true};
  if (st.chunks->served())
    return {"has served all it was asked for", st.chunks_done, true};
  if (!st.collator)
    return {"waits for a collator", st.chunks_done, false};
  if (st.chunks->num_chunks_out() > 0)
    return {"waits for " + std::to_string(st.chunks->num_chunks_out()) + " chunks to be filled", st.chunks_done, false};
  return {st.idle.empty() ? "waits for an idle augmenter" : "waits for a free batch buffer", st.chunks_done, false};
}

} // namespace

loader_state::loader_state() = default;
loader_state::~loader_state() = default;

loader_actor::behavior_type loader(loader_pointer self, loader_setup setup) {
  name_thread(setup.name);
  trace_name(self, setup.name);
  report_exceptions(self, setup.name);
  self->state.setup = std::move(setup);
  return {
    [self](describe_atom) { return describe(self); },
    [self](const collator_actor& collator) { follow(self, collator); },
    [self](const serve_range& range) { serve(self, range); },
    [self](buffer_returned& returned) { add_buffer(self, returned); },
    [self](next_atom, const augmenter_actor& who) {
      self->state.idle.push_back(who);
      hand_out(self);
    },
    [self](chunk_done& done) { forget(self, done); },
    [self](slice_dropped& dropped) { take_back(self, dropped); },
    [self](status_atom) { return status(self); },
  };
}

} // namespace troupe
