#include "actors/support/components/plugin_guard.hpp"

#include <future>
#include <stdexcept>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

struct own_type {};

/// Collects what is reported, for as long as it lives.
struct reports {
  explicit reports(plugin_policy policy) {
    handle_plugin_failures({policy, [this](const plugin_failure& x) { all.push_back(x); }});
  }
  reports(const reports&) = delete;
  reports& operator=(const reports&) = delete;
  ~reports() { handle_plugin_failures({}); }
  std::vector<plugin_failure> all;
};

} // namespace

TEST_SUITE_BEGIN("actors/support/components");

TEST_CASE("a call that returns is a success and nobody is told") {
  reports told(plugin_policy::fail);
  plugin_guard guard("lab", "clahe");
  bool called = false;
  CHECK(guard.call(7, [&] { called = true; }));
  CHECK(called);
  CHECK(told.all.empty());
  CHECK(guard.enabled());
}

TEST_CASE("whatever is thrown ends at the call, as a failure with the names and the text") {
  reports told(plugin_policy::skip);
  plugin_guard guard("lab", "clahe");
  const auto text_of_call = [&](auto thrown) {
    const auto result = guard.call(7, [&] { throw thrown; });
    REQUIRE_FALSE(result);
    CHECK(result.error().code == ec::plugin_failed);
    return result.error().context;
  };
  CHECK(text_of_call(std::runtime_error("no tiles")) == "clahe (plugin lab): no tiles");
  CHECK(text_of_call(std::string("as text")) == "clahe (plugin lab): as text");
  CHECK(text_of_call("as letters") == "clahe (plugin lab): as letters");
  CHECK(text_of_call(42) == "clahe (plugin lab): it threw what is no std::exception");
  CHECK(text_of_call(own_type{}) == "clahe (plugin lab): it threw what is no std::exception");
  REQUIRE(told.all.size() == 5);
  CHECK(told.all[0].plugin == "lab");
  CHECK(told.all[0].component == "clahe");
  CHECK(told.all[0].what == "no tiles");
  CHECK(told.all[0].sample == 7);
  CHECK_FALSE(told.all[0].disabled);
  CHECK(guard.enabled());
}

TEST_CASE("under the policy disable the first failure disables that component, and no other") {
  reports told(plugin_policy::disable);
  plugin_guard guard("lab", "clahe"), other("lab", "elastic");
  CHECK_FALSE(guard.call(1, [] { throw 1; }));
  CHECK_FALSE(guard.enabled());
  CHECK(other.enabled());
  CHECK(told.all.at(0).disabled);
}

TEST_CASE("under the policies fail and skip a component stays enabled: what follows is decided elsewhere") {
  for (const auto policy : {plugin_policy::fail, plugin_policy::skip}) {
    reports told(policy);
    plugin_guard guard("lab", "clahe");
    CHECK_FALSE(guard.call(1, [] { throw 1; }));
    CHECK(guard.enabled());
    CHECK_FALSE(told.all.at(0).disabled);
  }
}

TEST_CASE("without handling nobody is told, and the failure is given all the same") {
  plugin_guard guard("lab", "clahe");
  CHECK(plugin_failures().policy == plugin_policy::skip);
  CHECK(to_string(guard.failed(3, "wrong shape")) == "clahe (plugin lab): wrong shape");
}

TEST_CASE("all threads know of a component that has been disabled") {
  handle_plugin_failures({plugin_policy::disable, {}});
  plugin_guard guard("lab", "clahe");
  std::vector<std::future<bool>> threads;
  for (int i = 0; i < 8; ++i)
    threads.push_back(std::async(std::launch::async, [&] {
      static_cast<void>(guard.call(1, [] { throw 1; }));
      return guard.enabled();
    }));
  for (auto& each : threads)
    CHECK_FALSE(each.get());
  handle_plugin_failures({});
}

TEST_SUITE_END();
