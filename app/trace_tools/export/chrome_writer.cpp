#include "app/trace_tools/export/chrome_writer.hpp"

#include "app/trace_tools/export/actor_order.hpp"
#include "app/trace_tools/export/annotations.hpp"
#include "app/trace_tools/export/text_forms.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

namespace {

/// Lanes of one actor lie so far apart.
constexpr std::uint32_t tids_per_lane = 8192;

/// Microseconds with three decimals.
struct microseconds {
  std::int64_t ns;
};

constexpr std::string_view category_of(event_kind kind) {
  return event_categories[static_cast<std::size_t>(kind)];
}

class chrome_encoder {
public:
  chrome_encoder(const timeline& line, byte_sink& sink)
    : line_(line), names_(*line.trace, json_text), places_(actor_places(*line.trace)), sink_(sink), text_(sink.text()) {
  }

  double write() {
    write_processes();
    write_threads();
    const auto share = write_while_it_fits(line_.events, sink_, [this](const auto& event) { write(event); });
    if (sink_.is_over())
      return share;
    text_ += "\n]\n";
    return 1;
  }

private:
  template <class Format, class... Ts>
  void print(const Format& format, const Ts&... args) {
    fmt::format_to(std::back_inserter(text_), format, args...);
  }
  void print(microseconds x) { print(FMT_COMPILE("{}.{:03}"), x.ns / 1000, x.ns % 1000); }

  void begin_event() {
    text_ += is_first_ ? "[" : ",\n";
    is_first_ = false;
  }

  void write_processes() {
    const auto& processes = line_.trace->processes;
    for (std::size_t i = 0; i < processes.size(); ++i) {
      const auto name = json_text("troupe " + std::to_string(processes[i].pid) + " on " + processes[i].host);
      begin_event();
      print(FMT_COMPILE(R"({{"ph":"M","name":"process_name","pid":{},"args":{{"name":{}}}}})"), i + 1, name);
    }
  }

  /// Names the tracks that are used.
  void write_threads() {
    std::set<timeline_track> tracks;
    for (const auto& event : line_.events)
      if (const auto track = line_.track_of(event); track.kind == track_kind::handling)
        tracks.insert(track);
    for (const auto& track : tracks) {
      begin_event();
      print(FMT_COMPILE(R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":{}}}}})"),
            track.process + 1, tid_of(track), names_.of(track.process, track.actor));
      begin_event();
      print(FMT_COMPILE(R"({{"ph":"M","name":"thread_sort_index","pid":{},"tid":{},"args":{{"sort_index":{}}}}})"),
            track.process + 1, tid_of(track), places_[track.process][track.actor]);
    }
  }

  static std::uint32_t tid_of(const timeline_track& track) { return track.actor + 1 + track.lane * tids_per_lane; }

  void write(const timeline_event& event) {
    const auto track = line_.track_of(event);
    switch (event.kind) {
    case event_kind::handling:
      write_slice(event, track);
      return write_flows(event, track);
    case event_kind::sample:
      return write_slice(event, track);
    case event_kind::span:
    case event_kind::wait:
      return write_async(event, track);
    case event_kind::mark:
    case event_kind::unhandled:
      return write_instant(event, track);
    case event_kind::depth:
    case event_kind::value:
      return write_counter(event, track);
    }
  }

  /// Begins an event, up to and with its time.
  void write_head(std::string_view phase, const timeline_event& event, const timeline_track& track,
                  std::int64_t at_ns) {
    begin_event();
    print(FMT_COMPILE(R"({{"ph":"{}","cat":"{}","pid":{},"tid":{},"ts":)"), phase, category_of(event.kind),
          track.process + 1, tid_of({track.process, track.actor, track_kind::handling, 0, 0}));
    print(microseconds{at_ns});
  }

  void write_name(const timeline_event& event, const timeline_track& track) {
    const auto special = line_.special_label(event);
    print(FMT_COMPILE(R"(,"name":{})"),
          special.empty() ? names_.of(track.process, line_.record_of(event).name) : json_text(special));
  }

  void write_slice(const timeline_event& event, const timeline_track& track) {
    begin_event();
    print(FMT_COMPILE(R"({{"ph":"X","cat":"{}","pid":{},"tid":{},"ts":)"), category_of(event.kind), track.process + 1,
          tid_of(track));
    print(microseconds{event.at_ns});
    text_ += R"(,"dur":)";
    print(microseconds{event.extent});
    write_name(event, track);
    write_args(event, track);
  }

  /// The two ends of one slice that may overlap others: all that never overlap share an id.
  void write_async(const timeline_event& event, const timeline_track& track) {
    const auto id = async_id(track);
    write_head("b", event, track, event.at_ns);
    print(FMT_COMPILE(R"(,"id":"{:#x}")"), id);
    write_name(event, track);
    write_args(event, track);
    write_head("e", event, track, event.at_ns + event.extent);
    print(FMT_COMPILE(R"(,"id":"{:#x}")"), id);
    write_name(event, track);
    text_ += '}';
  }

  /// Different for each queue and kind of span, and each lane of them.
  static std::uint64_t async_id(const timeline_track& track) {
    return std::uint64_t{track.process + 1} << 52 | std::uint64_t{track.actor} << 36 | std::uint64_t{track.name} << 20
           | track.lane;
  }

  void write_instant(const timeline_event& event, const timeline_track& track) {
    write_head("i", event, track, event.at_ns);
    text_ += R"(,"s":"t")";
    write_name(event, track);
    write_args(event, track);
  }

  void write_counter(const timeline_event& event, const timeline_track& track) {
    const auto& record = line_.record_of(event);
    const auto& process = line_.process_of(event);
    const bool is_depth = event.kind == event_kind::depth;
    write_head("C", event, track, event.at_ns);
    const auto name = json_text(process.name(track.actor) + ": " + (is_depth ? "mailbox" : process.name(record.name)));
    if (is_depth)
      print(FMT_COMPILE(R"(,"name":{},"args":{{"messages":{}}}}})"), name, event.extent);
    else
      print(FMT_COMPILE(R"(,"name":{},"args":{{"value":{}}}}})"), name, recorded_value(record));
  }

  /// Readers tie an end of an arrow to the slice that began last on its track, even if that is over: so both ends are
  /// told at the begin of their slices, before there are samples in them.
  void write_flows(const timeline_event& event, const timeline_track& track) {
    for (const auto& flow : line_.flows_from(event))
      write_flow("s", event.at_ns, flow.id, track);
    for (const auto& flow : line_.flows_to(event))
      write_flow("f", event.at_ns, flow.id, track);
  }

  void write_flow(std::string_view phase, std::int64_t at_ns, std::uint64_t id, const timeline_track& track) {
    begin_event();
    print(FMT_COMPILE(R"({{"ph":"{}","cat":"flow","name":"sent","id":"{:#x}","pid":{},"tid":{},"ts":)"), phase, id,
          track.process + 1, tid_of(track));
    print(microseconds{at_ns});
    text_ += phase == "f" ? R"(,"bp":"e"})" : "}";
  }

  /// Ends the event.
  void write_args(const timeline_event& event, const timeline_track& track) {
    std::string_view separator = R"(,"args":{)";
    for (const auto& each : annotations{event, line_.record_of(event)}) {
      print(FMT_COMPILE(R"({}"{}":)"), separator, annotation_names[static_cast<std::size_t>(each.key)]);
      write_value(each, track.process);
      separator = ",";
    }
    text_ += separator == "," ? "}}" : "}";
  }

  void write_value(const annotation& each, std::uint32_t process) {
    switch (each.key) {
    case annotation_key::from:
      text_ += names_.of(process, static_cast<std::uint32_t>(each.number));
      return;
    case annotation_key::wait_us:
      return print(microseconds{static_cast<std::int64_t>(each.number)});
    case annotation_key::outcome:
      return print(FMT_COMPILE(R"("{}")"), to_string(static_cast<trace_outcome>(each.number)));
    case annotation_key::pixel_hash:
      return print(FMT_COMPILE(R"("{:#018x}")"), each.number);
    default:
      return print(FMT_COMPILE("{}"), each.number);
    }
  }

  const timeline& line_;
  formed_names names_;
  std::vector<std::vector<std::uint32_t>> places_;
  byte_sink& sink_;
  std::string& text_;
  bool is_first_ = true;
};

} // namespace

double write_chrome(const timeline& line, byte_sink& sink) {
  return chrome_encoder{line, sink}.write();
}

} // namespace troupe
