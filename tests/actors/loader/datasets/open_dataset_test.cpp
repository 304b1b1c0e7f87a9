#include "actors/loader/datasets/open_dataset.hpp"

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

dataset_config config_of(const std::string& name) {
  dataset_config config;
  config.dataset = name;
  config.size = 5;
  config.root = "/nowhere";
  config.images = "images";
  config.labels = "labels";
  return config;
}

} // namespace

TEST_SUITE("actors/loader") {
  TEST_CASE("open_dataset opens the data set of that name") {
    auto set = open_dataset(config_of("synthetic"), {});
    REQUIRE(set);
    CHECK((*set)->num_samples() == 5);
    auto missing = open_dataset(config_of("idx"), {});
    REQUIRE_FALSE(missing);
    CHECK(missing.error().code == ec::not_found);
  }

  TEST_CASE("open_dataset refuses an unknown name and lists the known ones") {
    for (const char* name : {"imagenet", "", "IDX"}) {
      auto set = open_dataset(config_of(name), {});
      REQUIRE_FALSE(set);
      CHECK(set.error().code == ec::bad_config);
      CHECK(set.error().context.find('"' + std::string(name) + '"') != std::string::npos);
      CHECK(set.error().context.find("idx, synthetic") != std::string::npos);
    }
  }
}
