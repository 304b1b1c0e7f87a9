#include "app/trace_tools/remake/replayed_chunk.hpp"

#include "actors/augmenter/fill_slice.hpp"
#include "actors/loader/datasets/read_sample.hpp"
#include "app/trace_tools/remake/chunk_content.hpp"
#include "app/trace_tools/remake/lone_buffer.hpp"
#include "app/trace_tools/text/trace_text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <ostream>
#include <utility>

namespace troupe {

namespace {

/// Keeps the hashes and passes on what is in work.
class hash_collector final : public sample_observer {
public:
  hash_collector(const dataset& data, std::vector<remade_sample>& samples, const replay_watcher& watch)
    : data_(data), samples_(samples), watch_(watch) {}

  [[nodiscard]] bool wants_hash() const override { return true; }
  void begins(std::uint64_t id) override { watch_(id, data_.sample_name(id)); }
  void made(const made_sample& sample) override { samples_[sample.slot].pixel_hash = sample.pixel_hash; }

private:
  const dataset& data_;
  std::vector<remade_sample>& samples_;
  const replay_watcher& watch_;
};

/// The chunk as the loader makes it, but that its slots count from 0.
encoded_chunk read_chunk(const dataset& data, const chunk_content& content, std::uint64_t batch) {
  encoded_chunk chunk;
  chunk.batch = batch;
  chunk.epoch = content.epoch;
  chunk.position = content.position;
  for (const auto id : content.ids) {
    const auto slot = static_cast<std::uint32_t>(chunk.samples.size());
    auto& sample = chunk.samples.emplace_back();
    sample.id = id;
    if (id >= data.num_samples())
      chunk.unreadable.push_back({.id = id, .slot = slot, .reason = "the data set has no such sample"});
    else if (auto read = read_sample(data, id))
      sample = std::move(*read);
    else
      chunk.unreadable.push_back({.id = id, .slot = slot, .reason = to_string(read.error())});
  }
  return chunk;
}

batch_slice make_slice(const run_data& data, const transform_pipeline& transforms, std::uint32_t num_samples) {
  auto buffer = make_lone_buffer({num_samples, static_cast<std::uint32_t>(transforms.output_channels()),
                                  static_cast<std::uint32_t>(transforms.output_height()),
                                  static_cast<std::uint32_t>(transforms.output_width()),
                                  data.config().train.channels_last, data.config().pipeline.pixels});
  batch_ref whole;
  whole.num_samples = num_samples;
  return std::move(std::move(buffer).split(whole, num_samples).front());
}

/// What is known of the samples before they are made.
std::vector<remade_sample> begin_samples(const opened_set& set, const chunk_content& content,
                                         const recorded_chunk& recorded) {
  std::vector<remade_sample> out;
  for (const auto id : content.ids) {
    auto& sample = out.emplace_back();
    sample.id = id;
    sample.slot = content.first_slot + out.size() - 1;
    if (id < set.data->num_samples()) {
      sample.name = set.data->sample_name(id);
      sample.label = set.class_names[static_cast<std::size_t>(set.data->label(id))];
    }
    for (const auto& each : recorded.samples)
      if (each.slot == sample.slot && each.sample == id)
        sample.recorded_hash = each.pixel_hash;
  }
  return out;
}

/// A sample that was bad in the run, too, is as it was; those that could not be read then were not recorded.
void tell_bad(const std::vector<bad_sample>& bad, const recorded_chunk& recorded, std::vector<remade_sample>& samples) {
  const bool all_recorded = recorded.process->full && recorded.record.outcome == trace_outcome::handled;
  for (const auto& each : bad) {
    auto& sample = samples[each.slot];
    if (sample.recorded_hash.value_or(all_recorded ? 0 : 1) == 0)
      sample.notes.push_back("bad, as in the run: " + each.reason);
    else
      sample.problem = each.reason;
  }
}

std::string why_unchecked(const recorded_chunk& recorded) {
  if (!recorded.process->full)
    return "no hashes were recorded (trace.mode: flight); set trace.mode: full";
  return recorded.record.outcome == trace_outcome::handled
           ? "they could not be read in the run, or their records are gone"
           : "the augmenter did not come that far";
}

} // namespace

expected<replayed_chunk> replay(const run_data& data, recorded_chunk recorded, const replay_watcher& watch) {
  const auto content = content_of(data, recorded);
  if (!content)
    return content.error();
  const auto& set = *data.set(recorded.of_validation);
  replayed_chunk out;
  out.recorded = std::move(recorded);
  out.epoch = content->epoch;
  out.samples = begin_samples(set, *content, out.recorded);
  const auto chunk = read_chunk(*set.data, *content, out.recorded.record.batch);
  const auto slice = make_slice(data, *set.transforms, static_cast<std::uint32_t>(chunk.samples.size()));
  hash_collector hashes(*set.data, out.samples, watch);
  const auto begun = std::chrono::steady_clock::now();
  const auto made = fill_slice(*set.transforms, data.config().run.seed, chunk, slice, &hashes);
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  tell_bad(made.bad, out.recorded, out.samples);
  out.check = compare(out.samples, out.recorded.process->realtime_ns, data.change());
  if (out.check.num_checked < out.check.num_samples)
    out.why_unchecked = why_unchecked(out.recorded);
  return out;
}

void print_text(const replayed_chunk& chunk, std::ostream& out) {
  const auto& record = chunk.recorded.record;
  out << "message " << record.message << ": chunk_ready for " << chunk.recorded.augmenter << ", batch " << record.batch
      << ", epoch " << chunk.epoch + 1 << ", " << to_string(record.outcome) << '\n';
  print_text(chunk.check, chunk.why_unchecked, out);
  out << "took " << seconds_text(chunk.seconds);
  if (record.ended_ns > record.dequeued_ns && record.dequeued_ns != 0)
    out << ", in the run " << time_text(static_cast<std::uint64_t>(record.ended_ns - record.dequeued_ns));
  out << "\n\n";
  print_samples(chunk.samples, out);
}

void print_json(const replayed_chunk& chunk, std::ostream& out) {
  const auto& record = chunk.recorded.record;
  nlohmann::ordered_json json = {{"message", record.message},
                                 {"process", chunk.recorded.process->id},
                                 {"augmenter", chunk.recorded.augmenter},
                                 {"outcome", to_string(record.outcome)},
                                 {"batch", record.batch},
                                 {"epoch", chunk.epoch + 1},
                                 {"seconds", chunk.seconds},
                                 {"why_unchecked", chunk.why_unchecked}};
  add_json(chunk.check, chunk.samples, json);
  print_json(json, out);
}

} // namespace troupe
