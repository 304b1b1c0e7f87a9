#include "actors/logger/run_summary.hpp"

#include "tests/actors/logger/temporary_folder.hpp"

#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/support/doctest.hpp"

namespace {

using namespace troupe;
using nlohmann::json;

run_summary some_summary() {
  run_summary x;
  x.status = run_status::done;
  x.exit_code = 0;
  x.folder = "runs/fashion-mnist";
  x.epochs = 10;
  x.steps = 4690;
  x.samples_trained = 600000;
  x.samples_skipped = 0;
  x.validation = {0.912, 0.25, 4690};
  x.best = {0.915, 0.24, 4221};
  x.wall_seconds = 130;
  x.train_seconds = 120;
  x.samples_per_second = 5000;
  x.data_wait_share = 0.0125;
  x.peak_rss_bytes = 1u << 30;
  x.checkpoints = {12, 10, 1, 1, false};
  x.plugin_failures = {{"clahe", 3}, {"stage smear#1", 1}};
  x.disabled_components = {"clahe"};
  x.trace_recorded = 5;
  x.trace_dropped = 0;
  x.trace_cut = 2;
  x.trace_problem = "no room";
  x.git = "a2e9f97";
  x.version = "0.1.0";
  x.seed = 18446744073709551615ull;
  x.threads = {{"trainer", 2}, {"augmenters", 3}};
  return x;
}

std::set<std::string> keys_of(const json& object) {
  std::set<std::string> keys;
  for (const auto& [key, value] : object.items())
    keys.insert(key);
  return keys;
}

} // namespace

TEST_SUITE("actors/logger") {

  TEST_CASE("the JSON has every field with its value") {
    const auto x = json::parse(to_json(some_summary()));
    CHECK(x["status"] == "done");
    CHECK(x["exit_code"] == 0);
    CHECK(x["epochs"] == 10);
    CHECK(x["steps"] == 4690);
    CHECK(x["samples_trained"] == 600000);
    CHECK(x["samples_skipped"] == 0);
    CHECK(x["validation"] == json{{"top1", 0.912}, {"loss", 0.25}, {"step", 4690}});
    CHECK(x["best"] == json{{"top1", 0.915}, {"loss", 0.24}, {"step", 4221}});
    CHECK(x["wall_seconds"] == 130.0);
    CHECK(x["train_seconds"] == 120.0);
    CHECK(x["samples_per_second"] == 5000.0);
    CHECK(x["data_wait_share"] == 0.0125);
    CHECK(x["peak_rss_bytes"] == 1u << 30);
    CHECK(x["checkpoints"] == json{{"durable", 10}, {"superseded", 1}, {"failed", 1}});
    CHECK(x["plugin_failures"] == json{{"clahe", 3}, {"stage smear#1", 1}});
    CHECK(x["disabled_components"] == json{"clahe"});
    CHECK(x["log"] == json{{"failed", 0}});
    CHECK(x["trace"] == json{{"recorded", 5}, {"dropped", 0}, {"cut", 2}, {"problem", "no room"}});
    CHECK(x["git"] == "a2e9f97");
    CHECK(x["version"] == "0.1.0");
    CHECK(x["seed"] == 18446744073709551615ull);
    CHECK(x["threads"] == json{{"trainer", 2}, {"augmenters", 3}});
  }

  TEST_CASE("every run has the same keys, however it ended") {
    CHECK(keys_of(json::parse(to_json(run_summary{}))) == keys_of(json::parse(to_json(some_summary()))));
    const auto x = json::parse(to_json(run_summary{}));
    CHECK(x["status"] == "failed");
    CHECK(x["validation"].is_null());
    CHECK(x["best"].is_null());
    CHECK(x["threads"].is_object());
    CHECK(x["plugin_failures"] == json::object());
    CHECK(x["disabled_components"] == json::array());
  }

  TEST_CASE("the statuses have their agreed names") {
    CHECK(std::string(to_string(run_status::done)) == "done");
    CHECK(std::string(to_string(run_status::failed)) == "failed");
    CHECK(std::string(to_string(run_status::stopped)) == "stopped");
    CHECK(std::string(to_string(run_status::interrupted)) == "interrupted");
  }

  TEST_CASE("what JSON cannot say becomes null or a replacement character") {
    auto summary = some_summary();
    summary.validation->loss = std::numeric_limits<double>::quiet_NaN();
    summary.samples_per_second = std::numeric_limits<double>::infinity();
    summary.reason = "img\xff.png";
    const auto x = json::parse(to_json(summary));
    CHECK(x["validation"]["loss"].is_null());
    CHECK(x["samples_per_second"].is_null());
    CHECK(x["reason"] == "img\xef\xbf\xbd.png");
  }

  TEST_CASE("a summary takes the place of an older one") {
    const temporary_folder folder;
    const auto path = folder.path("summary.json");
    write_text(path, "old");
    REQUIRE(write_summary(some_summary(), path));
    CHECK(read_text(path) == to_json(some_summary()));
  }

  TEST_CASE("a summary that cannot be written is an error that names the file") {
    const auto done = write_summary(some_summary(), "/nowhere/summary.json");
    REQUIRE(!done);
    CHECK(done.error().code == ec::not_found);
    CHECK(done.error().context.find("/nowhere/summary.json") != std::string::npos);
  }

  TEST_CASE("the closing lines of a run that went well") {
    auto summary = some_summary();
    summary.checkpoints = {10, 10, 0, 0, false};
    summary.trace_problem.clear();
    summary.plugin_failures.clear();
    CHECK(describe(summary)
          == "outcome      done (exit code 0)\n"
             "trained      10 epochs, 4690 steps, 600000 samples in 2:00\n"
             "throughput   5000 samples/s, data wait 1.25 %\n"
             "validation   last top1 91.20 %, loss 0.2500 (step 4690); best top1 91.50 %, loss 0.2400 (step 4221)\n"
             "checkpoints  10 durable\n"
             "folder       runs/fashion-mnist\n");
  }

  TEST_CASE("the closing lines name what went wrong and what was lost") {
    run_summary summary;
    summary.status = run_status::stopped;
    summary.exit_code = 3;
    summary.reason = "loss is nan at step 12\n";
    summary.samples_skipped = 3;
    summary.log_failures = 2;
    summary.plugin_failures = {{"clahe", 3}, {"stage smear#1", 1}};
    summary.disabled_components = {"clahe"};
    summary.trace_dropped = 9;
    summary.trace_problem = "no room";
    summary.checkpoints = {2, 0, 1, 1, true};
    const auto text = describe(summary);
    CHECK(text.find("stopped (exit code 3): loss is nan at step 12?\n") != std::string::npos);
    CHECK(text.find("0 durable, 1 superseded, 1 FAILED (the last one among them)\n") != std::string::npos);
    CHECK(text.find("lost         3 samples skipped, 3 failures of clahe (disabled), 1 failure of stage smear#1, 2 log "
                    "writes failed, 9 trace records dropped, "
                    "the trace is not whole: no room\n")
          != std::string::npos);
    CHECK(text.find("validation") == std::string::npos);
    CHECK(text.find("folder") == std::string::npos);
  }

} // TEST_SUITE
