#include "app/commands/trace_command.hpp"

#include "actors/tracer/trace_drain.hpp"
#include "tests/support/scratch_folder.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

/// A run folder with the trace of one message.
void make_trace(const scratch_folder& folder) {
  std::filesystem::create_directory(folder / "trace");
  const auto recorder = trace_recorder::start({.folder = folder / "trace", .num_rings = 2, .ring_capacity = 64});
  REQUIRE(recorder);
  trace_drain drain{**recorder, folder / "trace"};
  (*recorder)->put({.message = 1,
                    .receiver = (*recorder)->map().strings().intern("loader"),
                    .name = (*recorder)->map().strings().intern("next")});
  drain.finish(trace_now_ns());
}

} // namespace

TEST_SUITE_BEGIN("app");

TEST_CASE("trace summary prints a table and its last line") {
  const scratch_folder folder;
  make_trace(folder);
  std::ostringstream out, err;
  CHECK(trace_summary_command(folder.path(), false, out, err) == 0);
  CHECK(out.str().find("loader") != std::string::npos);
  CHECK(out.str().ends_with("recorded 1, dropped 0\n"));
}

TEST_CASE("trace summary prints JSON where it is asked for") {
  const scratch_folder folder;
  make_trace(folder);
  std::ostringstream out, err;
  CHECK(trace_summary_command(folder.path(), true, out, err) == 0);
  CHECK(nlohmann::json::parse(out.str())["rows"][0]["actor"] == "loader");
}

TEST_CASE("trace summary of a run without a trace exits with 2 and says where it looked") {
  const scratch_folder folder;
  std::ostringstream out, err;
  CHECK(trace_summary_command(folder.path(), false, out, err) == 2);
  CHECK(out.str().empty());
  CHECK(err.str().find(folder / "trace") != std::string::npos);
}

TEST_SUITE_END();
