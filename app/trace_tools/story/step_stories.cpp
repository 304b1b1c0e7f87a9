#include "app/trace_tools/story/record_text.hpp"
#include "app/trace_tools/story/story_ground.hpp"
#include "app/trace_tools/text/trace_text.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace troupe {

namespace {

using json = nlohmann::ordered_json;

/// Steps that follow each other, and the batches that they were made of.
struct step_range {
  std::uint64_t after = 0; ///< The steps above this one,
  std::uint64_t last = 0;  ///< up to this one.
  std::uint64_t num_steps = 0;
  std::uint64_t first_step = no_id; ///< Of those that were recorded.
  std::uint64_t first_batch = no_id;
  std::uint64_t next_batch = no_id; ///< First one of the step after them, where that was recorded.
  std::int64_t completed_ns = 0;
  std::optional<trace_record> last_step; ///< step_completed
  std::optional<double> last_loss;
  std::optional<double> last_learning_rate;

  void take(const run_names& names, const trace_record& record);
  /// Whether a batch that the trainer took up at `dequeued_ns` belongs to the steps.
  [[nodiscard]] bool has(std::uint64_t batch, std::int64_t dequeued_ns) const noexcept {
    return first_batch != no_id && batch != no_id && batch >= first_batch
           && (next_batch != no_id ? batch < next_batch : dequeued_ns <= completed_ns);
  }
};

void step_range::take(const run_names& names, const trace_record& record) {
  if (record.step == no_id || record.batch == no_id || record.step <= after)
    return;
  if (record.kind == trace_kind::value && record.receiver == names.trainer && record.step == last) {
    if (record.name == names.loss)
      last_loss = recorded_value(record);
    else if (record.name == names.learning_rate)
      last_learning_rate = recorded_value(record);
  }
  if (record.kind != trace_kind::message || record.name != names.step_completed)
    return;
  if (record.step > last) {
    next_batch = std::min(next_batch, record.batch);
    return;
  }
  ++num_steps;
  first_step = std::min(first_step, record.step);
  first_batch = std::min(first_batch, record.batch);
  completed_ns = std::max(completed_ns, record.enqueued_ns);
  if (record.step == last)
    last_step = record;
}

/// The batches of one step. Where no later step says where it ends, those that came before its end.
std::vector<std::pair<batch_key, batch_trail>> batches_of(const story_ground& ground, const step_range& range) {
  constexpr std::uint64_t most_batches = 4096;
  batch_trails trails{ground.names};
  trails.want_training(range.first_batch,
                       range.next_batch != no_id ? range.next_batch - 1 : range.first_batch + most_batches - 1);
  visit_records(ground.request.process, [&](const trace_record& record) { trails.take(record); });
  std::vector<std::pair<batch_key, batch_trail>> found;
  for (const auto& [key, trail] : trails.all())
    if (key.batch == range.first_batch || range.next_batch != no_id
        || (trail.ready && range.has(key.batch, trail.ready->dequeued_ns)))
      found.emplace_back(key, trail);
  return found;
}

/// Numbers of samples in batches: by their composition where it is known.
class sample_counts {
public:
  explicit sample_counts(const story_ground& ground) : ground_(ground) {}

  void take(const trace_record& record) {
    if (record.kind != trace_kind::sample || ground_.names.of_validation(record.receiver)
        || ground_.request.data.num_members)
      return;
    ++num_records_;
    if (record.outcome == trace_outcome::handled)
      made_[record.batch].emplace(record.step, record.sample);
  }

  /// nullopt: samples were not recorded, and the composition is unknown.
  [[nodiscard]] std::optional<std::uint64_t> in(const std::set<std::uint64_t>& batches) const {
    std::uint64_t total = 0;
    std::set<std::pair<std::uint64_t, std::uint64_t>> by_records;
    const auto& count = ground_.request.data.num_members;
    for (const auto batch : batches) {
      if (const auto known = count ? count(batch) : std::nullopt)
        total += *known;
      else if (const auto made = made_.find(batch); made != made_.end())
        by_records.insert(made->second.begin(), made->second.end());
      else if (num_records_ == 0)
        return std::nullopt;
    }
    return total + by_records.size();
  }

private:
  const story_ground& ground_;
  std::uint64_t num_records_ = 0;
  std::map<std::uint64_t, std::set<std::pair<std::uint64_t, std::uint64_t>>> made_; ///< By batch: epoch and sample.
};

/// Where the steps of a checkpoint begin.
std::string since_text(const story_ground& ground, bool from_start) {
  if (!from_start)
    return "the snapshot before";
  return has_all_records(ground.request.process) ? "the process began" : "the oldest record that there is";
}

/// What a checkpoint is made of, in numbers.
story_line tell_contents(const story_ground& ground, const step_range& range, bool from_start) {
  std::set<std::uint64_t> batches;
  sample_counts samples{ground};
  const auto& n = ground.names;
  visit_records(ground.request.process, [&](const trace_record& record) {
    samples.take(record);
    if (record.kind == trace_kind::message && record.name == n.batch_ready && record.receiver == n.trainer
        && range.has(record.batch, record.dequeued_ns))
      batches.insert(record.batch);
  });
  const auto num_samples = samples.in(batches);
  auto text = "contains steps " + std::to_string(range.after + 1) + " to " + std::to_string(range.last) + " since "
              + since_text(ground, from_start) + ": " + count_text(range.num_steps) + " steps recorded, "
              + count_text(batches.size()) + " batches, "
              + (num_samples ? count_text(*num_samples) + " samples" : "samples not recorded");
  if (range.last_loss)
    text += ", last loss " + value_text(*range.last_loss);
  return {text,
          {{"what", "contents"},
           {"first_step", range.after + 1},
           {"last_step", range.last},
           {"steps", range.num_steps},
           {"batches", batches.size()},
           {"samples", num_samples ? json(*num_samples) : json(nullptr)},
           {"loss", range.last_loss ? json(*range.last_loss) : json(nullptr)}},
          {}};
}

/// The steps of a snapshot since the one before it, or since the process's first step.
step_range steps_of(const story_ground& ground, const snapshot_fate& fate, const snapshot_fate* before) {
  step_range range;
  range.after = before == nullptr ? 0 : std::min(before->step, fate.step);
  range.last = fate.step;
  visit_records(ground.request.process, [&](const trace_record& record) { range.take(ground.names, record); });
  if (before == nullptr && range.first_step != no_id)
    range.after = range.first_step - 1;
  return range;
}

} // namespace

std::vector<story_line> step_stories(const story_request& request, std::uint64_t step) {
  story_ground ground{request};
  step_range range;
  range.after = step == 0 ? 0 : step - 1;
  range.last = step;
  visit_records(request.process, [&](const trace_record& record) {
    ground.fates.take(record);
    range.take(ground.names, record);
  });
  if (!range.last_step)
    return {};
  batch_trail step_trail;
  step_trail.step = range.last_step;
  step_trail.loss = range.last_loss;
  step_trail.learning_rate = range.last_learning_rate;
  const auto context = ground.context();
  auto story = tell_step(context, step_trail);
  tell_whereabouts(request.process, ground.fates, step, request.options.run_folder, story);
  const auto batches = batches_of(ground, range);
  if (batches.empty())
    story.add(tell_missing(context, "the batches of this step"));
  for (std::size_t i = 0; i < std::min(batches.size(), context.limit); ++i)
    story.add(tell_batch(context, batches[i].first, batches[i].second, false));
  if (batches.size() > context.limit)
    story.add("and " + std::to_string(batches.size() - context.limit) + " more batches (--limit)",
              {{"more", batches.size() - context.limit}});
  return {std::move(story)};
}

std::vector<story_line> checkpoint_stories(const story_request& request, std::uint64_t version) {
  story_ground ground{request};
  visit_records(request.process, [&](const trace_record& record) { ground.fates.take(record); });
  const auto* fate = ground.fates.find(version);
  if (fate == nullptr)
    return {};
  auto story = tell_checkpoint(request.process, *fate, request.options.run_folder);
  if (fate->to_saver)
    story.add(tell_record(ground.context(), *fate->to_saver));
  story.add(tell_validation(request.process, *fate));
  const auto* before = ground.fates.before(version);
  if (fate->step == no_id || (before != nullptr && before->step == no_id)) {
    story.add(tell_missing(ground.context(), "the steps that it contains"));
    return {std::move(story)};
  }
  const auto range = steps_of(ground, *fate, before);
  story.add(tell_contents(ground, range, before == nullptr));
  if (range.num_steps == 0)
    story.add(tell_missing(ground.context(), "the records of these steps"));
  else if (range.num_steps < range.last - range.after)
    story.add(
      tell_missing(ground.context(),
                   "the records of " + std::to_string(range.last - range.after - range.num_steps) + " of these steps"));
  return {std::move(story)};
}

} // namespace troupe
