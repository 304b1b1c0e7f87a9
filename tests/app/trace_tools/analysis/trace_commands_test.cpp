#include "app/commands/trace/trace_commands.hpp"

#include "actors/tracer/trace_drain.hpp"
#include "app/trace_tools/analysis/name_patterns.hpp"
#include "tests/support/scratch_folder.hpp"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <iostream>
#include <map>
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

/// What the command line says of arguments that it does not take.
std::string refusal(const std::string& arguments) {
  try {
    run(arguments);
  } catch (const CLI::ParseError& error) {
    return error.what();
  }
  return "";
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

TEST_CASE("words that trace filter does not know are told, and which ones it does") {
  const scratch_folder folder;
  make_trace(folder);
  CHECK(run("filter --kind message --outcome handled --largest wait " + folder.path()).code == 0);
  for (const auto& [option, words] :
       std::map<std::string, std::string>{{"--kind", "exit|link|mark|message|sample|span|spawn|value"},
                                          {"--outcome", "dropped|handled|never_handled|skipped|threw"},
                                          {"--largest", "bytes|handling|value|wait"}})
    CHECK(refusal("filter " + option + " bogus " + folder.path()) == option + ": \"bogus\", expected " + words);
}

TEST_CASE("trace filter's help names its words as they are typed") {
  CLI::App app;
  int code = 0;
  add_trace_commands(app, code);
  const auto help = app.get_subcommand("filter")->help();
  for (const auto* words : {"exit|link|mark|message", "dropped|handled", "bytes|handling|value|wait"})
    CHECK(help.find(words) != std::string::npos);
  CHECK(help.find('{') == std::string::npos);
}

TEST_CASE("times that trace filter cannot mean are refused, in words") {
  const scratch_folder folder;
  make_trace(folder);
  for (const auto* time : {"5ms", "0s", "1.5us", "1e3ns", "2min", "1000000h"})
    CHECK(run(std::string{"filter --min-wait "} + time + " " + folder.path()).code == 0);
  for (const auto* option : {"--min-wait", "--min-handling", "--after", "--before"})
    for (const std::string time : {"1e30h", "1000001h", "-5ms", "5", "ms", "5 parsecs", "nans", "infs", "1e999s"}) {
      CAPTURE(time);
      CHECK(refusal(std::string{"filter "} + option + "=\"" + time + "\" " + folder.path())
            == std::string{option} + ": \"" + time
                 + "\", expected a time like 200us, 5ms, 10s or 2min, up to 1000000h");
    }
}

TEST_CASE("a pattern that no name matches is refused, and the names are told") {
  const scratch_folder folder;
  make_trace(folder);
  CHECK(run("filter --actor 'load*' --type next " + folder.path()).code == 0);
  CHECK_FALSE(check_actor_pattern(*open_trace(folder / "trace"), ""));
  CHECK_FALSE(check_type_pattern(*open_trace(folder / "trace"), ""));
  for (const std::string pattern : {"load", "[", "Loader"})
    for (const auto& [option, name] : std::map<std::string, std::string>{{"--actor", "loader"}, {"--type", "next"}}) {
      CAPTURE(pattern);
      const auto result = run("filter " + option + "='" + pattern + "' " + folder.path());
      CHECK(result.code == 2);
      CHECK(result.out.empty());
      CHECK(result.err.find(option + ": \"" + pattern + "\"") != std::string::npos);
      CHECK(result.err.find("matches one of " + name + "\n") != std::string::npos);
    }
}

TEST_CASE("what cannot be written is told by the name that the user gave, and exits with 1") {
  const scratch_folder folder;
  put_file(folder / "file", "x");
  std::filesystem::create_directory(folder / "sub");
  for (const auto& path : {folder / "none/s.png", folder / "file/s.png", folder / "sub"}) {
    const auto written = write_output(path, "bytes");
    REQUIRE_FALSE(written);
    CHECK(written.error().context.starts_with("cannot write " + path + ": "));
    CHECK(written.error().context.find(".tmp") == std::string::npos);
    std::ostringstream err;
    CHECK(tell(written.error(), err) == trace_failed);
  }
  CHECK(write_output(folder / "sub/s.png", "bytes"));
}

TEST_SUITE_END();
