#include "app/trace_tools/export/csv_writer.hpp"

#include "app/trace_tools/export/text_forms.hpp"
#include "app/trace_tools/text/trace_text.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <array>
#include <iterator>
#include <string>
#include <string_view>

namespace troupe {

namespace {

constexpr std::string_view headings = "process,kind,name,sender,receiver,outcome,enqueued_ns,dequeued_ns,ended_ns,"
                                      "wait_ns,handling_ns,message,cause,root,sample,batch,step,version,bytes,flags,"
                                      "value,epoch,slot,pixel_hash,caf_id\n";
constexpr std::array<std::string_view, num_trace_kinds> kinds = {"message", "link", "mark",  "spawn",
                                                                 "exit",    "span", "value", "sample"};

class csv_encoder {
public:
  csv_encoder(const recorded_trace& trace, byte_sink& sink)
    : trace_(trace), names_(trace, csv_text), text_(sink.text()) {}

  void write(const selected_record& selected) {
    const auto& [record, process] = selected;
    const bool is_message = record.kind == trace_kind::message;
    const bool has_name = record.kind != trace_kind::link && record.kind != trace_kind::spawn;
    put(trace_.processes[process].id);
    put(kinds[static_cast<std::size_t>(record.kind)]);
    put(has_name ? names_.of(process, record.name) : std::string_view{});
    put(record.sender != 0 ? names_.of(process, record.sender) : std::string_view{});
    put(names_.of(process, record.receiver));
    put(is_message || record.kind == trace_kind::sample ? to_string(record.outcome) : std::string_view{});
    put_times(record);
    put_unless(0, record.message);
    put_unless(0, is_message || record.kind == trace_kind::link ? record.cause : 0);
    put_unless(0, record.root);
    put_subject(record);
    text_.back() = '\n';
  }

private:
  void put(std::string_view cell) {
    text_ += cell;
    text_ += ',';
  }
  template <class T>
  void put_number(T number) {
    fmt::format_to(std::back_inserter(text_), FMT_COMPILE("{},"), number);
  }
  void put_unless(std::uint64_t none, std::uint64_t number) {
    if (number == none)
      put({});
    else
      put_number(number);
  }
  void put_time(std::int64_t ns) { put_unless(0, static_cast<std::uint64_t>(ns)); }

  void put_times(const trace_record& record) {
    put_time(record.enqueued_ns);
    put_time(record.dequeued_ns);
    put_time(record.ended_ns);
    if (record.kind == trace_kind::message && record.dequeued_ns != 0)
      put_number(record.dequeued_ns - record.enqueued_ns);
    else
      put({});
    if (record.dequeued_ns != 0 && record.ended_ns != 0)
      put_number(record.ended_ns - record.dequeued_ns);
    else
      put({});
  }

  /// The ids, and what only some kinds have.
  void put_subject(const trace_record& record) {
    const bool is_sample = record.kind == trace_kind::sample;
    const bool is_life = record.kind == trace_kind::spawn || record.kind == trace_kind::exit;
    put_unless(no_id, record.sample);
    put_unless(no_id, record.batch);
    put_unless(no_id, is_sample ? no_id : record.step);
    put_unless(no_id, is_sample ? no_id : record.version);
    put_unless(0, is_life ? 0 : record.bytes);
    put_flags(record.flags);
    if (record.kind == trace_kind::value)
      put_number(recorded_value(record));
    else
      put({});
    put_unless(no_id, is_sample ? record.step : no_id);
    put_unless(no_id, is_sample ? record.version : no_id);
    put(is_sample ? hash_text(record.cause) : std::string{});
    put_unless(0, is_life ? record.bytes : 0);
  }

  void put_flags(std::uint8_t flags) {
    std::string_view separator;
    for (const auto& [flag, name] :
         {std::pair{trace_request, "request"}, {trace_response, "response"}, {trace_urgent, "urgent"}})
      if ((flags & flag) != 0) {
        text_ += separator;
        text_ += name;
        separator = "+";
      }
    put({});
  }

  const recorded_trace& trace_;
  formed_names names_;
  std::string& text_;
};

} // namespace

double write_csv(const recorded_trace& trace, const std::vector<selected_record>& records, byte_sink& sink) {
  sink.text() += headings;
  csv_encoder encoder{trace, sink};
  return write_while_it_fits(records, sink, [&](const auto& record) { encoder.write(record); });
}

} // namespace troupe
