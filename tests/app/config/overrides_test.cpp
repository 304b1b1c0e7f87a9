#include "app/config/load_config.hpp"

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

constexpr const char* small = "data:\n  train: {dataset: synthetic}\n";

std::string failure_of(const std::string& text, const std::vector<std::string>& overrides) {
  const auto config = parse_config(text, "f.yaml", overrides);
  return config ? "" : config.error().context;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_SUITE("app/config") {

  TEST_CASE("overrides are laid over the file in order") {
    const auto config = parse_config(std::string{small} + "train: {epochs: 3}\n", "f.yaml",
                                     {"train.epochs=4", "train.epochs=5", "run.name=a=b", "data.train.shape=[3, 9, 8]",
                                      "pipeline.bad_samples={policy: fail}", "pipeline.bad_samples.max=7"});
    REQUIRE_MESSAGE(config, config.error().context);
    CHECK(config->train.epochs == 5);
    CHECK(config->run.name == "a=b");
    CHECK(config->data.train.shape == std::vector<std::int64_t>{3, 9, 8});
    CHECK(config->pipeline.bad_samples == bad_sample_policy::fail);
    CHECK(config->pipeline.max_bad_samples == 7);
  }

  TEST_CASE("an override in flow style replaces a whole data set") {
    const auto config = parse_config(
      "data:\n  train: {dataset: idx, images: a, labels: b}\n  validation: {images: a, labels: b}\n", "f.yaml",
      {"data.train={dataset: synthetic, size: 4096, shape: [1, 28, 28], num_classes: 10}", "data.validation=null"});
    REQUIRE_MESSAGE(config, config.error().context);
    CHECK(config->data.train.dataset == "synthetic");
    CHECK(config->data.train.size == 4096);
    CHECK(config->data.train.images.empty());
    CHECK_FALSE(config->data.validation);
  }

  TEST_CASE("an override repairs the value that it replaces") {
    CHECK(failure_of(std::string{small} + "train: {epochs: many}", {"train.epochs=3"}) == "");
  }

  TEST_CASE("malformed overrides are named") {
    for (const std::string bad : {"", "=", "train.epochs", "=3", ".=3", "train.=3", ".epochs=3", "train..epochs=3"}) {
      CAPTURE(bad);
      const auto report = failure_of(small, {bad});
      CHECK(contains(report, "override \"" + bad + "\""));
      CHECK(contains(report, "expected key=value"));
    }
    CHECK(contains(failure_of(small, {"train.epochs="}), "override \"train.epochs=\": has no value"));
    CHECK(contains(failure_of(small, {"train.epochs=[1"}), "is not valid YAML"));
    CHECK(
      contains(failure_of(small, {"plugins.x=1"}), "override \"plugins.x=1\": plugins: found a map, expected a list"));
    CHECK(contains(failure_of(small, {"train={epochs: 1, epochs: 2}"}), "given twice"));
    std::string deep = "a";
    for (int i = 0; i < 1000; ++i)
      deep += ".a";
    CHECK(contains(failure_of(small, {deep + "=1"}), "expected key=value"));
  }

} // TEST_SUITE
