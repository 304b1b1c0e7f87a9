#include "actors/logger/logger_actor.hpp"

#include "tests/support/scratch_folder.hpp"
#include "tests/support/stub_company.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "tests/support/deterministic_system.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

step_completed step_of(std::uint64_t number) {
  step_completed step;
  step.step = number;
  step.epoch = 1;
  step.num_samples = 4;
  step.loss_sum = 2;
  step.window_loss_sum = 2;
  step.window_samples = 4;
  step.since_start_seconds = static_cast<double>(number);
  return step;
}

validation_report report_of(std::uint64_t step) {
  auto state = std::make_shared<snapshot>();
  state->tag = {"test", 1, step, 1};
  validation_report report;
  report.snapshot = std::move(state);
  report.num_samples = 10;
  report.loss = 0.5;
  report.top1 = 0.75;
  report.topk = 1;
  report.k = 2;
  report.confusion = {4, 1, 1, 4};
  report.class_accuracy = {0.8, 0.8};
  return report;
}

/// A logger that writes a row every second step into a scratch folder, and a terminal that is a string.
struct stage {
  scratch_folder parent;
  std::string folder = parent / "run";
  std::shared_ptr<std::string> terminal = std::make_shared<std::string>();
  deterministic_system actors;
  stub<supervisor_actor, supervisor_memory> supervisor = stub_supervisor(actors);
  logger_actor logger;

  stage() { std::filesystem::create_directory(folder); }

  void open() {
    logger_setup setup;
    setup.config.folder = folder;
    setup.config.console = console_mode::plain;
    setup.config.every_steps = 2;
    setup.config.classes = {"cat", "dog"};
    setup.config.total_steps = 10;
    setup.config.total_epochs = 1;
    setup.write = setup.warn = [terminal = terminal](std::string_view text) { terminal->append(text); };
    setup.supervisor = supervisor.handle;
    logger = actors.spawn(troupe::logger, std::move(setup));
    actors.run();
  }

  template <class Message>
  void tell(Message message) {
    caf::anon_send(logger, std::move(message));
    actors.run();
  }

  const logger_finished& finish() {
    tell(close_log{});
    REQUIRE(supervisor->loggers.size() == 1);
    return supervisor->loggers[0];
  }

  /// Rows of a CSV file, its header not among them.
  [[nodiscard]] std::ptrdiff_t rows_in(const std::string& name) const {
    const auto text = bytes_of(folder + "/" + name);
    return std::count(text.begin(), text.end(), '\n') - 1;
  }
};

} // namespace

TEST_SUITE_BEGIN("actors/logger");

TEST_CASE_FIXTURE(stage, "a metrics row is written at every step that is due and at no other") {
  open();
  for (std::uint64_t step = 1; step <= 5; ++step) {
    tell(step_of(step));
    CHECK(rows_in("metrics.csv") == static_cast<std::ptrdiff_t>(step / 2));
  }
}

TEST_CASE_FIXTURE(stage, "every report is a row and the newest one is told at the end") {
  open();
  tell(report_of(3));
  tell(report_of(6));
  CHECK(rows_in("validation.csv") == 2);
  const auto& finished = finish();
  REQUIRE(finished.newest_validation);
  CHECK(finished.newest_validation->step == 6);
  CHECK(finished.newest_validation->top1 == 0.75);
  CHECK(finished.newest_validation->loss == 0.5);
}

TEST_CASE_FIXTURE(stage, "a line for the user reaches the terminal") {
  open();
  tell(notice{severity::warning, "the disk is nearly full"});
  CHECK(terminal->find("the disk is nearly full") != std::string::npos);
}

TEST_CASE_FIXTURE(stage, "a checkpoint that failed is told with its reason") {
  open();
  tell(checkpoint_failed{{"test", 1, 7, 1}, {ec::io_error, "no space left on device"}});
  CHECK(terminal->find("no space left on device") != std::string::npos);
}

TEST_CASE_FIXTURE(stage, "nothing lost is reported as nothing lost") {
  open();
  tell(step_of(2));
  tell(report_of(2));
  const auto& finished = finish();
  CHECK(finished.lost_rows == 0);
  CHECK(finished.first_error.empty());
}

TEST_CASE_FIXTURE(stage, "a folder that cannot be written to costs the rows, which are counted, and nothing else") {
  std::filesystem::remove(folder);
  put_file(folder, "in the way");
  open();
  tell(step_of(2));
  tell(step_of(3));
  tell(step_of(4));
  tell(report_of(4));
  tell(notice{severity::info, "still here"});
  CHECK(terminal->find("still here") != std::string::npos);
  const auto& finished = finish();
  CHECK(finished.lost_rows >= 3);
  CHECK(finished.first_error.find(folder) != std::string::npos);
}

TEST_CASE_FIXTURE(stage, "status counts the facts") {
  open();
  tell(step_of(1));
  tell(step_of(2));
  tell(report_of(2));
  const auto status = actors.ask<actor_status>(logger, status_atom_v);
  REQUIRE(status);
  CHECK(status->done == 3);
}

TEST_SUITE_END();
