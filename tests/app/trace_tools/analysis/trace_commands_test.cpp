#include "app/commands/trace/trace_commands.hpp"

#include "actors/tracer/trace_drain.hpp"
#include "tests/support/scratch_folder.hpp"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <iostream>
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

/// Catches what goes to a stream while it lives.
class caught {
public:
  explicit caught(std::ostream& stream) : stream_(stream), before_(stream.rdbuf(text_.rdbuf())) {}
  caught(const caught&) = delete;
  caught& operator=(const caught&) = delete;
  ~caught() { stream_.rdbuf(before_); }
  [[nodiscard]] std::string text() const { return text_.str(); }

private:
  std::ostringstream text_;
  std::ostream& stream_;
  std::streambuf* before_;
};

struct command_result {
  int code = -1;
  std::string out, err;
};

command_result run(const std::string& arguments) {
  CLI::App app;
  command_result result;
  add_trace_commands(app, result.code);
  const caught out{std::cout};
  const caught err{std::cerr};
  app.parse(arguments);
  result.out = out.text();
  result.err = err.text();
  return result;
}

} // namespace

TEST_SUITE_BEGIN("app/trace_tools/analysis");

TEST_CASE("trace summary prints a table and its last line, or JSON") {
  const scratch_folder folder;
  make_trace(folder);
  const auto text = run("summary " + folder.path());
  CHECK(text.code == 0);
  CHECK(text.out.ends_with("recorded 1, dropped 0\n"));
  CHECK(nlohmann::json::parse(run("summary --json " + folder.path()).out)["rows"][0]["actor"] == "loader");
  CHECK(run("summary --by edge " + folder.path()).out.starts_with("sender"));
  CHECK_THROWS_AS(run("summary --by colour " + folder.path()), CLI::ParseError);
}

TEST_CASE("trace verdict exits with the stage") {
  const scratch_folder folder;
  make_trace(folder);
  CHECK(run("verdict " + folder.path()).code == 20);
  CHECK(nlohmann::json::parse(run("verdict --json " + folder.path()).out)["stage"] == "undecided");
}

TEST_CASE("trace top of a run that has finished says so") {
  const scratch_folder folder;
  make_trace(folder);
  const auto result = run("top --interval 10ms " + folder.path());
  CHECK(result.code == 0);
  CHECK(result.out.find("finished") != std::string::npos);
}

TEST_CASE("trace tools without a trace exit with 2 and say where they looked") {
  const scratch_folder folder;
  for (const auto* tool : {"summary ", "verdict ", "top --once ", "diff . "}) {
    const auto result = run(tool + folder.path());
    CHECK(result.code == 2);
    CHECK(result.out.empty());
    CHECK(result.err.find(folder / "trace") != std::string::npos);
  }
}

TEST_CASE("trace diff of runs without steps exits with 2") {
  const scratch_folder folder;
  make_trace(folder);
  const auto result = run("diff " + folder.path() + " " + folder.path());
  CHECK(result.code == 2);
  CHECK(result.err.find("recorded no step") != std::string::npos);
}

TEST_SUITE_END();
