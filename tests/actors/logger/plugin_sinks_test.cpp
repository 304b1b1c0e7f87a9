#include "actors/logger/log_sinks.hpp"

#include "actors/support/components/component_registry.hpp"
#include "tests/support/scratch_folder.hpp"

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

/// What a sink was told, in order; and where it throws.
struct sink_memory {
  std::vector<std::string> calls;
  std::string fails_at;
  log_sink_context context;

  void call(const std::string& what) {
    calls.push_back(what);
    if (what.starts_with(fails_at) && !fails_at.empty())
      throw 42;
  }
};

class remembering_sink final : public log_sink {
public:
  explicit remembering_sink(sink_memory& memory) : memory_(memory) {}
  void metrics(const step_completed& step) override { memory_.call("metrics " + std::to_string(step.step)); }
  void validation(const validation_report& report) override {
    memory_.call("validation " + std::to_string(report.snapshot->tag.step));
  }
  void told(const notice& line) override { memory_.call("told " + line.text); }
  void close(bool run_succeeded) override { memory_.call(run_succeeded ? "close well" : "close badly"); }

private:
  sink_memory& memory_;
};

/// A logger with the sinks "first" and "second" of a plugin.
struct logger_with_sinks {
  scratch_folder folder;
  sink_memory first, second;
  std::vector<plugin_failure> failures;
  std::string warnings;
  std::unique_ptr<log_sinks> sinks;

  logger_with_sinks() { policy(plugin_policy::skip); }
  logger_with_sinks(const logger_with_sinks&) = delete;
  logger_with_sinks& operator=(const logger_with_sinks&) = delete;
  ~logger_with_sinks() {
    sinks.reset();
    component_registry::instance().log_sinks.clear();
    handle_plugin_failures({});
  }

  void policy(plugin_policy policy) {
    handle_plugin_failures({policy, [this](const plugin_failure& failure) { failures.push_back(failure); }});
  }

  void offer(const std::string& name, sink_memory& memory) {
    auto make = [&memory](const parameters&, const log_sink_context& context) {
      memory.context = context;
      memory.call("made");
      return std::make_unique<remembering_sink>(memory);
    };
    component_registry::instance().log_sinks.push_back({{name, "", {}, "test_plugin"}, make});
  }

  void open(std::uint64_t resumed_step = 0) {
    offer("first", first);
    offer("second", second);
    logger_config config;
    config.folder = folder.path();
    config.console = console_mode::quiet;
    config.every_steps = 2;
    config.classes = {"cat", "dog"};
    config.run = "some run";
    config.resumed = resumed_step > 0;
    config.resumed_step = resumed_step;
    config.figures = {"f1"};
    config.sinks = {{"first", {}}, {"second", {}}};
    sinks = std::make_unique<log_sinks>(
      config, [](std::string_view) {}, [this](std::string_view text) { warnings += text; }, 1.0);
  }

  void run_two_steps() {
    for (std::uint64_t number : {1, 2}) {
      step_completed step;
      step.step = number;
      step.window_samples = 1;
      sinks->add(step, 0, 0);
    }
    validation_report report;
    auto judged = std::make_shared<snapshot>();
    judged->tag.step = 2;
    report.snapshot = judged;
    report.class_accuracy = {1, 1};
    report.confusion = {1, 0, 0, 1};
    report.figures = {{"f1", 0.5}};
    sinks->add(report, 0);
    sinks->add(notice{severity::info, "hello"});
  }
};

const std::vector<std::string> all_calls{"made", "metrics 2", "validation 2", "told hello", "close well"};

} // namespace

TEST_SUITE_BEGIN("actors/logger");

TEST_CASE_FIXTURE(logger_with_sinks, "a plugin's sink is told of rows that are due, reports, lines and the end") {
  open(7);
  run_two_steps();
  CHECK(sinks->finish(true, 0).lost_rows == 0);
  CHECK(first.calls == all_calls);
  CHECK(second.calls == all_calls);
  CHECK(first.context.run == "some run");
  CHECK(first.context.folder == folder.path());
  CHECK(first.context.classes == std::vector<std::string>{"cat", "dog"});
  CHECK(first.context.resumed_step == 7);
  CHECK(warnings.empty());
}

TEST_CASE_FIXTURE(logger_with_sinks, "whatever a sink throws is a lost row, and the others and later rows are none") {
  for (const std::string call : {"metrics", "validation", "told", "close"}) {
    CAPTURE(call);
    component_registry::instance().log_sinks.clear();
    std::filesystem::remove_all(folder.path());
    std::filesystem::create_directory(folder.path());
    first = {{}, call, {}};
    second = {};
    open();
    run_two_steps();
    const auto finished = sinks->finish(true, 0);
    CHECK(finished.lost_rows == 1);
    CHECK(finished.first_error.find("log sink first (plugin test_plugin): ") != std::string::npos);
    CHECK(first.calls == all_calls);
    CHECK(second.calls == all_calls);
  }
  CHECK(failures.size() == 4);
  CHECK(failures[0].component == "log sink first");
}

TEST_CASE_FIXTURE(logger_with_sinks, "a disabled sink is not called any more, and loses no more rows") {
  policy(plugin_policy::disable);
  first.fails_at = "metrics";
  open();
  run_two_steps();
  CHECK(sinks->finish(false, 0).lost_rows == 1);
  CHECK(first.calls == std::vector<std::string>{"made", "metrics 2"});
  CHECK(second.calls.back() == "close badly");
}

TEST_CASE_FIXTURE(logger_with_sinks, "a sink that cannot be made loses its rows, and says so") {
  first.fails_at = "made";
  open();
  CHECK(warnings.find("log sink first (plugin test_plugin): ") != std::string::npos);
  run_two_steps();
  CHECK(sinks->finish(true, 0).lost_rows == 3);
  CHECK(failures.size() == 1);
  CHECK(second.calls == all_calls);
}

TEST_CASE_FIXTURE(logger_with_sinks,
                  "a sink that fails at a line is told no more lines, so that its failure can be told") {
  first.fails_at = "told";
  open();
  for (int i = 0; i < 3; ++i)
    sinks->add(notice{severity::warning, "first has failed"});
  CHECK(failures.size() == 1);
  CHECK(second.calls.size() == 4);
}

TEST_CASE_FIXTURE(logger_with_sinks, "a sink that no plugin has brought is told") {
  logger_config config;
  config.folder = folder.path();
  config.sinks = {{"third", {}}};
  log_sinks lonely(
    config, [](std::string_view) {}, [this](std::string_view text) { warnings += text; }, 1.0);
  CHECK(lonely.finish(true, 0).lost_rows == 1);
  CHECK(warnings.find("'third'") != std::string::npos);
}

TEST_CASE_FIXTURE(logger_with_sinks, "a resumed run with other figures keeps its validations and the file as it was") {
  put_file(folder / "validation.csv",
           "step,epoch,version,samples,loss,top1,topk,k,acc_cat,acc_dog,seconds\n1,1,1,4,0.5,1,1,2,1,1,3\n");
  open(1);
  run_two_steps();
  CHECK(sinks->finish(true, 0).lost_rows == 0);
  const auto text = bytes_of(folder / "validation.csv");
  CHECK(text.starts_with("step,epoch,version,samples,loss,top1,topk,k,acc_cat,acc_dog,f1,seconds\n"
                         "1,1,1,4,0.5,1,1,2,1,1,nan,3\n2,"));
  CHECK(bytes_of(folder / "validation.csv.1").find("f1") == std::string::npos);
}

TEST_SUITE_END();
