#include "actors/loader/loader_actor.hpp"

#include "actors/glue/guard.hpp"
#include "actors/glue/thread_identity.hpp"
#include "actors/loader/chunk_dispatcher.hpp"
#include "actors/loader/datasets/open_dataset.hpp"

#include <caf/result.hpp>
#include <caf/system_messages.hpp>

#include <filesystem>
#include <system_error>

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

/// The source of the data as a path that means the same in every process.
std::string where(const dataset_config& data) {
  std::error_code ignored;
  const auto& path = data.root.empty() ? data.file : data.root;
  return std::filesystem::weakly_canonical(path.empty() ? "." : path, ignored).string();
}

expected<void> open(loader_pointer self) {
  auto& st = self->state;
  auto& config = st.setup.config;
  auto opened = open_dataset(config.data, config.classes);
  if (!opened)
    return opened.error();
  const auto& data = **opened;
  auto plan = epoch_plan::make(data.num_samples(), config.batch_size, config.drop_last, config.shuffle, config.seed);
  if (!plan)
    return plan.error();
  auto sampling = config.shuffle
                    ? sampling_history::make(data.num_samples(), st.setup.sampling_changes, st.setup.sampling)
                    : expected<sampling_history>(sampling_history{});
  if (!sampling)
    return sampling.error();
  if (data.channels() == 0) { // Raw pixels are as good as a cache.
    auto cache = pixel_cache::open(config.cache, data.fingerprint() + ":" + where(config.data) + ":" + config.decoding);
    if (!cache)
      return cache.error();
    st.cache = std::move(*cache);
    if (st.cache && !st.cache->takes_more() && st.cache->num_bytes() < config.cache.max_bytes)
      st.cache_notice = "the cache on disk is in use by another run, or cannot be locked: it is only read from";
  }
  config.use_readers = data.reads_files();
  st.data = std::move(*opened);
  st.chunks = std::make_unique<chunk_dispatcher>(st.data, *plan, config, st.cache, std::move(*sampling));
  return {};
}

dataset_opened describe(loader_pointer self) {
  auto& st = self->state;
  dataset_opened out;
  if (!st.data)
    if (auto ok = open(self); !ok) {
      out.error = ok.error();
      return out;
    }
  out.num_samples = st.data->num_samples();
  out.samples_per_epoch = st.chunks->plan().samples_per_epoch();
  out.batches_per_epoch = st.chunks->plan().batches_per_epoch();
  out.channels = st.data->channels();
  out.height = st.data->height();
  out.width = st.data->width();
  out.num_classes = st.data->num_classes();
  out.class_names = names_of(st.setup.config, *st.data);
  out.class_counts.resize(static_cast<std::size_t>(out.num_classes));
  for (std::uint64_t id = 0; id < out.num_samples; ++id)
    ++out.class_counts[static_cast<std::size_t>(st.data->label(id))];
  out.fingerprint = st.data->fingerprint();
  out.reads_files = st.data->reads_files();
  out.notices = st.data->notices();
  if (!st.cache_notice.empty())
    out.notices.push_back(st.cache_notice);
  return out;
}

void hand_out(loader_pointer self) {
  auto& st = self->state;
  if (!st.chunks || !st.collator)
    return;
  while (!st.idle_readers.empty()) {
    auto work = st.chunks->next_to_read();
    if (!work)
      break;
    auto reader = std::move(st.idle_readers.front());
    st.idle_readers.pop_front();
    st.reading[reader.address()] = {work->batch, work->position};
    self->send(reader, std::move(*work));
  }
  while (!st.idle.empty()) {
    auto work = st.chunks->next();
    if (!work)
      return;
    self->send(st.idle.front(), std::move(*work));
    st.idle.pop_front();
  }
}

void reader_idle(loader_pointer self, const reader_actor& who) {
  auto& st = self->state;
  if (st.reading.try_emplace(who.address()).second) {
    self->monitor(who);
    st.readers.push_back(who);
  }
  st.reading[who.address()].reset();
  st.idle_readers.push_back(who);
  hand_out(self);
}

void reader_died(loader_pointer self, const caf::actor_addr& who) {
  auto& st = self->state;
  const auto is_it = [&](auto& each) { return each.address() == who; };
  std::erase_if(st.idle_readers, is_it);
  std::erase_if(st.readers, is_it);
  const auto it = st.reading.find(who);
  if (it == st.reading.end())
    return;
  if (it->second)
    st.chunks->reading_failed(it->second->first, it->second->second);
  st.reading.erase(it);
  hand_out(self);
}

/// Slices for a dead collator would come home and go out again without end: nothing is handed out any more.
void follow(loader_pointer self, const collator_actor& collator) {
  self->state.collator = collator;
  self->monitor(collator);
  hand_out(self);
}

void child_down(loader_pointer self, const caf::down_msg& down) {
  if (self->state.collator && self->state.collator.address() == down.source)
    self->state.collator = collator_actor{};
  else
    reader_died(self, down.source);
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
  if (st.cache)
    for (const auto& sample : done.decoded)
      st.cache->put(sample);
  st.chunks->done(done.batch, done.position);
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

void replace(loader_pointer self, replacement_wanted& wanted) {
  if (auto slice = wanted.slice.take())
    self->state.chunks->replace(std::move(*slice));
  hand_out(self);
}

/// A reader that is in the middle of a chunk answers after it; one that dies before that leaves an error as the answer.
caf::result<samples_found> find_samples(loader_pointer self, const samples_wanted& wanted) {
  auto& st = self->state;
  if (!st.chunks)
    return to_error({ec::bad_data, st.setup.name + ": samples are wanted before the data set is open"});
  auto read = st.chunks->reading_of(wanted);
  if (st.readers.empty())
    return read();
  auto reader = std::move(st.readers.front());
  st.readers.pop_front();
  st.readers.push_back(reader);
  return self->delegate(reader, samples_to_read{std::move(read)});
}

void go_on(loader_pointer self, const expected<void>& how) {
  if (!how)
    self->quit(to_error(how.error()));
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
  if (const auto num = st.chunks->num_being_read(); num > 0 && !st.idle.empty())
    return {"waits for " + std::to_string(num) + " chunks to be read", st.chunks_done, false};
  const auto num_out = st.chunks->num_chunks_out();
  if (num_out == 0 && st.chunks->waits_for_sampling())
    return {"waits for the sampling of epoch " + std::to_string(st.chunks->position().epoch) + " to be settled",
            st.chunks_done, false};
  if (num_out > 0)
    return {"waits for " + std::to_string(num_out) + " chunks to be filled", st.chunks_done, false};
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
  self->set_down_handler([self](const caf::down_msg& down) { child_down(self, down); });
  return {
    [self](describe_atom) { return describe(self); },
    [self](const collator_actor& collator) { follow(self, collator); },
    [self](const serve_range& range) { go_on(self, self->state.chunks->serve(range)); },
    [self](buffer_returned& returned) { add_buffer(self, returned); },
    [self](next_atom, const augmenter_actor& who) {
      self->state.idle.push_back(who);
      hand_out(self);
    },
    [self](next_atom, const reader_actor& who) { reader_idle(self, who); },
    [self](const chunk_read& read) {
      self->state.chunks->was_read(read.chunk);
      hand_out(self);
    },
    [self](chunk_done& done) { forget(self, done); },
    [self](slice_dropped& dropped) { take_back(self, dropped); },
    [self](replacement_wanted& wanted) { replace(self, wanted); },
    [self](const samples_wanted& wanted) { return find_samples(self, wanted); },
    [self](const sampling_settled& what) { go_on(self, self->state.chunks->settle(what)); },
    [self](status_atom) { return status(self); },
  };
}

} // namespace troupe
