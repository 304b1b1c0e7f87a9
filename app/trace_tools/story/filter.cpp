#include "app/trace_tools/story/filter.hpp"

#include "app/trace_tools/story/record_text.hpp"

#include <algorithm>
#include <cmath>
#include <fnmatch.h>
#include <tuple>

namespace troupe {

namespace {

/// Which numbers of a process's names match a pattern.
std::vector<bool> matches_of(const recorded_process& process, const std::string& pattern) {
  std::vector<bool> found;
  for (std::uint32_t number = 0; number < std::max<std::size_t>(process.names.size(), 1); ++number)
    found.push_back(fnmatch(pattern.c_str(), process.name(number).c_str(), 0) == 0);
  return found;
}

/// The options, with the names of one process as numbers.
class record_filter {
public:
  record_filter(const recorded_process& process, const filter_options& options)
    : process_(process), options_(options), actors_(matches_of(process, options.actor)),
      types_(matches_of(process, options.type)), any_actor_(options.actor == "*"), any_type_(options.type == "*") {}

  [[nodiscard]] bool matches(const trace_record& record) const {
    return (!options_.kind || record.kind == *options_.kind) && matches_names(record) && matches_ids(record)
           && matches_times(record) && (!options_.outcome || has_outcome(record, *options_.outcome));
  }

private:
  static bool has_outcome(const trace_record& record, trace_outcome outcome) {
    return (record.kind == trace_kind::message || record.kind == trace_kind::sample) && record.outcome == outcome;
  }

  static bool is_in(const std::vector<bool>& numbers, std::uint32_t number) {
    return numbers[number < numbers.size() ? number : 0];
  }

  [[nodiscard]] bool matches_names(const trace_record& record) const {
    const bool from = record.kind == trace_kind::message && record.sender != 0 && is_in(actors_, record.sender);
    return (any_actor_ || from || is_in(actors_, record.receiver)) && (any_type_ || is_in(types_, record.name));
  }

  [[nodiscard]] bool matches_ids(const trace_record& record) const {
    const auto is = [](const std::optional<std::uint64_t>& wanted, std::uint64_t id) {
      return !wanted || *wanted == id;
    };
    const bool is_sample = record.kind == trace_kind::sample; // Whose step and version are its epoch and slot.
    return is(options_.sample, record.sample) && is(options_.batch, record.batch)
           && is(options_.step, is_sample ? no_id : record.step)
           && is(options_.version, is_sample ? no_id : record.version);
  }

  [[nodiscard]] bool matches_times(const trace_record& record) const {
    const auto at_least = [](const std::optional<std::uint64_t>& least, std::optional<std::uint64_t> time) {
      return !least || (time && *time >= *least);
    };
    const auto at = static_cast<std::uint64_t>(std::max<std::int64_t>(record.enqueued_ns - process_.started_ns, 0));
    return at_least(options_.min_wait_ns, wait_of(record)) && at_least(options_.min_handling_ns, handling_of(record))
           && (!options_.after_ns || at >= *options_.after_ns) && (!options_.before_ns || at < *options_.before_ns);
  }

  const recorded_process& process_;
  const filter_options& options_;
  std::vector<bool> actors_;
  std::vector<bool> types_;
  bool any_actor_;
  bool any_type_;
};

/// What a record is sorted by: ascending. Nothing: it has no such size.
std::optional<double> rank_of(const trace_record& record, filter_order order) {
  const auto size = [](std::optional<std::uint64_t> x) {
    return x ? std::optional{-static_cast<double>(*x)} : std::nullopt;
  };
  switch (order) {
  case filter_order::time:
    return 0.0;
  case filter_order::wait:
    return size(wait_of(record));
  case filter_order::handling:
    return size(handling_of(record));
  case filter_order::bytes:
    return size(record.kind == trace_kind::spawn || record.kind == trace_kind::exit ? 0 : record.bytes);
  case filter_order::value:
    break;
  }
  if (record.kind != trace_kind::value)
    return std::nullopt;
  const auto value = recorded_value(record);
  return std::isnan(value) ? -HUGE_VAL : -value; // What is no number is what one looks for.
}

/// The best records so far: a heap with the worst on top.
class best_records {
public:
  explicit best_records(std::size_t limit) : limit_(limit) {}

  void offer(double rank, const filtered_record& record) {
    entry candidate{rank, record};
    if (limit_ == 0 || (heap_.size() == limit_ && !comes_before(candidate, heap_.front())))
      return;
    if (heap_.size() == limit_) {
      std::pop_heap(heap_.begin(), heap_.end(), comes_before);
      heap_.pop_back();
    }
    heap_.push_back(candidate);
    std::push_heap(heap_.begin(), heap_.end(), comes_before);
  }

  [[nodiscard]] std::vector<filtered_record> sorted() && {
    std::sort(heap_.begin(), heap_.end(), comes_before);
    std::vector<filtered_record> records;
    for (const auto& each : heap_)
      records.push_back(each.record);
    return records;
  }

private:
  struct entry {
    double rank = 0;
    filtered_record record;
  };

  static bool comes_before(const entry& a, const entry& b) {
    const auto key = [](const entry& x) {
      return std::tuple(x.rank, x.record.process, x.record.record.enqueued_ns, x.record.record.message);
    };
    return key(a) < key(b);
  }

  std::size_t limit_;
  std::vector<entry> heap_;
};

} // namespace

filter_result filter(const recorded_trace& trace, const filter_options& options) {
  filter_result result{&trace, options.order, {}, 0};
  best_records best{options.limit};
  for (std::size_t i = 0; i < trace.processes.size(); ++i) {
    const record_filter wanted{trace.processes[i], options};
    visit_records(trace.processes[i], [&](const trace_record& record) {
      if (!wanted.matches(record))
        return;
      const auto rank = rank_of(record, options.order);
      if (!rank)
        return;
      ++result.num_matches;
      best.offer(*rank, {i, record});
    });
  }
  result.records = std::move(best).sorted();
  return result;
}

} // namespace troupe
