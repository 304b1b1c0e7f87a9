#include "app/trace_tools/export/export_file.hpp"
#include "app/trace_tools/export/text_forms.hpp"
#include "tests/app/trace_tools/export/proto_decoder.hpp"
#include "tests/app/trace_tools/export/trace_builder.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::test;
using nlohmann::json;

namespace {

constexpr std::array all_formats = {export_format::chrome, export_format::perfetto, export_format::mermaid,
                                    export_format::csv};

void put_many(trace_builder& builder, int count) {
  for (int i = 1; i <= count; ++i) {
    auto message = builder.message(static_cast<std::uint64_t>(i), "chunk_ready", "loader", "augmenter#0", i * 100 * us,
                                   3 * us, 50 * us, static_cast<std::uint64_t>(i - 1));
    message.batch = static_cast<std::uint64_t>(i);
    builder.put(message);
  }
}

/// The batches of the slices of a Chrome file.
std::vector<int> batches_in(const std::string& text) {
  std::vector<int> batches;
  for (const auto& event : json::parse(text))
    if (event["ph"] == "X")
      batches.push_back(event["args"]["batch"]);
  return batches;
}

} // namespace

TEST_SUITE_BEGIN("app/trace_tools/export");

TEST_CASE("a file is no larger than it may be, and its end is the trace's") {
  trace_builder builder;
  put_many(builder, 5000);
  const auto trace = builder.finish(600'000 * us);
  for (const auto format : all_formats) {
    export_options options{.format = format, .filter = {}, .max_bytes = 40'000};
    const auto result = export_text(trace, options);
    CAPTURE(static_cast<int>(format));
    CHECK(result.text.size() == result.report.num_bytes);
    CHECK(result.text.size() <= 40'000);
    CHECK(result.report.num_selected == 5000);
    CHECK(result.report.num_messages < 5000);
    if (format != export_format::mermaid)
      CHECK(result.text.size() > 30'000);
    CHECK(losses(trace, options, result.report).front().starts_with("cut: the oldest "));
  }
  const auto batches = batches_in(export_text(trace, {.filter = {}, .max_bytes = 40'000}).text);
  REQUIRE_FALSE(batches.empty());
  CHECK(batches.back() == 5000);
  CHECK(batches.front() == 5001 - static_cast<int>(batches.size()));
}

TEST_CASE("what was cut has no arrows, and nothing is said where nothing was cut") {
  trace_builder builder;
  put_many(builder, 100);
  const auto trace = builder.finish(11'000 * us);
  const auto count = [&](const std::string& text, const std::string& phase) {
    int found = 0;
    for (const auto& event : json::parse(text))
      found += event["ph"] == phase ? 1 : 0;
    return found;
  };
  const auto whole = export_text(trace, {});
  CHECK(whole.report.num_messages == 100);
  CHECK(count(whole.text, "s") == 99);
  CHECK(count(whole.text, "f") == 99);
  const auto part = export_text(trace, {.filter = {}, .max_bytes = 20'000});
  CHECK(count(part.text, "s") == static_cast<int>(part.report.num_messages) - 1);
  CHECK(count(part.text, "f") == count(part.text, "s"));
}

TEST_CASE("a limit that not even the names fit into is refused") {
  trace_builder builder;
  put_many(builder, 10);
  const auto trace = builder.finish(2000 * us);
  std::ostringstream out;
  const auto report = export_trace(trace, {.filter = {}, .max_bytes = 10}, out);
  REQUIRE_FALSE(report);
  CHECK(report.error().code == ec::bad_config);
  CHECK(out.str().empty());
}

TEST_CASE("--last keeps what ended within that time of the end") {
  trace_builder builder;
  put_many(builder, 100); // Message i ends at i * 100 + 53 us.
  const auto trace = builder.finish(10'100 * us);
  const auto batches =
    batches_in(export_text(trace, {.filter = {.last = std::chrono::microseconds{250}, .actors = {}}}).text);
  CHECK(batches == std::vector<int>{98, 99, 100}); // From 9850 us on.
}

TEST_CASE("--actor keeps what such actors sent or got, and counts the mailboxes of those only") {
  trace_builder builder;
  builder.put(builder.message(1, "a", "loader", "augmenter#0", 10 * us, us, us));
  builder.put(builder.message(2, "b", "augmenter#1", "collator", 11 * us, us, us));
  builder.put(builder.message(3, "c", "collator", "trainer", 12 * us, us, us));
  builder.put(builder.message(4, "d", "", "trainer", 13 * us, us, us));
  const auto trace = builder.finish(100 * us);
  const auto result = export_text(trace, {.filter = {.last = {}, .actors = {"augmenter#*", "nobody"}}});
  CHECK(result.report.num_messages == 2);
  std::string names;
  std::string counters;
  for (const auto& event : json::parse(result.text)) {
    if (event["ph"] == "X")
      names += event["name"];
    if (event["ph"] == "C")
      counters = event["name"];
  }
  CHECK(names == "ab");
  CHECK(counters == "augmenter#0: mailbox");
}

TEST_CASE("names of any bytes make files that are read") {
  CHECK(utf8_text("a\xff") == "a\xef\xbf\xbd");
  CHECK(json_text("a\x01\"\n") == "\"a\\u0001\\\"\\n\"");
  std::mt19937 rng{2}; // NOLINT: the same names every time
  trace_builder builder;
  for (std::uint64_t i = 1; i <= 300; ++i) {
    std::string name;
    for (int k = 0; k < 9; ++k)
      name += static_cast<char>(rng() % 256);
    auto message = builder.message(i, name, name + "s", name + "r", static_cast<std::int64_t>(i) * us, 100, 100, i - 1);
    message.outcome = static_cast<trace_outcome>(i % num_trace_outcomes);
    builder.put(message);
    builder.put(builder.event(trace_kind::exit, name, name + "r", static_cast<std::int64_t>(i) * us));
  }
  const auto trace = builder.finish(1000 * us);
  const auto text = export_text(trace, {}).text;
  CHECK(json::parse(text).size() > 1500);
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  CHECK(lines == json::parse(text).size() + 1); // An event per line: no other byte of its kind anywhere.
  const auto file = decode_proto(export_text(trace, {.format = export_format::perfetto, .filter = {}}).text);
  const auto interned = file.all(1).front().message().one(12).message();
  CHECK(interned.all(2).size() == 300);
  for (const auto& entry : interned.all(2)) {
    const auto name = entry.message().one(2).bytes;
    CHECK(name == utf8_text(name));
  }
}

TEST_CASE("a trace without a record makes files without an event") {
  trace_builder builder;
  const auto trace = builder.finish(10 * us);
  CHECK(json::parse(export_text(trace, {}).text).size() == 1);
  CHECK(export_text(trace, {.format = export_format::mermaid, .filter = {}}).text == "sequenceDiagram\n");
}

TEST_CASE("a file takes its place when it is complete") {
  trace_builder builder;
  put_many(builder, 10);
  const auto trace = builder.finish(2000 * us);
  const scratch_folder folder;
  const auto path = default_export_path(folder.path(), export_format::chrome);
  put_file(path, "old");
  REQUIRE(export_to_file(trace, {}, path));
  CHECK(bytes_of(path) == export_text(trace, {}).text);
  CHECK_FALSE(export_to_file(trace, {.filter = {}, .max_bytes = 10}, path));
  CHECK(bytes_of(path).size() > 1000);
  const auto refused = export_to_file(trace, {}, folder / "missing/trace.json");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ec::io_error);
  CHECK(std::distance(std::filesystem::directory_iterator{folder.path()}, {}) == 1);
}

TEST_SUITE_END();
