#include "app/plugins/plugin_check.hpp"

#include "actors/support/components/component_registry.hpp"
#include "app/plugins/plugin_list.hpp"
#include "tests/app/plugins/plugin_files.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <memory>
#include <stdexcept>
#include <unistd.h>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

loaded_plugin loaded(const std::string& name) {
  auto plugin = load_plugin(built_plugin(name), ".");
  REQUIRE_MESSAGE(plugin, to_string(plugin.error()));
  return *plugin;
}

/// What was found so about a part: its properties and texts, a line each.
std::string found_in(const std::vector<finding>& findings, const std::string& part, finding_kind how) {
  std::string out;
  for (const auto& each : findings)
    if (each.part == part && each.how == how)
      out += each.property + ": " + each.text + "\n";
  return out;
}

std::string bad_in(const std::vector<finding>& findings, const std::string& part) {
  return found_in(findings, part, finding_kind::bad);
}

std::string not_checked_in(const std::vector<finding>& findings, const std::string& part) {
  return found_in(findings, part, finding_kind::not_checked);
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

bool is_good(const std::vector<finding>& findings, const std::string& part, const std::string& property) {
  return std::any_of(findings.begin(), findings.end(), [&](const finding& x) {
    return x.part == part && x.property == property && x.how == finding_kind::good;
  });
}

/// Does nothing to the shapes that it takes.
class picky final : public sample_transform {
public:
  explicit picky(const image_shape& output) : output_(output) {}
  [[nodiscard]] image_shape output_shape() const override { return output_; }
  void apply(cv::Mat&, transform_context&) const override {}

private:
  image_shape output_;
};

/// Transforms of a plugin "picky", as long as this lives.
class picky_transforms {
public:
  picky_transforms() {
    add("large_only", [](const image_shape& x) { return x.height >= 200; });
    add("grey_only", [](const image_shape& x) { return x.channels == 1; });
    add(
      "liar", [](const image_shape&) { return true; }, -1);
  }
  picky_transforms(const picky_transforms&) = delete;
  ~picky_transforms() { component_registry::instance() = before_; }

private:
  /// `more` is added to the height that it declares where none is known.
  static void add(const std::string& name, bool (*takes)(const image_shape&), int more = 0) {
    component_registry::instance().transforms.push_back(
      {{name, "", {}, "picky"}, [=](const parameters&, image_shape x) {
         if (!takes(x))
           throw std::runtime_error("no room");
         x.height += x.fixed() ? 0 : more;
         return std::make_unique<picky>(x);
       }});
  }

  component_registry before_ = component_registry::instance();
};

} // namespace

TEST_SUITE_BEGIN("app/plugins");

TEST_CASE("a sound plugin has nothing bad, and every property is looked at") {
  const scratch_folder folder;
  check_options options;
  options.num_samples = 24;
  options.sample_path = folder / "some.tiny";
  put_file(options.sample_path, std::string("TINY\2\3") + "abcdef");
  const auto found = check_plugin(loaded("sound"), options);
  for (const auto& each : found)
    CHECK_MESSAGE(each.how == finding_kind::good, each.part << ": " << each.property << ": " << each.text);
  for (const auto* property : {"1x28x28: the same again", "3x64x48: the same from 8 threads",
                               "1x28x28: shape and type as declared", "3x64x48: writes nothing beside the image"})
    CHECK_MESSAGE(is_good(found, "transform halve", property), property);
  CHECK(is_good(found, "batch transform shift", "3x64x48, channels last: the same from 8 threads"));
  CHECK(is_good(found, "data set ramp", "samples are as large as declared"));
  CHECK(is_good(found, "data set ramp", "the same from 8 threads"));
  CHECK(is_good(found, "decoder tiny", "does not recognise JPEG"));
  CHECK(is_good(found, "decoder tiny", "the same from 8 threads"));
  CHECK(is_good(found, "decoder tiny", "survives truncated files"));
  CHECK(is_good(found, "metric mean_logit", "the same again after `begin`"));
  CHECK(is_good(found, "log sink step_list", "closes, resumed"));
}

TEST_CASE("every fault of a plugin is a finding, and none ends the program") {
  check_options options;
  options.num_samples = 16;
  const auto found = check_plugin(loaded("faulty"), options);
  CHECK(bad_in(found, "transform unmakeable") == "");
  CHECK(has(not_checked_in(found, "transform unmakeable"), "is made for some shape: for 3x256x256, 16 bits: "));
  CHECK(has(bad_in(found, "transform nobody"), "is made, or says why not: nothing was made for 3x64x48"));
  CHECK(has(bad_in(found, "transform thrower"), "1x28x28: does not throw: it threw: "));
  CHECK(has(bad_in(found, "transform thrower"), "3x64x48: does not throw: it threw: "));
  CHECK(has(bad_in(found, "transform forgetful"), "1x28x28: the same again: number 0 came out otherwise"));
  CHECK(has(bad_in(found, "transform shrinker"), "shape and type as declared: it is 1x1x28, 8 bits, expected 1x28x28"));
#ifndef __SANITIZE_ADDRESS__
  CHECK(has(bad_in(found, "transform scribbler"), "1x28x28: writes nothing beside the image: "));
#endif
  CHECK(has(bad_in(found, "transform crasher"), "survives: it ended the process by signal 11"));
  CHECK(has(bad_in(found, "batch transform batch_thrower"), "does not throw: it threw: "));
  CHECK(has(bad_in(found, "batch transform nan_maker"), "leaves numbers: "));
  const auto source = bad_in(found, "data set bad_source");
  CHECK(has(source, "labels and weights in range: sample 2 is of class 2, expected 0..1"));
  CHECK(has(source, "fingerprint is one word: it is \"two words\""));
  CHECK(has(source, "names its samples: it threw: "));
  CHECK(has(source, "samples are as large as declared: sample 0 has 3 bytes, expected 4"));
  CHECK(has(bad_in(found, "decoder greedy"), "does not recognise JPEG: it says that it does"));
  CHECK(has(bad_in(found, "decoder greedy"), "extensions in lower case, without a dot: \"*.Any\""));
  CHECK(has(bad_in(found, "metric sum"), "the same again after `begin`: first "));
  CHECK(has(bad_in(found, "metric metric_thrower"), "does not throw: it threw: "));
  for (const auto* property : {"takes metrics", "takes a validation", "takes a notice", "closes"})
    CHECK(has(bad_in(found, "log sink sink_thrower"), std::string(property) + ": it threw: "));
}

TEST_CASE("a transform may refuse small pictures, and those of a size that is not known") {
  const picky_transforms all;
  check_options options;
  options.num_samples = 4;
  const auto found = check_plugin({"picky", "1", "", ""}, options);
  CHECK(bad_in(found, "transform large_only") == "");
  CHECK(not_checked_in(found, "transform large_only") == "");
  CHECK(is_good(found, "transform large_only", "3x256x256: the same from 8 threads"));
  CHECK(not_checked_in(found, "transform grey_only") == "works on large pictures: for 3x256x256, 8 bits: no room\n");
  CHECK(is_good(found, "transform grey_only", "1x?x?: says what it makes"));
  CHECK(has(bad_in(found, "transform liar"), "3x?x?: shape and type as declared: it declares 3x-1x"));
}

TEST_CASE("a decoder that likes any file is found out on a sample") {
  const scratch_folder folder;
  check_options options;
  options.sample_path = folder / "some.any";
  put_file(options.sample_path, "any");
  const auto found = check_plugin(loaded("faulty"), options);
  CHECK(has(bad_in(found, "decoder greedy"), "shape can be used: it is 2x0x9"));
}

TEST_CASE("whole actors are tried on a stage of their own") {
  check_options options;
  options.num_samples = 8;
  const auto found = check_plugin(loaded("acting"), options);
  CHECK(bad_in(found, "stage dim") == "");
  CHECK(is_good(found, "stage dim", "the same from 1, 2, 3 and 8 instances"));
  CHECK(is_good(found, "stage dim", "every buffer comes home"));
  CHECK(has(bad_in(found, "stage broken"), "does not throw: "));
  CHECK(has(bad_in(found, "stage broken"), "every sample comes out: sample 0: "));
  CHECK(bad_in(found, "listener counter") == "");
  CHECK(is_good(found, "listener counter", "the same after a resume"));
  CHECK(has(bad_in(found, "listener forgetful"), "the same after a resume: "));
}

TEST_CASE("parameters that are given take the place of the defaults") {
  const auto plugin = loaded("sound");
  check_options options;
  options.num_samples = 4;
  parameters values;
  values.set("size", std::int64_t{0});
  options.given[{"data set", "ramp"}] = values;
  CHECK(has(bad_in(check_plugin(plugin, options), "data set ramp"), "has samples: it has 0"));
}

TEST_CASE("a check apart tells what was found before its process ended") {
  SUBCASE("by taking too long") {
    const auto found = check_apart("part", 1, [](check_log& log) {
      log.good("begins");
      ::pause();
    });
    REQUIRE(found.size() == 2);
    CHECK(found[0].property == "begins");
    CHECK(found[1].text == "it took longer than 1 s, after the check \"begins\"");
  }
  SUBCASE("by leaving") {
    const auto found = check_apart("part", 9, [](check_log&) { ::_exit(9); });
    REQUIRE(found.size() == 1);
    CHECK(found[0].text == "it ended the process with code 9");
  }
  SUBCASE("by an exception, whose text is no line") {
    const auto found = check_apart("part", 9, [](check_log&) {
      throw std::runtime_error("a\nb\x1e"
                               "c");
    });
    REQUIRE(found.size() == 1);
    CHECK(found[0].text == "it threw: a?b?c");
    CHECK(found[0].how == finding_kind::bad);
  }
}

TEST_CASE("findings are counted and told as text and as JSON") {
  const std::vector<finding> findings{{"metric m", "a", finding_kind::good, ""},
                                      {"metric m", "b", finding_kind::bad, "why"},
                                      {"model x", "c", finding_kind::not_checked, "because"}};
  CHECK(findings_text(findings)
        == "metric m\n  ok   a\n  BAD  b: why\nmodel x\n  -    c (not checked): because\n1 ok, 1 bad, 1 not checked\n");
  const auto json = nlohmann::json::parse(findings_json({{{"p", "1", "/p.so", "d"}, findings}, {}}, {"why not"}));
  CHECK(json["plugins"].size() == 2);
  CHECK(json["plugins"][0]["name"] == "p");
  CHECK(json["plugins"][0]["findings"][1]["verdict"] == "bad");
  CHECK(json["refused"][0] == "why not");
}

TEST_CASE("the list of plugins tells what each offers, with parameters") {
  const auto plugin = loaded("sound");
  const auto text = plugins_text({plugin});
  CHECK(text.starts_with("sound 1.2  " + plugin.path + "\n"));
  CHECK(has(text, "  transform halve (transforms): Halves light.\n"
                  "    p: number, 0..1, default 0.5: Probability.\n"));
  CHECK(has(text, "    size: whole number, 1..255, in samples, default 32: Samples.\n"));
  const auto json = nlohmann::json::parse(plugins_json({plugin}, {"why not"}));
  CHECK(json["refused"][0] == "why not");
  CHECK(json["plugins"][0]["name"] == "sound");
  const auto& halve = json["plugins"][0]["offers"][0];
  CHECK(halve["kind"] == "transform");
  CHECK(halve["parameters"][0]["default"] == 0.5);
  CHECK(halve["parameters"][0]["high"] == 1);
}

TEST_SUITE_END();
