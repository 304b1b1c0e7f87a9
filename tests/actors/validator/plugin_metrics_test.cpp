#include "actors/validator/plugin_metrics.hpp"

#include "actors/support/components/component_registry.hpp"

#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;

TEST_SUITE_BEGIN("actors/validator");

namespace {

/// Counts samples; throws where it is told to.
class counter final : public validation_metric {
public:
  explicit counter(std::string throws_in) : throws_in_(std::move(throws_in)) {}
  void begin() override {
    fail_in("begin");
    count_ = 0;
  }
  void add(std::span<const float>, std::int64_t) override {
    fail_in("add");
    ++count_;
  }
  [[nodiscard]] double value() const override {
    fail_in("value");
    return count_;
  }

private:
  void fail_in(const char* where) const {
    if (throws_in_ == where)
      throw std::runtime_error("no luck in " + throws_in_);
    if (throws_in_ == std::string(where) + " int")
      throw 5;
  }

  std::string throws_in_;
  double count_ = 0;
};

component_use counting(const std::string& name, const std::string& throws_in = "") {
  static const bool once = [] {
    const parameter_list list{param::text("throws_in", "", "Where.")};
    for (const char* each : {"counter_a", "counter_b"})
      component_registry::instance().metrics.push_back(
        {{each, "Counts.", list, "tests"}, [](const parameters& p, std::int64_t) {
           if (p.text("throws_in") == "make")
             throw std::runtime_error("no luck in make");
           return std::make_unique<counter>(p.text("throws_in"));
         }});
    return true;
  }();
  REQUIRE(once);
  component_use use{name, {}};
  use.values.set("throws_in", throws_in);
  return use;
}

/// Hears of failures as long as it lives.
struct failure_log {
  std::vector<plugin_failure> all;
  explicit failure_log(plugin_policy policy) {
    handle_plugin_failures({policy, [this](const plugin_failure& x) { all.push_back(x); }});
  }
  ~failure_log() { handle_plugin_failures({}); }
};

double judge(plugin_metrics& metrics, std::size_t which) {
  const std::array<float, 2> logits{0, 1};
  metrics.begin();
  for (int i = 0; i < 3; ++i)
    metrics.add(logits, 1);
  return metrics.figures().at(which).value;
}

} // namespace

TEST_CASE("each metric has its figure, by its name and in the config's order, and begins anew") {
  auto metrics = plugin_metrics::make({counting("counter_b"), counting("counter_a")}, 2);
  REQUIRE(metrics);
  CHECK(judge(*metrics, 0) == 3);
  CHECK(judge(*metrics, 1) == 3);
  CHECK(metrics->figures()[0].name == "counter_b");
}

TEST_CASE("a metric that does not exist, or cannot be made, is refused by name") {
  const auto unknown = plugin_metrics::make({{"f2", {}}}, 2);
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().code == ec::bad_config);
  CHECK(unknown.error().context.find("f2") != std::string::npos);
  const auto failed = plugin_metrics::make({counting("counter_a", "make")}, 2);
  REQUIRE_FALSE(failed);
  CHECK(failed.error().context.find("no luck in make") != std::string::npos);
}

TEST_CASE("one that throws is NaN, told once per validation, and leaves the others alone") {
  for (const std::string where : {"begin", "add", "value", "begin int", "add int", "value int"}) {
    CAPTURE(where);
    failure_log told(plugin_policy::skip);
    auto metrics = plugin_metrics::make({counting("counter_a", where), counting("counter_b")}, 2);
    REQUIRE(metrics);
    CHECK(std::isnan(judge(*metrics, 0)));
    CHECK(told.all.size() == 1);
    CHECK(told.all[0].component == "metric counter_a");
    CHECK(judge(*metrics, 1) == 3);
    CHECK(told.all.size() == 2);
  }
}

TEST_CASE("one that is disabled is not called any more") {
  failure_log told(plugin_policy::disable);
  auto metrics = plugin_metrics::make({counting("counter_a", "value")}, 2);
  REQUIRE(metrics);
  CHECK(std::isnan(judge(*metrics, 0)));
  CHECK(std::isnan(judge(*metrics, 0)));
  CHECK(told.all.size() == 1);
  CHECK(told.all[0].disabled);
}

TEST_SUITE_END();
