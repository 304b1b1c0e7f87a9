#include "app/bad_sample_budget.hpp"
#include "app/restart_budget.hpp"
#include "app/run_report.hpp"
#include "app/stall_watch.hpp"

#include <csignal>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace std::chrono_literals;

TEST_SUITE("app") {

  TEST_CASE("three restarts within a minute are allowed, the fourth is not, and time gives them back") {
    restart_budget unit(3, 60s);
    const restart_budget::time_point start{};
    CHECK(unit.take(start));
    CHECK(unit.take(start + 10s));
    CHECK(unit.take(start + 20s));
    CHECK_FALSE(unit.take(start + 59s));
    CHECK(unit.take(start + 61s));
    CHECK_FALSE(unit.take(start + 62s));
    CHECK(unit.take(start + 71s));
  }

  TEST_CASE("a stall is when nobody's work has grown for longer than the time-out") {
    stall_watch unit(1000ms);
    const stall_watch::time_point start{};
    unit.reset(start);
    unit.report("loader", 1, start + 100ms);
    CHECK_FALSE(unit.stalled_for(start + 1100ms));
    CHECK(unit.stalled_for(start + 1101ms) == 1001ms);
    unit.report("loader", 1, start + 1200ms);
    CHECK(unit.stalled_for(start + 1200ms));
    unit.report("trainer", 5, start + 1300ms);
    CHECK_FALSE(unit.stalled_for(start + 2000ms));
    unit.reset(start + 5000ms);
    CHECK_FALSE(unit.stalled_for(start + 6000ms));
  }

  TEST_CASE("bad samples are counted once each, and both limits stop") {
    SUBCASE("by count") {
      bad_sample_budget unit(2, 1.0, 1000);
      CHECK(unit.add(7));
      CHECK_FALSE(unit.add(7));
      CHECK(unit.add(9));
      CHECK_FALSE(unit.spent());
      CHECK(unit.add(8));
      CHECK(unit.spent());
    }
    SUBCASE("by share") {
      bad_sample_budget unit(100, 0.01, 300);
      for (std::uint64_t id : {1, 2, 3})
        unit.add(id);
      CHECK_FALSE(unit.spent());
      unit.add(4);
      CHECK(unit.spent());
    }
    SUBCASE("a small data set may have one") {
      bad_sample_budget unit(100, 0.01, 33);
      unit.add(1);
      CHECK_FALSE(unit.spent());
      unit.add(2);
      CHECK(unit.spent());
    }
  }

  TEST_CASE("exit codes tell how a run ended") {
    run_outcome outcome;
    outcome.end = run_end::done;
    CHECK(exit_code_of(outcome) == 0);
    SUBCASE("a lost last checkpoint") {
      outcome.saved.counts.last_failed = true;
      CHECK(exit_code_of(outcome) == 4);
    }
    SUBCASE("a failed checkpoint that a later one made good") {
      outcome.saved.counts.failed = 1;
      CHECK(exit_code_of(outcome) == 0);
    }
    SUBCASE("lost rows") {
      outcome.logged.lost_rows = 1;
      CHECK(exit_code_of(outcome) == 4);
    }
    SUBCASE("a dead validator") {
      outcome.losses.push_back("validator died");
      CHECK(exit_code_of(outcome) == 4);
    }
    SUBCASE("failures") {
      outcome.end = run_end::failed;
      CHECK(exit_code_of(outcome) == 1);
      outcome.end = run_end::refused;
      CHECK(exit_code_of(outcome) == 2);
      outcome.end = run_end::stopped;
      CHECK(exit_code_of(outcome) == 3);
    }
    SUBCASE("signals") {
      outcome.end = run_end::interrupted;
      outcome.signal = SIGINT;
      CHECK(exit_code_of(outcome) == 130);
      outcome.signal = SIGTERM;
      CHECK(exit_code_of(outcome) == 143);
      outcome.saved.counts.last_failed = true;
      CHECK(exit_code_of(outcome) == 1);
    }
  }

  TEST_CASE("the summary has the run's figures, and shares only where there was time") {
    run_job job;
    job.folder = "runs/x";
    run_outcome outcome;
    outcome.end = run_end::done;
    CHECK(summarise(job, outcome, 1).samples_per_second == 0);
    outcome.trained.samples_trained = 300;
    outcome.trained.samples_here = 100;
    outcome.trained.train_seconds = 4;
    outcome.trained.data_wait_seconds = 1;
    auto summary = summarise(job, outcome, 5);
    CHECK(summary.samples_per_second == 25);
    CHECK(summary.data_wait_share == 0.25);
    CHECK(summary.samples_trained == 300);
    CHECK(summary.folder == "runs/x");
    CHECK(summary.peak_rss_bytes > 0);
  }

} // TEST_SUITE
