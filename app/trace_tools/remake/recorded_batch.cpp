#include "app/trace_tools/remake/recorded_batch.hpp"

#include "actors/logger/csv_text.hpp"
#include "actors/support/file_io.hpp"
#include "app/trace_tools/analysis/actor_role.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

namespace troupe {

namespace {

constexpr std::uint64_t max_table_bytes = std::uint64_t{1} << 30;

/// What one process has of the batch.
class batch_finder {
public:
  batch_finder(const recorded_process& process, const batch_query& query) : process_(process), query_(query) {
    for (std::uint32_t number = 0; number < process.names.size(); ++number) {
      const auto actor = role_of(process.names[number]);
      if (actor.role == "augmenter" && !actor.in_validation)
        augmenters_.insert(number);
    }
  }

  /// The last step that the batch may have been in; nothing if the trainer did not take it up before that was done.
  [[nodiscard]] std::optional<trace_record> loss() const {
    const bool has_all = process_.full && process_.dropped == 0 && process_.cut == 0;
    if (!loss_ || (has_all && !trained) || (trained && loss_->enqueued_ns < taken_up_ns_))
      return std::nullopt;
    return loss_;
  }

  void look_at(const trace_record& record) {
    if (record.kind == trace_kind::sample && augmenters_.contains(record.receiver))
      add(to_sample(record));
    else if (record.kind == trace_kind::value && named(record, "trainer", "loss"))
      add_loss(record);
    else if (record.kind == trace_kind::message && record.batch == query_.batch
             && named(record, "trainer", "batch_ready"))
      taken_up(record);
  }

  std::vector<recorded_sample> samples;
  bool trained = false;
  std::set<std::uint64_t> bad, made;

private:
  [[nodiscard]] bool named(const trace_record& record, std::string_view actor, std::string_view name) const {
    return process_.name(record.receiver) == actor && process_.name(record.name) == name;
  }

  void taken_up(const trace_record& record) {
    if (record.dequeued_ns == 0)
      return;
    trained = true;
    taken_up_ns_ = record.dequeued_ns;
  }

  void add(const recorded_sample& sample) {
    if (sample.batch == query_.batch)
      samples.push_back(sample);
    if (sample.epoch != query_.epoch)
      return;
    if (sample.bad)
      bad.insert(sample.sample);
    else if (query_.suspects.contains(sample.sample))
      made.insert(sample.sample);
  }

  /// A step is named by its first batch; those behind it belong to it up to the next step's first one, or the epoch's
  /// end.
  void add_loss(const trace_record& record) {
    const bool may_hold = record.batch >= query_.first_of_epoch && record.batch <= query_.batch
                          && query_.batch - record.batch < query_.accumulate;
    if (may_hold && (!loss_ || record.batch >= loss_->batch))
      loss_ = record;
  }

  const recorded_process& process_;
  const batch_query& query_;
  std::set<std::uint32_t> augmenters_;
  std::optional<trace_record> loss_;
  std::int64_t taken_up_ns_ = 0;
};

void take_over(batch_finder&& found, const recorded_process& process, recorded_batch& out) {
  out.full = out.full || process.full;
  out.bad_in_epoch.merge(found.bad);
  out.made_in_epoch.merge(found.made);
  const bool counts = found.trained || !out.trained;
  if (const auto loss = found.loss(); loss && counts) {
    out.step = loss->step;
    out.loss = recorded_value(*loss);
  }
  if (found.samples.empty())
    return;
  ++out.num_servings;
  if (!counts)
    return;
  out.trained = found.trained;
  out.samples = std::move(found.samples);
  std::stable_sort(out.samples.begin(), out.samples.end(),
                   [](const auto& a, const auto& b) { return a.ended_ns < b.ended_ns; });
  out.begun_realtime_ns = process.realtime_ns;
}

std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && stop == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

} // namespace

recorded_batch find_batch(const recorded_trace& trace, const batch_query& query) {
  recorded_batch out;
  for (const auto& process : trace.processes) {
    batch_finder finder(process, query);
    visit_records(process, [&finder](const trace_record& record) { finder.look_at(record); });
    take_over(std::move(finder), process, out);
  }
  return out;
}

expected<std::set<std::uint64_t>> known_bad_samples(const std::string& run_folder, std::uint64_t epoch) {
  const auto path = run_folder + "/bad_samples.csv";
  const auto text = read_file(path, max_table_bytes);
  if (!text)
    return text.error().code == ec::not_found ? expected<std::set<std::uint64_t>>(std::set<std::uint64_t>{})
                                              : text.error();
  std::set<std::uint64_t> out;
  std::string_view rest = *text;
  for (bool heading = true; const auto record = first_csv_record(rest); heading = false) {
    rest.remove_prefix(record->num_bytes);
    const auto& fields = record->fields; // id, sample, data, epoch (1-based), stage, reason
    const auto id = number_in(fields.front());
    const auto first = fields.size() > 3 ? number_in(fields[3]) : std::nullopt;
    if (!heading && (!id || !first))
      return failure{ec::corrupt, path + ": a row begins with \"" + fields.front()
                                    + "\", expected id, sample, data, epoch, stage, reason"};
    if (!heading && fields[2] == "training" && *first <= epoch + 1)
      out.insert(*id);
  }
  return out;
}

} // namespace troupe
