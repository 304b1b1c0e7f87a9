#include "app/trace_tools/export/mermaid_writer.hpp"

#include "actors/support/figures.hpp"
#include "app/trace_tools/export/actor_order.hpp"
#include "app/trace_tools/export/text_forms.hpp"
#include "app/trace_tools/text/trace_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <map>
#include <string>
#include <vector>

namespace troupe {

namespace {

struct participant {
  std::uint32_t process = 0;
  std::uint32_t place = 0; ///< Among the actors.
  std::uint32_t name = 0;
  friend auto operator<=>(const participant&, const participant&) = default;
};

std::string ids_text(const trace_record& record) {
  std::string text;
  const auto add = [&](const char* name, std::uint64_t id) {
    if (id != no_id)
      text.append(" ").append(name).append(" ").append(std::to_string(id));
  };
  add("sample", record.sample);
  add("batch", record.batch);
  add("step", record.step);
  add("version", record.version);
  if (record.bytes != 0)
    text += " (" + bytes_text(static_cast<double>(record.bytes)) + ")";
  return text;
}

class mermaid_encoder {
public:
  mermaid_encoder(const recorded_trace& trace, byte_sink& sink)
    : trace_(trace), names_(trace, mermaid_text), places_(actor_places(trace)), text_(sink.text()) {}

  void write_heading(const record_selection& selection) {
    text_ += "sequenceDiagram\n";
    if (selection.num_kept < selection.num_messages)
      text_ += "  %% the newest " + count_text(selection.num_kept) + " of " + count_text(selection.num_messages)
               + " messages\n";
    for (const auto& [record, process] : selection.records) {
      if (record.kind == trace_kind::message)
        introduce(who(process, record.sender));
      if (record.kind == trace_kind::message || record.kind == trace_kind::mark)
        introduce(who(process, record.receiver));
    }
    std::size_t next = 0;
    for (auto& [each, number] : numbers_) {
      number = next++;
      text_ += fmt::format("  participant p{} as {}\n", number, alias_of(each));
    }
  }

  void write(const selected_record& selected) {
    const auto& [record, process] = selected;
    if (record.kind == trace_kind::mark)
      return write_note(who(process, record.receiver), names_.of(process, record.name) + ids_text(record));
    if (record.kind != trace_kind::message)
      return;
    const bool was_taken = record.dequeued_ns != 0 && record.ended_ns != 0;
    text_ += "  " + id_of(who(process, record.sender)) + (was_taken ? "->>" : "--x")
             + id_of(who(process, record.receiver)) + ": " + names_.of(process, record.name) + ids_text(record);
    if (record.outcome != trace_outcome::handled)
      text_ += std::string{" ("} + to_string(record.outcome) + ")";
    text_ += '\n';
    const auto wait = record.dequeued_ns - record.enqueued_ns;
    if (was_taken && wait >= long_wait_ns)
      write_note(who(process, record.receiver), "waited " + time_text(static_cast<std::uint64_t>(wait)));
  }

private:
  [[nodiscard]] participant who(std::uint32_t process, std::uint32_t name) const {
    return {process, name < places_[process].size() ? places_[process][name] : 0, name};
  }
  void introduce(const participant& x) { numbers_.emplace(x, 0); }
  [[nodiscard]] std::string id_of(const participant& x) const { return fmt::format("p{}", numbers_.at(x)); }

  [[nodiscard]] std::string alias_of(const participant& x) const {
    auto alias = x.name == 0 ? std::string{"(no actor)"} : names_.of(x.process, x.name);
    if (trace_.processes.size() > 1)
      alias += " of process " + std::to_string(x.process + 1);
    return alias;
  }

  void write_note(const participant& over, const std::string& text) {
    text_ += "  Note over " + id_of(over) + ": " + text + '\n';
  }

  const recorded_trace& trace_;
  formed_names names_;
  std::vector<std::vector<std::uint32_t>> places_;
  std::string& text_;
  std::map<participant, std::size_t> numbers_; ///< In the order in which they stand.
};

} // namespace

double write_mermaid(const recorded_trace& trace, const record_selection& selection, byte_sink& sink) {
  mermaid_encoder encoder{trace, sink};
  encoder.write_heading(selection);
  auto records = selection.records;
  std::stable_sort(records.begin(), records.end(),
                   [](const auto& a, const auto& b) { return a.record.enqueued_ns < b.record.enqueued_ns; });
  return write_while_it_fits(records, sink, [&](const auto& record) { encoder.write(record); });
}

} // namespace troupe
