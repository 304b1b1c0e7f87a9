#include "app/trace_tools/export/text_forms.hpp"
#include "tests/app/trace_tools/export/trace_builder.hpp"

#include <bit>
#include <string>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::test;

TEST_SUITE_BEGIN("app/trace_tools/export");

TEST_CASE("a table has a line per record with all that it says") {
  trace_builder builder;
  auto message = builder.message(5, "next augmenter", "loader", "augmenter#0", 10 * us, 3 * us, 5 * us, 4);
  message.root = 1;
  message.batch = 2;
  message.bytes = 812;
  message.flags = trace_request | trace_urgent;
  builder.put(message);
  auto lost = builder.message(6, "a,\"b\"\n", "", "saver", 20 * us, 0, 0);
  lost.dequeued_ns = lost.ended_ns = 0;
  lost.outcome = trace_outcome::never_handled;
  builder.put(lost);
  auto loss = builder.event(trace_kind::value, "loss", "trainer", 30 * us);
  loss.cause = std::bit_cast<std::uint64_t>(0.25);
  loss.step = 9;
  builder.put(loss);
  auto sample = to_record({.sample = 3,
                           .batch = 1,
                           .epoch = 2,
                           .slot = 4,
                           .pixel_hash = 255,
                           .bytes = 9,
                           .begun_ns = 40 * us,
                           .ended_ns = 44 * us});
  sample.message = 5;
  sample.receiver = builder.name("augmenter#0");
  sample.name = builder.name("sample");
  builder.put(sample);
  auto spawn = builder.event(trace_kind::spawn, "", "saver", 50 * us);
  spawn.bytes = 77;
  builder.put(spawn);
  auto trace = builder.finish(100 * us);
  trace.processes.front().id = "ab";
  CHECK(
    export_text(trace, {.format = export_format::csv, .filter = {}}).text
    == R"(process,kind,name,sender,receiver,outcome,enqueued_ns,dequeued_ns,ended_ns,wait_ns,handling_ns,message,cause,root,sample,batch,step,version,bytes,flags,value,epoch,slot,pixel_hash,caf_id
ab,message,next augmenter,loader,augmenter#0,handled,10000,13000,18000,3000,5000,5,4,1,,2,,,812,request+urgent,,,,,
ab,message,"a,""b""
",,saver,never_handled,20000,,,,,6,,,,,,,,,,,,,
ab,value,loss,,trainer,,30000,,,,,,,,,,9,,,,0.25,,,,
ab,sample,sample,,augmenter#0,handled,40000,40000,44000,,4000,5,,,3,1,,,9,,,2,4,0x00000000000000ff,
ab,spawn,,,saver,,50000,,,,,,,,,,,,,,,,,,77
)");
}

TEST_CASE("a cell is quoted where it must be") {
  CHECK(csv_text("plain text") == "plain text");
  CHECK(csv_text("a,b") == "\"a,b\"");
  CHECK(csv_text("say \"x\"") == "\"say \"\"x\"\"\"");
  CHECK(csv_text("a\r\nb") == "\"a\r\nb\"");
}

TEST_SUITE_END();
