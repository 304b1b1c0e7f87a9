#include "app/trace_tools/export/trace_export.hpp"

#include "actors/support/figures.hpp"
#include "app/trace_tools/export/chrome_writer.hpp"
#include "app/trace_tools/export/csv_writer.hpp"
#include "app/trace_tools/export/mermaid_writer.hpp"
#include "app/trace_tools/export/perfetto_writer.hpp"
#include "app/trace_tools/text/trace_text.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <ostream>

namespace troupe {

namespace {

bool counts_arrows(const export_options& options) {
  return options.format == export_format::mermaid && !options.filter.last;
}

std::uint64_t room_of(const export_options& options) {
  return options.format == export_format::mermaid ? std::min(options.max_bytes, max_mermaid_bytes) : options.max_bytes;
}

/// Fewer bytes than what a record takes in the file, as a rule: no more records are read into memory than have a chance.
std::uint64_t least_cost(const export_options& options, const trace_record& record) {
  const bool is_message = record.kind == trace_kind::message;
  switch (options.format) {
  case export_format::chrome:
    return is_message ? 400 : 80;
  case export_format::perfetto:
    return is_message ? 120 : 30;
  case export_format::csv:
    return 60;
  case export_format::mermaid:
    break;
  }
  if (!is_message && record.kind != trace_kind::mark)
    return 0;
  return counts_arrows(options) ? 1 : 12;
}

record_selection select(const recorded_trace& trace, const export_options& options) {
  return select_records(trace, options.filter, counts_arrows(options) ? options.max_arrows : room_of(options),
                        [&](const trace_record& record) { return least_cost(options, record); });
}

/// Encodes a selection, as often as is necessary.
class encoding {
public:
  encoding(const recorded_trace& trace, const export_options& options, const record_selection& selection)
    : trace_(trace), options_(options), selection_(selection) {
    if (options.format == export_format::chrome || options.format == export_format::perfetto)
      line_ = make_timeline(trace, selection.records, actor_filter{trace, options.filter.actors});
  }

  double write(byte_sink& sink) const {
    switch (options_.format) {
    case export_format::chrome:
      return write_chrome(*line_, sink);
    case export_format::perfetto:
      return write_perfetto(*line_, sink);
    case export_format::mermaid:
      return write_mermaid(trace_, selection_, sink);
    case export_format::csv:
      return write_csv(trace_, selection_.records, sink);
    }
    return 1;
  }

private:
  const recorded_trace& trace_;
  const export_options& options_;
  const record_selection& selection_;
  std::optional<timeline> line_;
};

} // namespace

expected<export_report> export_trace(const recorded_trace& trace, const export_options& options, std::ostream& out) {
  const auto room = room_of(options);
  auto selection = select(trace, options);
  while (true) {
    const encoding encoded{trace, options, selection};
    byte_sink counter{nullptr, room};
    const auto share = encoded.write(counter);
    if (!counter.is_over()) {
      byte_sink sink{&out, std::numeric_limits<std::uint64_t>::max()};
      encoded.write(sink);
      return export_report{selection.num_kept, selection.num_messages, sink.num_bytes()};
    }
    if (selection.records.empty())
      return failure{ec::bad_config,
                     "trace export: the names alone take more than " + bytes_text(static_cast<double>(room))};
    // A little less than would fit if all records were equally large.
    selection.keep_newest(static_cast<std::size_t>(static_cast<double>(selection.records.size()) * share * 0.95));
  }
}

std::vector<std::string> losses(const recorded_trace& trace, const export_options& options,
                                const export_report& report) {
  std::vector<std::string> sentences;
  const auto left_out = report.num_selected - report.num_messages;
  if (left_out != 0) {
    const auto room = counts_arrows(options) ? std::to_string(options.max_arrows) + " arrows"
                                             : bytes_text(static_cast<double>(room_of(options)));
    sentences.push_back("cut: the oldest " + count_text(left_out) + " of " + count_text(report.num_selected)
                        + " messages did not fit into " + room + "; --last 10s or --actor narrows it");
  }
  std::uint64_t deleted = 0;
  bool is_full = true;
  for (const auto& process : trace.processes) {
    deleted += process.cut;
    is_full = is_full && process.full;
  }
  if (trace.dropped() != 0)
    sentences.push_back("dropped: " + count_text(trace.dropped()) + " records found no room while the run went on");
  if (deleted != 0)
    sentences.push_back("deleted: " + count_text(deleted) + " records went with the oldest trace files");
  if (!is_full)
    sentences.push_back("only the newest records are kept with trace.mode: flight; set trace.mode: full");
  return sentences;
}

} // namespace troupe
