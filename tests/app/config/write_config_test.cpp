#include "app/config/load_config.hpp"
#include "app/config/write_config.hpp"
#include "tests/app/config/key_values.hpp"

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

/// Reads what was written; rules between keys do not count here.
run_config read_back(const std::string& text) {
  problem_list problems;
  const auto root = parse_document(text, "written", position_style::lines, problems);
  REQUIRE_MESSAGE(root, problems.report().context);
  auto config = read_config(*root, problems);
  REQUIRE_MESSAGE(problems.empty(), problems.report().context);
  return config;
}

} // namespace

TEST_SUITE("app/config") {

  TEST_CASE("the defaults read back to themselves") {
    const auto text = write_config(run_config{});
    CHECK(write_config(read_back(text)) == text);
  }

  TEST_CASE("every key reads back with another value than its default") {
    const offered all;
    for (const auto& key : schema().keys) {
      CAPTURE(key.path);
      problem_list problems;
      const auto config = read_overrides(set_key(key, other_value(key)), problems);
      REQUIRE(problems.empty());
      const auto text = write_config(config);
      const auto back = read_back(text);
      CHECK(key.write(back) == key.write(config));
      CHECK(write_config(back) == text);
      CHECK(text != write_config(run_config{}));
    }
  }

  TEST_CASE("nested sections are written once each, two spaces deeper") {
    problem_list problems;
    const auto text = write_config(read_overrides({"data.validation.limit=3", "run.name=\"a b\""}, problems));
    CHECK(text.rfind(
            "run:\n  name: \"a b\"\n  dir: runs\n  seed: 1\n  device: auto\ndata:\n  train:\n    dataset: idx\n", 0)
          == 0);
    CHECK(text.find("\n  validation:\n    dataset: idx\n    limit: 3\n") != std::string::npos);
    CHECK(text.find("\n  bad_samples:\n    policy: replace\n    max: 100\n") != std::string::npos);
    CHECK(text.find("\n  stall_timeout: 1min\n") != std::string::npos);
    CHECK(text.find("\nplugins: []\n") != std::string::npos);
    CHECK(text.find("size:") > text.find("transforms:")); // of synthetic data sets only
  }

  TEST_CASE("transforms read back with all their parameters") {
    const std::string list =
      "[{random_crop: {size: [28, 20], padding: 2, pad_if_needed: true, fill: 3, padding_mode: edge}}, "
      "{random_rotation: {degrees: 30, expand: false, interpolation: bilinear, fill: 0}}, {random_affine: {degrees: "
      "[-3, 5], translate: [0.1, 0.2], shear: [1, 2, 3, 4], interpolation: nearest, fill: 0}}, {color_jitter: "
      "{brightness: 0.4, contrast: [0.5, 2], saturation: 0, hue: 0.1}}, {gaussian_blur: {kernel_size: 3, sigma: 1}}, "
      "{random_horizontal_flip: {p: 0.1}}, {random_erasing: {p: 0.3, "
      "scale: [0.1, 0.2], ratio: [0.5, 2], value: 7}}, {normalize: {mean: [0.1, 0.2, 0.3], std: "
      "[1, 2, 3.5]}}]";
    problem_list problems;
    const auto config = read_overrides({"transforms.train=" + list}, problems);
    REQUIRE_MESSAGE(problems.empty(), problems.report().context);
    const auto text = write_config(config);
    CHECK(text.find("train: " + list + "\n") != std::string::npos);
    CHECK(write_config(read_back(text)) == text);
  }

  TEST_CASE("names that mean something in YAML stay names") {
    run_config config;
    config.data.classes = {"true", "null", "1", "a: b", "[x]", "caf\xc3\xa9", "it's", "\"", "a, b", "#", "-", ""};
    const auto back = read_back(write_config(config));
    CHECK(back.data.classes == config.data.classes);
  }

  TEST_CASE("the examples read back to themselves") {
    for (const auto* name : {"fashion-mnist.yaml", "synthetic.yaml"}) {
      const auto config = load_config(std::filesystem::path{TROUPE_SOURCE_DIR} / "app/examples" / name);
      REQUIRE(config);
      const auto text = write_config(*config);
      const auto back = parse_config(text, "written");
      REQUIRE_MESSAGE(back, back.error().context);
      CHECK(write_config(*back) == text);
    }
  }

} // TEST_SUITE
