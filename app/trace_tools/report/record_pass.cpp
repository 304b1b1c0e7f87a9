#include "app/trace_tools/report/record_pass.hpp"

#include <algorithm>

namespace troupe {

namespace {

constexpr std::size_t most_samples = 12;
constexpr std::size_t most_per_type = 3;
constexpr std::size_t most_marks = 512; ///< Of one kind; a page shows no more.
constexpr std::string_view phase_prefix = "phase ";

/// Leaves out every other one where there are too many.
template <class Mark>
void add_mark(std::vector<Mark>& to, const Mark& mark) {
  to.push_back(mark);
  if (to.size() < most_marks * 2)
    return;
  std::size_t kept = 0;
  for (std::size_t i = 1; i < to.size(); i += 2)
    to[kept++] = to[i];
  to.resize(kept);
}

} // namespace

record_pass::record_pass(const recorded_trace& trace)
  : axis(time_axis::of(trace)), batch_waits(axis.seconds(), num_report_bins),
    validator_waits(axis.seconds(), num_report_bins), slow_samples(most_samples), trace_(trace) {}

void record_pass::read() {
  for (std::size_t i = 0; i < trace_.processes.size(); ++i) {
    begin(i);
    visit_records(trace_.processes[i], [this](const trace_record& record) { take(record); });
  }
}

void record_pass::begin(std::size_t process) {
  process_ = process;
  sums_.assign(trace_.processes[process].names.size(), nullptr);
  goes_on_ = process > 0;
}

actor_record_sums& record_pass::sums_of(std::uint32_t actor) {
  if (actor >= sums_.size())
    actor = 0;
  if (sums_[actor] == nullptr)
    sums_[actor] = &actors
                      .try_emplace(text(actor), actor_record_sums{occupancy(axis.seconds(), num_report_bins),
                                                                  occupancy(axis.seconds(), num_report_bins),
                                                                  {}})
                      .first->second;
  return *sums_[actor];
}

void record_pass::take(const trace_record& record) {
  switch (record.kind) {
  case trace_kind::message:
    return take_message(record);
  case trace_kind::span:
    return take_span(record);
  case trace_kind::mark:
    return take_mark(record);
  case trace_kind::value:
    return take_value(record);
  case trace_kind::sample:
    return slow_samples.add(record.ended_ns - record.dequeued_ns, {record, process_});
  case trace_kind::link:
  case trace_kind::spawn:
  case trace_kind::exit:
    break;
  }
}

void record_pass::take_message(const trace_record& record) {
  auto& sums = sums_of(record.receiver);
  if (record.dequeued_ns == 0)
    return;
  sums.queue.add(at(record.enqueued_ns), at(record.dequeued_ns));
  const auto [first, is_new] = sums.first_seen.try_emplace(process_, at(record.dequeued_ns));
  first->second = std::min(first->second, at(record.dequeued_ns));
  if (record.ended_ns == 0)
    return;
  sums.busy.add(at(record.dequeued_ns), at(record.ended_ns));
  auto& slowest = slow_messages.try_emplace({text(record.receiver), text(record.name)}, most_per_type).first->second;
  slowest.add(record.ended_ns - record.dequeued_ns, {record, process_});
}

void record_pass::take_span(const trace_record& record) {
  const auto from = at(record.dequeued_ns), until = at(record.ended_ns);
  const auto& name = text(record.name);
  if (name.starts_with(phase_prefix)) {
    if (phases.size() < most_marks)
      phases.push_back({name.substr(phase_prefix.size()), from, until});
  } else if (name == "waits for batch" || name == "waits for first batch") {
    batch_waits.add(from, until);
  } else if (name == "waits for validator") {
    validator_waits.add(from, until);
  }
}

void record_pass::take_mark(const trace_record& record) {
  if (text(record.name) == "checkpoint durable")
    add_mark(checkpoints, {record.step, record.version, record.bytes});
}

void record_pass::take_value(const trace_record& record) {
  const auto& name = text(record.name);
  if (name == "top1")
    add_mark(validations, {record.step, recorded_value(record)});
  if (name != "loss")
    return;
  if (std::exchange(goes_on_, false))
    loss.go_back_to(record.step);
  loss.add(record.step, record.batch, recorded_value(record));
}

} // namespace troupe
