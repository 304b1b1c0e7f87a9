#include "app/trace_tools/export/text_forms.hpp"
#include "tests/app/trace_tools/export/trace_builder.hpp"

#include <random>
#include <regex>
#include <sstream>
#include <string>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

const export_options mermaid{.format = export_format::mermaid, .filter = {}};

/// The lines of a sequence diagram that the export may use. Text has no character that ends it or means something.
void check_grammar(const std::string& diagram) {
  static const std::string text = R"((?:[^#;<>&"%{}\\\x00-\x1f]|#\d+;)+)";
  static const std::regex line{"sequenceDiagram|  %% [a-z0-9, ]+|  participant p\\d+ as " + text
                               + "|  p\\d+(?:->>|--x)p\\d+: " + text + "|  Note over p\\d+: " + text};
  std::istringstream lines{diagram};
  std::string each;
  REQUIRE(std::getline(lines, each));
  CHECK(each == "sequenceDiagram");
  while (std::getline(lines, each)) {
    CAPTURE(each);
    CHECK(std::regex_match(each, line));
  }
}

std::size_t count_arrows(const std::string& text) {
  std::size_t count = 0;
  for (auto at = text.find("->>"); at != std::string::npos; at = text.find("->>", at + 1))
    ++count;
  return count;
}

void put_many(trace_builder& builder, int count) {
  for (int i = 1; i <= count; ++i)
    builder.put(builder.message(static_cast<std::uint64_t>(i), "m", "x", "y", i * us, 0, 10));
}

} // namespace

TEST_SUITE_BEGIN("app/trace_tools/export");

TEST_CASE("messages are arrows in the order of their sending, with ids, sizes, long waits and marks") {
  trace_builder builder;
  auto chunk = builder.message(1, "chunk_ready", "loader", "augmenter#0", 10 * us, 3100 * us, 5 * us);
  chunk.sample = 7;
  chunk.batch = 2;
  chunk.bytes = 12300;
  builder.put(chunk);
  builder.put(builder.message(2, "next", "", "loader", 5 * us, 1 * us, 1 * us));
  auto lost = builder.message(3, "snapshot", "trainer", "saver", 4000 * us, 0, 0);
  lost.dequeued_ns = lost.ended_ns = 0;
  lost.outcome = trace_outcome::never_handled;
  builder.put(lost);
  auto mark = builder.event(trace_kind::mark, "checkpoint durable", "saver", 5000 * us);
  mark.step = 12;
  builder.put(mark);
  const auto text = export_text(builder.finish(9000 * us), mermaid).text;
  CHECK(text == R"(sequenceDiagram
  participant p0 as (no actor)
  participant p1 as loader
  participant p2 as augmenter#35;0
  participant p3 as trainer
  participant p4 as saver
  p0->>p1: next
  p1->>p2: chunk_ready sample 7 batch 2 (12.3 kB)
  Note over p2: waited 3.1 ms
  p3--xp4: snapshot (never_handled)
  Note over p4: checkpoint durable step 12
)");
  check_grammar(text);
}

TEST_CASE("a diagram shows the newest 60 messages, or what of the last seconds is no longer than Mermaid reads") {
  trace_builder builder;
  put_many(builder, 6000);
  const auto trace = builder.finish(6001 * us);
  auto result = export_text(trace, mermaid);
  CHECK(count_arrows(result.text) == 60);
  CHECK(result.text.find("%% the newest 60 of 6,000 messages") != std::string::npos);
  CHECK(losses(trace, mermaid, result.report).front()
        == "cut: the oldest 5,940 of 6,000 messages did not fit into 60 arrows; --last 10s or --actor narrows it");
  auto options = mermaid;
  options.filter.last = std::chrono::microseconds{200};
  CHECK(count_arrows(export_text(trace, options).text) == 200);
  options.filter.last = std::chrono::seconds{1};
  result = export_text(trace, options);
  CHECK(result.text.size() <= max_mermaid_bytes);
  CHECK(result.text.size() > max_mermaid_bytes * 3 / 4);
  check_grammar(result.text);
}

TEST_CASE("no name breaks a diagram") {
  CHECK(mermaid_text("a;b#c\nd%%{e}") == "a#59;b#35;c d#37;#37;#123;e#125;");
  std::mt19937 rng{1}; // NOLINT: the same names every time
  trace_builder builder;
  for (std::uint64_t i = 1; i <= 60; ++i) {
    std::string name = "n";
    for (int k = 0; k < 12; ++k)
      name += static_cast<char>(rng() % 256);
    builder.put(builder.message(i, name, name + "s", name + "r", 10 * us, 0, 10));
  }
  check_grammar(export_text(builder.finish(100 * us), mermaid).text);
}

TEST_SUITE_END();
