#include "app/trace_tools/report/report_page.hpp"

#include "app/trace_tools/report/sample_pictures.hpp"
#include "app/trace_tools/report/svg_chart.hpp"
#include "app/trace_tools/text/trace_text.hpp"
#include "tests/app/trace_tools/report/run_builder.hpp"

#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

/// Name of the element that is not closed where it should be; empty: every one is.
std::string first_unclosed(const std::string& page) {
  std::vector<std::string> open;
  for (auto at = page.find('<', page.find("<html")); at != std::string::npos; at = page.find('<', at + 1)) {
    const auto end = page.find('>', at);
    const auto name = page.substr(at + 1, page.find_first_of(" >\n", at) - at - 1);
    if (end == std::string::npos)
      return name;
    if (page[at + 1] == '/') {
      if (open.empty() || "/" + open.back() != name)
        return name;
      open.pop_back();
    } else if (page[end - 1] != '/') {
      open.push_back(name);
    }
  }
  return open.empty() ? std::string{} : open.back();
}

bool contains(const std::string& page, const std::string& text) {
  return page.find(text) != std::string::npos;
}

std::string page_of(const run_builder& run) {
  const auto trace = run.read();
  return report_page(collect_report(trace, run.folder()));
}

} // namespace

TEST_SUITE_BEGIN("app/trace_tools/report");

TEST_CASE("the page of a run is well-formed, needs nothing else and has the numbers of the summary") {
  run_builder run;
  run.put("summary.json", R"({"status": "done", "steps": 40, "samples_per_second": 1234.4, "version": "0.1.0"})");
  record_run(run, 40);
  const auto trace = run.read();
  const auto page = page_of(run);
  CHECK(first_unclosed(page) == "");
  CHECK_FALSE(contains(page, "http"));
  CHECK(contains(page, ">done<"));
  CHECK(contains(page, ">1,234<"));
  CHECK(contains(page, markup_text(judge(trace).finding)));
  for (const auto& load : summarize(trace).actors)
    CHECK(contains(page, load.actor + ": busy " + share_text(load.busy)));
  CHECK(contains(page, "step 21, batch 20: 9.5"));
  CHECK(contains(page, "troupe trace show " + run.folder() + " batch:20"));
  CHECK(contains(page, "checkpoint 1 of step 40, 2.5 MB"));
  CHECK(contains(page, "never handled"));
  CHECK(contains(page, "<caption>"));
}

TEST_CASE("names mean nothing in the page") {
  run_builder run;
  run.put("bad_samples.csv", "id,sample,data,epoch,stage,reason\n5,</td><script>alert(1)</script>,t,1,<b>,\"\"\"&\"\n");
  run.begin();
  run.message("<script>alert(2)</script>", "\"><img src=x onerror=alert(3)>", 1, 2, 500 * ms);
  run.message("caf\xe9\x01", "'&amp;", 1, 2, 3, trace_outcome::threw);
  run.end(1000 * ms);
  const auto page = page_of(run);
  CHECK(first_unclosed(page) == "");
  CHECK_FALSE(contains(page, "<script>alert"));
  CHECK_FALSE(contains(page, "<img src=x"));
  CHECK_FALSE(contains(page, "\x01"));
  CHECK(contains(page, "&lt;script&gt;alert(2)"));
  CHECK(contains(page, "&#39;&amp;amp;"));
  CHECK(contains(page, "caf\xef\xbf\xbd"));
}

TEST_CASE("a run that recorded nothing has a page") {
  run_builder run;
  run.begin();
  run.end(0);
  const auto page = page_of(run);
  CHECK(first_unclosed(page) == "");
  CHECK(contains(page, "Too little was recorded"));
}

TEST_CASE("a flight recorder's page says that it does not know all") {
  run_builder run(ring_policy::keep_newest);
  record_run(run, 20'000);
  const auto page = page_of(run);
  CHECK(first_unclosed(page) == "");
  CHECK(contains(page, "set trace.mode: full"));
}

TEST_CASE("a resumed run's page tells of both processes") {
  run_builder run;
  record_run(run, 10);
  record_run(run, 10);
  const auto page = page_of(run);
  CHECK(first_unclosed(page) == "");
  CHECK(contains(page, "2 processes"));
  CHECK(contains(page, "class=\"border\""));
}

TEST_CASE("a million records make no larger page") {
  run_builder run;
  run.begin();
  for (std::int64_t i = 0; i < 500'000; ++i) {
    run.message("augmenter#" + std::to_string(i % 64), "type " + std::to_string(i % 50), i * 1000 + 1, i * 1000 + 2,
                i * 1000 + 900);
    run.loss(static_cast<std::uint64_t>(i) + 1, static_cast<double>(i % 1000));
  }
  run.end(600 * ms);
  const auto page = page_of(run);
  CHECK(first_unclosed(page) == "");
  CHECK(page.size() < 1'000'000);
}

TEST_CASE("a sample without a picture says why") {
  run_builder run;
  run.begin();
  run.sample("augmenter#0", {.sample = 7, .batch = 2, .bytes = 100, .begun_ns = 1, .ended_ns = 5 * ms});
  run.end(10 * ms);
  const auto trace = run.read();
  auto report = collect_report(trace, run.folder());
  add_pictures(report);
  CHECK_FALSE(report.no_pictures.empty());
  const auto page = report_page(report);
  CHECK(first_unclosed(page) == "");
  CHECK(contains(page, "No pictures, the data cannot be opened"));
  CHECK(contains(page, "sample 7"));
}

TEST_CASE("a sample's picture is made again from the run's data") {
  run_builder run;
  run.put("config.yaml", "run: {name: x}\ndata:\n  train: {dataset: synthetic, size: 40, shape: [1, 16, 16], "
                         "num_classes: 4, seed: 1}\ntransforms:\n  train: [{normalize: {mean: [0.5], std: [0.5]}}]\n"
                         "pipeline: {batch_size: 8}\nmodel: {name: lenet}\ntrain: {epochs: 1}\n");
  run.begin();
  run.sample("augmenter#0", {.sample = 7, .batch = 2, .bytes = 100, .begun_ns = 1, .ended_ns = 5 * ms});
  run.end(10 * ms);
  const auto trace = run.read();
  auto report = collect_report(trace, run.folder());
  add_pictures(report);
  CHECK(report.no_pictures == "");
  REQUIRE(report.slow_samples.size() == 1);
  CHECK(report.slow_samples[0].png.substr(1, 3) == "PNG");
  CHECK(contains(report_page(report), "src=\"data:image/png;base64,iVBOR"));
}

TEST_CASE("programs get the headline numbers") {
  run_builder run;
  record_run(run, 40);
  const auto trace = run.read();
  std::ostringstream out;
  print_json(collect_report(trace, run.folder()), out);
  const auto told = nlohmann::json::parse(out.str());
  CHECK(told["recorded"] == trace.recorded());
  CHECK(told["spikes"][0]["batch"] == 20);
  CHECK(told["limited_by"] == to_string(judge(trace).stage));
}

TEST_CASE("base64 as in RFC 4648") {
  CHECK(base64_text("") == "");
  CHECK(base64_text("f") == "Zg==");
  CHECK(base64_text("fo") == "Zm8=");
  CHECK(base64_text("foo") == "Zm9v");
  CHECK(base64_text("foobar") == "Zm9vYmFy");
  CHECK(base64_text("\xff\xfe") == "//4=");
}

TEST_CASE("ticks are round numbers within the range") {
  CHECK(nice_ticks(0, 1, 5) == std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1});
  CHECK(nice_ticks(3, 47, 4) == std::vector<double>{20, 40});
  CHECK(nice_ticks(1, 1, 4).empty());
  CHECK(time_ticks(0, 600, 6) == std::vector<double>{0, 120, 240, 360, 480, 600});
  CHECK(tick_time_text(0, 10) == "0");
  CHECK(tick_time_text(12.5, 0.5) == "12.5 s");
  CHECK(tick_time_text(200, 100) == "3:20");
}
