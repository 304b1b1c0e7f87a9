#include "app/trace_tools/story/lost_messages.hpp"
#include "app/trace_tools/story/record_text.hpp"
#include "app/trace_tools/story/run_names.hpp"

#include <algorithm>
#include <bit>
#include <set>
#include <unordered_map>

namespace troupe {

namespace {

/// Samples of epochs, each once, in little memory where they lie densely.
class sample_set {
public:
  void insert(std::uint64_t epoch, std::uint64_t sample) {
    words_[epoch][sample / 64] |= std::uint64_t{1} << (sample % 64);
  }

  [[nodiscard]] std::uint64_t size() const {
    std::uint64_t total = 0;
    for (const auto& [epoch, words] : words_)
      for (const auto& [place, word] : words)
        total += static_cast<std::uint64_t>(std::popcount(word));
    return total;
  }

private:
  std::unordered_map<std::uint64_t, std::unordered_map<std::uint64_t, std::uint64_t>> words_;
};

/// Samples of the batches that were trained on. One that was made for two batches of an epoch was trained in one of them.
struct sample_tally {
  std::uint64_t made = 0;
  sample_set trained;
  sample_set bad;

  void take(const recorded_process& process) {
    const run_names names{process};
    std::set<std::uint64_t> batches;
    visit_records(process, [&](const trace_record& record) {
      if (record.kind == trace_kind::span && record.name == names.trains)
        batches.insert(record.batch);
    });
    visit_records(process, [&](const trace_record& record) {
      if (record.kind != trace_kind::sample || names.of_validation(record.receiver))
        return;
      ++made;
      if (batches.contains(record.batch))
        (record.outcome == trace_outcome::handled ? trained : bad).insert(to_sample(record).epoch, record.sample);
    });
  }
};

book_check compare(std::size_t process, const char* what, std::uint64_t found, std::uint64_t told) {
  return {process, what, std::to_string(found) + " = " + std::to_string(told), found == told, {}};
}

} // namespace

void check_samples(const recorded_trace& trace, const run_books& books, std::vector<book_check>& out) {
  const auto& processes = trace.processes;
  // summary.json is written at the end: without that, it is of an earlier process.
  if (processes.empty() || !std::all_of(processes.begin(), processes.end(), has_all_records)
      || processes.back().state != process_state::finished)
    return;
  sample_tally tally;
  for (const auto& process : processes)
    tally.take(process);
  if (tally.made == 0)
    return;
  const auto last = processes.size() - 1;
  auto trained = compare(last, "samples of the batches trained on, each once an epoch = trained (summary.json)",
                         tally.trained.size(), books.samples_trained);
  if (const auto once = tally.trained.size() + tally.bad.size(); tally.made > once)
    trained.note = std::to_string(tally.made - once)
                   + " more were made: for two batches, for batches not trained on, or again after a resume";
  out.push_back(std::move(trained));
  out.push_back(compare(last, "samples of these batches that could not be made = skipped (summary.json)",
                        tally.bad.size(), books.samples_skipped));
}

} // namespace troupe
