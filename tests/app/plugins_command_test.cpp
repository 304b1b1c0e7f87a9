#include "app/commands/plugins_command.hpp"

#include "tests/app/plugins/plugin_files.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

struct output {
  int code = 0;
  std::string out;
  std::string err;
};

output run(const plugins_options& options) {
  std::ostringstream out;
  std::ostringstream err;
  const auto code = plugins_command(options, out, err);
  return {code, out.str(), err.str()};
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_SUITE_BEGIN("app");

TEST_CASE("plugins that are named are listed, and those that are refused are told") {
  const scratch_folder folder;
  put_file(folder / "none.so", "text");
  plugins_options options;
  options.files = {built_plugin("sound"), folder / "none.so"};
  SUBCASE("as text") {
    const auto result = run(options);
    CHECK(result.code == 2);
    CHECK(result.out.starts_with("sound 1.2  "));
    CHECK(has(result.err, "none.so: is no 64-bit ELF shared library"));
  }
  SUBCASE("as JSON") {
    options.json = true;
    const auto json = nlohmann::json::parse(run(options).out);
    CHECK(json["plugins"].size() == 1);
    CHECK(json["refused"].size() == 1);
  }
}

TEST_CASE("without a name those in the search path are listed") {
  setenv("TROUPE_PLUGIN_PATH", TROUPE_BINARY_DIR "/tests/plugins", 1);
  const auto result = run({});
  unsetenv("TROUPE_PLUGIN_PATH");
  CHECK(has(result.out, "sound 1.2  "));
  CHECK(has(result.out, "faulty 1.0  "));
  CHECK_FALSE(has(result.out + result.err, "libtroupe_core"));
}

TEST_CASE("a check exits by what it finds") {
  plugins_options options;
  options.check = true;
  options.num_samples = 4;
  SUBCASE("nothing is named") {
    CHECK(run(options).code == 2);
  }
  SUBCASE("a sound plugin") {
    options.files = {built_plugin("sound")};
    const auto result = run(options);
    CHECK_MESSAGE(result.code == 0, result.out);
    CHECK(has(result.out, " 0 bad, 1 not checked\n"));
  }
  SUBCASE("a faulty one") {
    options.files = {built_plugin("faulty")};
    CHECK(run(options).code == 1);
  }
  SUBCASE("as one JSON document, each plugin once") {
    const scratch_folder folder;
    put_file(folder / "none.so", "text");
    options.json = true;
    options.files = {built_plugin("readme"), built_plugin("sound"), folder / "none.so", built_plugin("readme")};
    const auto result = run(options);
    CHECK(result.code == 2);
    const auto json = nlohmann::json::parse(result.out);
    REQUIRE(json["plugins"].size() == 2);
    CHECK(json["plugins"][0]["name"] == "my_noise");
    CHECK(json["plugins"][1]["findings"].size() > 1);
    CHECK(json["refused"].size() == 1);
  }
  SUBCASE("with the parameters of a config") {
    const scratch_folder folder;
    options.files = {built_plugin("sound")};
    options.config_path = folder / "run.yaml";
    put_file(options.config_path, "data:\n  train:\n    dataset: ramp\n    options: {size: 3}\n"
                                  "  validation:\n    dataset: ramp\n    options: {size: 2}\n");
    const auto result = run(options);
    CHECK_MESSAGE(result.code == 0, result.err, result.out);
  }
}

TEST_CASE("a new plugin without a name is refused") {
  plugins_options options;
  options.new_name = "";
  const auto result = run(options);
  CHECK(result.code == 2);
  CHECK(has(result.err, "\"\": expected a name in snake_case"));
}

TEST_SUITE_END();
