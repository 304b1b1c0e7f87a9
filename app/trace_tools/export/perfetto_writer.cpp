#include "app/trace_tools/export/perfetto_writer.hpp"

#include "app/trace_tools/export/actor_order.hpp"
#include "app/trace_tools/export/annotations.hpp"
#include "app/trace_tools/export/perfetto_fields.hpp"
#include "app/trace_tools/export/proto_fields.hpp"
#include "app/trace_tools/export/text_forms.hpp"
#include "app/trace_tools/text/trace_text.hpp"

#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace troupe {

namespace {

namespace fields = perfetto;
using namespace proto;

constexpr std::uint32_t sequence = 1;
constexpr std::array<std::string_view, 5> queue_and_depth_names = {"", "queue", "", "mailbox", ""};

class perfetto_encoder {
public:
  perfetto_encoder(const timeline& line, byte_sink& sink)
    : line_(line), names_(*line.trace, utf8_text), places_(actor_places(*line.trace)), sink_(sink) {}

  double write() {
    write_names();
    write_processes();
    write_tracks();
    return write_while_it_fits(line_.events, sink_, [this](const auto& event) { write(event); });
  }

private:
  /// Texts that stand in the file once and have a number from then on.
  void write_names() {
    std::string interned;
    const auto put = [&](std::uint32_t field, std::uint64_t iid, std::string_view name) {
      inner_.clear();
      put_number(inner_, fields::interned::iid, iid);
      put_bytes(inner_, fields::interned::name, name);
      put_bytes(interned, field, inner_);
    };
    for (std::size_t i = 0; i < event_categories.size(); ++i)
      put(fields::interned::categories, i + 1, event_categories[i]);
    for (std::size_t i = 0; i < annotation_names.size(); ++i)
      put(fields::interned::annotation_names, i + 1, annotation_names[i]);
    std::set<std::pair<std::uint32_t, std::uint32_t>> used;
    for (const auto& [record, process] : line_.records)
      used.emplace(process, record.name);
    for (const auto& [process, name] : used)
      put(fields::interned::event_names, name_iid(process, name), names_.of(process, name));
    packet_.clear();
    put_number(packet_, fields::packet::sequence_id, sequence);
    put_number(packet_, fields::packet::sequence_flags, fields::state_cleared | fields::needs_state);
    put_bytes(packet_, fields::packet::interned_data, interned);
    put_bytes(sink_.text(), fields::trace_packet, packet_);
  }

  static std::uint64_t name_iid(std::uint32_t process, std::uint32_t name) {
    return std::uint64_t{process} << 16 | (name + 1);
  }

  void write_processes() {
    const auto& processes = line_.trace->processes;
    for (std::uint32_t i = 0; i < processes.size(); ++i) {
      inner_.clear();
      put_number(inner_, fields::process_descriptor::pid, i + 1);
      put_bytes(inner_, fields::process_descriptor::name,
                utf8_text("troupe " + std::to_string(processes[i].pid) + " on " + processes[i].host));
      std::string track;
      put_number(track, fields::track_descriptor::uuid, process_uuid(i));
      put_bytes(track, fields::track_descriptor::process, inner_);
      put_number(track, fields::track_descriptor::child_ordering, fields::track_descriptor::explicit_order);
      write_descriptor(track);
    }
  }

  static std::uint64_t process_uuid(std::uint32_t process) { return process + 1; }

  void write_tracks() {
    std::set<timeline_track> tracks;
    for (const auto& event : line_.events) {
      const auto track = line_.track_of(event);
      tracks.insert(track);
      tracks.insert({track.process, track.actor, track_kind::handling, 0, 0}); // The one that the others lie below.
    }
    for (const auto& track : tracks) {
      uuids_.emplace(track, line_.trace->processes.size() + uuids_.size() + 1);
      write_track(track);
    }
  }

  void write_track(const timeline_track& track) {
    const bool is_actor = track.kind == track_kind::handling;
    const bool has_own_name = track.kind == track_kind::span || track.kind == track_kind::value;
    std::string descriptor;
    put_number(descriptor, fields::track_descriptor::uuid, uuids_.at(track));
    put_number(descriptor, fields::track_descriptor::parent_uuid,
               is_actor ? process_uuid(track.process)
                        : uuids_.at({track.process, track.actor, track_kind::handling, 0, 0}));
    put_bytes(descriptor, fields::track_descriptor::name,
              is_actor       ? names_.of(track.process, track.actor)
              : has_own_name ? names_.of(track.process, track.name)
                             : queue_and_depth_names[static_cast<std::size_t>(track.kind)]);
    if (is_actor)
      put_number(descriptor, fields::track_descriptor::sibling_order_rank, places_[track.process][track.actor]);
    if (track.kind == track_kind::depth || track.kind == track_kind::value) {
      inner_.clear();
      if (track.kind == track_kind::depth)
        put_number(inner_, fields::counter_descriptor::unit, fields::counter_descriptor::unit_count);
      put_bytes(descriptor, fields::track_descriptor::counter, inner_);
    }
    write_descriptor(descriptor);
  }

  void write_descriptor(std::string_view descriptor) {
    packet_.clear();
    put_number(packet_, fields::packet::sequence_id, sequence);
    put_bytes(packet_, fields::packet::track_descriptor, descriptor);
    put_bytes(sink_.text(), fields::trace_packet, packet_);
  }

  void write(const timeline_event& event) {
    const auto track = line_.track_of(event);
    const auto uuid = uuids_.at(track);
    if (is_slice(event.kind)) {
      begin_event(fields::track_event::slice_begin, uuid);
      write_details(event, track);
      end_event(event.at_ns);
      begin_event(fields::track_event::slice_end, uuid);
      end_event(event.at_ns + event.extent);
    } else if (is_instant(event.kind)) {
      begin_event(fields::track_event::instant, uuid);
      write_details(event, track);
      end_event(event.at_ns);
    } else {
      begin_event(fields::track_event::counter, uuid);
      if (event.kind == event_kind::depth)
        put_number(event_, fields::track_event::counter_value, static_cast<std::uint64_t>(event.extent));
      else
        put_double(event_, fields::track_event::double_counter_value, recorded_value(line_.record_of(event)));
      end_event(event.at_ns);
    }
  }

  void begin_event(fields::track_event::kind kind, std::uint64_t track_uuid) {
    event_.clear();
    put_number(event_, fields::track_event::type, kind);
    put_number(event_, fields::track_event::track_uuid, track_uuid);
  }

  void end_event(std::int64_t at_ns) {
    packet_.clear();
    put_number(packet_, fields::packet::timestamp, static_cast<std::uint64_t>(at_ns));
    put_number(packet_, fields::packet::sequence_id, sequence);
    put_bytes(packet_, fields::packet::track_event, event_);
    put_number(packet_, fields::packet::sequence_flags, fields::needs_state);
    put_bytes(sink_.text(), fields::trace_packet, packet_);
  }

  void write_details(const timeline_event& event, const timeline_track& track) {
    put_number(event_, fields::track_event::category_iid, static_cast<std::uint64_t>(event.kind) + 1);
    const auto special = line_.special_label(event);
    if (special.empty())
      put_number(event_, fields::track_event::name_iid, name_iid(track.process, line_.record_of(event).name));
    else
      put_bytes(event_, fields::track_event::name, utf8_text(special));
    for (const auto& each : annotations{event, line_.record_of(event)})
      write_annotation(each, track.process);
    if (event.kind != event_kind::handling)
      return;
    for (const auto& flow : line_.flows_from(event))
      put_fixed64(event_, fields::track_event::flow_ids, flow.id);
    for (const auto& flow : line_.flows_to(event))
      put_fixed64(event_, fields::track_event::terminating_flow_ids, flow.id);
  }

  void write_annotation(const annotation& each, std::uint32_t process) {
    inner_.clear();
    put_number(inner_, fields::annotation::name_iid, static_cast<std::uint64_t>(each.key) + 1);
    switch (each.key) {
    case annotation_key::from:
      put_bytes(inner_, fields::annotation::string_value, names_.of(process, static_cast<std::uint32_t>(each.number)));
      break;
    case annotation_key::wait_us:
      put_double(inner_, fields::annotation::double_value, static_cast<double>(each.number) / 1000);
      break;
    case annotation_key::outcome:
      put_bytes(inner_, fields::annotation::string_value, to_string(static_cast<trace_outcome>(each.number)));
      break;
    case annotation_key::pixel_hash:
      put_bytes(inner_, fields::annotation::string_value, hash_text(each.number));
      break;
    default:
      put_number(inner_, fields::annotation::uint_value, each.number);
    }
    put_bytes(event_, fields::track_event::annotations, inner_);
  }

  const timeline& line_;
  formed_names names_;
  std::vector<std::vector<std::uint32_t>> places_;
  byte_sink& sink_;
  std::map<timeline_track, std::uint64_t> uuids_;
  std::string packet_; // Reused: one at a time is being made.
  std::string event_;
  std::string inner_;
};

} // namespace

double write_perfetto(const timeline& line, byte_sink& sink) {
  return perfetto_encoder{line, sink}.write();
}

} // namespace troupe
