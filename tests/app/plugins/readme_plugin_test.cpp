#include "app/plugins/plugin_check.hpp"
#include "tests/app/plugins/plugin_files.hpp"

#include <algorithm>
#include <sstream>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

const std::string first_line = "#include \"actors/plugin.hpp\"";

std::string trimmed(const std::string& line) {
  const auto first = line.find_first_not_of(' ');
  return first == std::string::npos ? "" : line.substr(first, line.find_last_not_of(' ') + 1 - first);
}

/// The lines from the first that includes our header on, without the space around them, as long as `belongs` says so of
/// one that is not empty.
template <class F>
std::string snippet_in(const std::string& path, F belongs) {
  std::istringstream text(bytes_of(path));
  std::string out;
  bool begun = false;
  for (std::string line; std::getline(text, line);) {
    begun = begun || trimmed(line) == first_line;
    if (begun && !line.empty() && !belongs(line))
      return out;
    if (begun && !line.empty())
      out += trimmed(line) + "\n";
  }
  return out;
}

} // namespace

TEST_SUITE_BEGIN("app/plugins");

TEST_CASE("the plugin in the README is the one that is built here") {
  const auto shown =
    snippet_in(TROUPE_SOURCE_DIR "/README.md", [](const std::string& line) { return line.starts_with("    "); });
  const auto built =
    snippet_in(TROUPE_SOURCE_DIR "/tests/plugins/readme_plugin.cpp", [](const std::string&) { return true; });
  CHECK(std::count(built.begin(), built.end(), '\n') > 10);
  CHECK(shown == built);
}

TEST_CASE("the plugin in the README keeps its word") {
  const auto plugin = load_plugin(built_plugin("readme"), ".");
  REQUIRE_MESSAGE(plugin, to_string(plugin.error()));
  CHECK(plugin->name == "my_noise");
  check_options options;
  options.num_samples = 8;
  for (const auto& each : check_plugin(*plugin, options))
    CHECK_MESSAGE(each.how == finding_kind::good, each.part << ": " << each.property << ": " << each.text);
}

TEST_SUITE_END();
