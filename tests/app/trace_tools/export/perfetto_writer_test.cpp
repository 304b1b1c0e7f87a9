#include "app/trace_tools/export/proto_fields.hpp"
#include "tests/app/trace_tools/export/proto_decoder.hpp"
#include "tests/app/trace_tools/export/trace_builder.hpp"

#include <bit>
#include <map>
#include <string>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

/// What of a file the tests look at, with the names put in.
struct decoded_event {
  std::uint64_t at_ns = 0;
  std::uint64_t type = 0;
  std::string track; ///< "trainer", "trainer/queue"
  std::string name;
  std::string category;
  std::map<std::string, std::string> annotations;
  std::vector<std::uint64_t> flows_from;
  std::vector<std::uint64_t> flows_to;
  double counter = 0;
};

using names = std::map<std::uint64_t, std::string>;

names interned(const proto_message& packet, std::uint32_t field) {
  names result;
  const auto names_of_packet = packet.one(12).message();
  for (const auto& entry : names_of_packet.all(field))
    result[entry.message().one(1).number] = entry.message().one(2).bytes;
  return result;
}

std::string text_of(const proto_message& annotation) {
  if (annotation.has(3))
    return std::to_string(annotation.one(3).number);
  return annotation.has(5) ? std::to_string(annotation.one(5).real()) : annotation.one(6).bytes;
}

class file_decoder {
public:
  explicit file_decoder(const std::string& file) {
    const auto trace = decode_proto(file);
    for (const auto& packet : trace.all(1))
      take(packet.message());
  }

  std::vector<decoded_event> events;
  names tracks;

private:
  void take(const proto_message& packet) {
    CHECK(packet.one(10).number == 1);
    if (packet.has(12)) {
      categories_ = interned(packet, 1);
      event_names_ = interned(packet, 2);
      annotation_names_ = interned(packet, 3);
    } else if (packet.has(60)) {
      const auto track = packet.one(60).message();
      const auto parent = track.has(5) ? tracks.at(track.one(5).number) : std::string{};
      const auto name = track.has(3) ? std::string{} : track.one(2).bytes;
      tracks[track.one(1).number] = parent.empty() ? name : parent + "/" + name;
    } else {
      take_event(packet);
    }
  }

  void take_event(const proto_message& packet) {
    const auto event = packet.one(11).message();
    decoded_event result;
    result.at_ns = packet.one(8).number;
    result.type = event.one(9).number;
    result.track = tracks.at(event.one(11).number);
    if (event.has(10))
      result.name = event_names_.at(event.one(10).number);
    if (event.has(23))
      result.name = event.one(23).bytes;
    if (event.has(3))
      result.category = categories_.at(event.one(3).number);
    for (const auto& each : event.all(4))
      result.annotations[annotation_names_.at(each.message().one(1).number)] = text_of(each.message());
    for (const auto& each : event.all(47))
      result.flows_from.push_back(each.number);
    for (const auto& each : event.all(48))
      result.flows_to.push_back(each.number);
    if (event.has(30))
      result.counter = static_cast<double>(event.one(30).number);
    if (event.has(44))
      result.counter = event.one(44).real();
    events.push_back(result);
  }

  names categories_;
  names event_names_;
  names annotation_names_;
};

std::vector<decoded_event> events_of(const recorded_trace& trace) {
  return file_decoder{export_text(trace, {.format = export_format::perfetto, .filter = {}}).text}.events;
}

std::string hex(std::string_view bytes) {
  std::string result;
  for (const unsigned char byte : bytes) {
    result += "0123456789abcdef"[byte >> 4];
    result += "0123456789abcdef"[byte & 15];
  }
  return result;
}

} // namespace

TEST_SUITE_BEGIN("app/trace_tools/export");

TEST_CASE("fields of Protocol Buffers have the bytes that their description says") {
  std::string text;
  proto::put_number(text, 8, 1000);
  proto::put_bytes(text, 23, "train_step");
  proto::put_fixed64(text, 47, 42);
  proto::put_double(text, 44, 1);
  CHECK(hex(text) == "40e807ba010a747261696e5f73746570f9022a00000000000000e102000000000000f03f");
}

TEST_CASE("a message is a slice on its actor's track and one on the queue below it") {
  trace_builder builder;
  auto message = builder.message(5, "chunk_ready", "loader", "augmenter#0", 10 * us, 3 * us + 100, 5 * us);
  message.sample = 7;
  message.bytes = 812;
  message.outcome = trace_outcome::threw;
  builder.put(message);
  const auto events = events_of(builder.finish(100 * us));
  REQUIRE(events.size() == 6);
  CHECK(events[0].track == "augmenter#0/queue");
  CHECK(events[0].type == 1);
  CHECK(events[0].at_ns == 10000);
  CHECK(events[1].type == 2);
  CHECK(events[1].at_ns == 13100);
  CHECK(events[2].track == "augmenter#0/mailbox");
  CHECK(events[2].counter == 1);
  const auto& slice = events[3];
  CHECK(slice.track == "augmenter#0");
  CHECK(slice.name == "chunk_ready");
  CHECK(slice.category == "message");
  CHECK(slice.at_ns == 13100);
  CHECK(events[4].type == 2);
  CHECK(events[4].at_ns == 18100);
  using annotations = std::map<std::string, std::string>;
  CHECK(slice.annotations
        == annotations{{"message", "5"},
                       {"from", "loader"},
                       {"sample", "7"},
                       {"bytes", "812"},
                       {"wait_us", "3.100000"},
                       {"outcome", "threw"}});
}

TEST_CASE("arrows begin at the message being handled and end at what it caused") {
  trace_builder builder;
  builder.put(builder.message(2, "batch_ready", "collator", "trainer", 5 * us, 1 * us, 9 * us));
  builder.put(builder.message(3, "snapshot", "trainer", "saver", 7 * us, 1 * us, 2 * us, 2));
  builder.put(builder.message(4, "step_completed", "trainer", "logger", 8 * us, 1 * us, 2 * us, 2));
  std::vector<std::uint64_t> from;
  std::vector<std::uint64_t> to;
  for (const auto& event : events_of(builder.finish(100 * us))) {
    from.insert(from.end(), event.flows_from.begin(), event.flows_from.end());
    to.insert(to.end(), event.flows_to.begin(), event.flows_to.end());
  }
  CHECK(from == std::vector<std::uint64_t>{3, 4});
  CHECK(to == std::vector<std::uint64_t>{3, 4});
}

TEST_CASE("on every track slices begin and end in pairs, in time, and no two overlap by halves") {
  trace_builder builder;
  for (std::uint64_t i = 1; i < 200; ++i) // Up to seven wait at a time, with a time of many in common.
    builder.put(builder.message(i, "m", "x", "y", static_cast<std::int64_t>(i) * 10, 10 * static_cast<int>(i % 7), 25));
  std::map<std::string, std::size_t> queues;
  const file_decoder file{
    export_text(builder.finish(100 * us), {.format = export_format::perfetto, .filter = {}}).text};
  for (const auto& [uuid, name] : file.tracks)
    ++queues[name];
  CHECK(queues["y/queue"] > 1);
  CHECK(queues["y/queue"] < 8);
  CHECK(queues["y"] > 1); // The test lets one actor handle several at a time.
  std::size_t num_slices = 0;
  for (std::size_t i = 0; i < file.events.size(); ++i)
    if (file.events[i].type == 1) {
      REQUIRE(file.events[i + 1].type == 2);
      CHECK(file.events[i + 1].track == file.events[i].track);
      CHECK(file.events[i + 1].at_ns > file.events[i].at_ns);
      ++num_slices;
    }
  CHECK(num_slices == 199 + 199 - 28);
}

TEST_CASE("numbers are counters below their actor") {
  trace_builder builder;
  auto loss = builder.event(trace_kind::value, "loss", "trainer", 11 * us);
  loss.cause = std::bit_cast<std::uint64_t>(-0.125);
  builder.put(loss);
  const auto events = events_of(builder.finish(100 * us));
  REQUIRE(events.size() == 1);
  CHECK(events[0].track == "trainer/loss");
  CHECK(events[0].type == 4);
  CHECK(events[0].counter == -0.125);
}

TEST_SUITE_END();
