#include "actors/logger/console.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/support/doctest.hpp"

namespace {

using namespace troupe;

constexpr auto quiet = console_style::kind::quiet;
constexpr auto plain = console_style::kind::plain;
constexpr auto live = console_style::kind::live;

step_completed step_number(std::uint64_t number, bool last_in_epoch = false) {
  step_completed x;
  x.step = number;
  x.epoch = 1;
  x.num_samples = 10;
  x.loss_sum = 5;
  x.num_correct = 4;
  x.last_in_epoch = last_in_epoch;
  x.step_seconds = 1;
  x.since_start_seconds = static_cast<double>(number);
  return x;
}

const metrics_row some_row{50, 1, 0.5, 0.9341, 0.05, 1, 12345.4, 0.004, 10};

checkpoint_saved some_checkpoint() {
  return {{"run", 1, 50, 1}, "runs/x/checkpoints/step-50", 1'200'000, 0.05};
}

validation_report some_report() {
  auto judged = std::make_shared<snapshot>();
  judged->tag = {"run", 1, 100, 1};
  validation_report report;
  report.snapshot = judged;
  report.loss = 0.4123;
  report.top1 = 0.8512;
  report.topk = 0.996;
  report.seconds = 2.13;
  return report;
}

/// A console that writes into a list of calls.
struct recorder {
  explicit recorder(console_style style, std::uint64_t epochs = 2, std::uint64_t steps = 200)
    : screen(
      style, epochs, steps, [this](std::string_view text) { calls.emplace_back(text); },
      [this](std::string_view text) { calls.emplace_back(text); }) {}
  recorder(const recorder&) = delete;
  std::string all() const {
    std::string text;
    for (const auto& call : calls)
      text += call;
    return text;
  }
  std::vector<std::string> calls;
  console screen;
};

} // namespace

TEST_SUITE("actors/logger") {

  TEST_CASE("automatic is live on a terminal that can move its cursor, plain elsewhere") {
    const auto how = [](console_mode mode, bool is_terminal, const char* term) {
      return console_style_for(mode, {is_terminal, term, "", 0}).how;
    };
    CHECK(how(console_mode::automatic, true, "xterm") == live);
    CHECK(how(console_mode::automatic, true, "dumb") == plain);
    CHECK(how(console_mode::automatic, false, "xterm") == plain);
    CHECK(how(console_mode::live, false, "") == live);
    CHECK(how(console_mode::plain, true, "xterm") == plain);
    CHECK(how(console_mode::quiet, true, "xterm") == quiet);
  }

  TEST_CASE("colour is for live lines and where NO_COLOR is not set") {
    CHECK(console_style_for(console_mode::live, {true, "xterm", "", 0}).colour);
    CHECK(!console_style_for(console_mode::live, {true, "xterm", "1", 0}).colour);
    CHECK(!console_style_for(console_mode::plain, {true, "xterm", "", 0}).colour);
    CHECK(console_style_for(console_mode::live, {true, "xterm", "", 132}).columns == 132);
    CHECK(console_style_for(console_mode::live, {true, "xterm", "", 0}).columns == 80);
  }

  TEST_CASE("plain lines say what was logged, without a carriage return or an escape") {
    recorder out({plain, true, 20});
    out.screen.step(step_number(49), std::nullopt, 0);
    out.screen.step(step_number(50), some_row, 0);
    out.screen.validation(some_report());
    out.screen.saved(some_checkpoint());
    out.screen.warning("odd");
    out.screen.finish();
    CHECK(
      out.all()
      == "epoch 1/2  step 50/200  loss 0.5000  accuracy 93.41 %  lr 0.05  12345 samples/s  data wait 0.40 %  eta 2:30\n"
         "validation  epoch 1/2  step 100/200  loss 0.4123  top1 85.12 %  top5 99.60 %  in 2.1 s\n"
         "checkpoint  step 50  runs/x/checkpoints/step-50  1.2 MB in 0.05 s\n"
         "warning: odd\n");
  }

  TEST_CASE("figures of plugins are in the line of their validation") {
    recorder out({plain, true, 20});
    auto report = some_report();
    report.figures = {{"balanced_accuracy", 0.84321}, {"kappa", std::nan("")}};
    out.screen.validation(report);
    CHECK(out.all().find("  top5 99.60 %  balanced_accuracy 0.8432  kappa nan  in 2.1 s\n") != std::string::npos);
  }

  TEST_CASE("an epoch's end has a line of its own") {
    recorder out({plain, false, 80});
    out.screen.step(step_number(1), std::nullopt, 0);
    out.screen.step(step_number(2, true), std::nullopt, 0);
    CHECK(out.all() == "epoch 1/2 done  loss 0.5000  accuracy 40.00 %  10 samples/s  data wait 0.00 %  in 0:02\n");
  }

  TEST_CASE("the live line is redrawn in place") {
    recorder out({live, false, 200});
    out.screen.step(step_number(50), std::nullopt, 100);
    REQUIRE(out.calls.size() == 1);
    CHECK(out.calls[0] == "\r\x1b[Kepoch 1/2 step 50/200 loss 0.5000 acc 40.00 % 10/s wait 0.00 % eta 2:30");
  }

  TEST_CASE("the live line is redrawn at most ten times a second") {
    recorder out({live, false, 80});
    for (std::uint64_t i = 1; i <= 1000; ++i)
      out.screen.step(step_number(i), std::nullopt, static_cast<double>(i) / 1000);
    CHECK(out.calls.size() >= 9);
    CHECK(out.calls.size() <= 10);
  }

  TEST_CASE("a clock that is set back does not freeze the live line") {
    recorder out({live, false, 80});
    out.screen.step(step_number(1), std::nullopt, 1000);
    out.screen.step(step_number(2), std::nullopt, 5);
    CHECK(out.calls.size() == 2);
  }

  TEST_CASE("the live line is cut so that it cannot wrap") {
    for (const std::size_t columns : {0u, 1u, 2u, 30u}) {
      CAPTURE(columns);
      recorder out({live, false, columns});
      out.screen.step(step_number(1), std::nullopt, 0);
      CHECK(out.calls.at(0).size() - 4 == std::max<std::size_t>(columns, 2) - 1);
    }
  }

  TEST_CASE("a new width counts from the next redraw on") {
    recorder out({live, false, 80});
    out.screen.columns(20);
    out.screen.step(step_number(1), std::nullopt, 0);
    CHECK(out.calls.at(0).size() == 4 + 19);
  }

  TEST_CASE("lasting lines stand above the live line, in one call") {
    recorder out({live, false, 30});
    out.screen.step(step_number(1), std::nullopt, 0);
    const auto drawn = out.calls.at(0);
    out.screen.note("hello");
    REQUIRE(out.calls.size() == 2);
    CHECK(out.calls[1] == "\r\x1b[Khello\n" + drawn);
  }

  TEST_CASE("rows are for plain lines only") {
    recorder out({live, false, 200});
    out.screen.step(step_number(50), some_row, 0);
    CHECK(out.all().find('\n') == std::string::npos);
  }

  TEST_CASE("finish takes the live line away, once") {
    recorder out({live, false, 80});
    out.screen.finish();
    CHECK(out.calls.empty());
    out.screen.step(step_number(1), std::nullopt, 0);
    out.screen.finish();
    out.screen.finish();
    REQUIRE(out.calls.size() == 2);
    CHECK(out.calls[1] == "\r\x1b[K");
    out.screen.note("closing");
    CHECK(out.calls[2] == "closing\n");
  }

  TEST_CASE("warnings are yellow where colour is allowed") {
    recorder coloured({live, true, 80});
    coloured.screen.warning("x");
    CHECK(coloured.all() == "\x1b[33mwarning: x\x1b[0m\n");
    recorder plain_one({live, false, 80});
    plain_one.screen.warning("x");
    CHECK(plain_one.all() == "warning: x\n");
  }

  TEST_CASE("quiet says warnings and nothing else") {
    recorder out({quiet, false, 80});
    out.screen.step(step_number(50, true), some_row, 0);
    out.screen.validation(some_report());
    out.screen.saved(some_checkpoint());
    out.screen.note("x");
    CHECK(out.calls.empty());
    out.screen.failed({{"run", 1, 50, 1}, {ec::io_error, "disk full"}});
    CHECK(out.all() == "warning: the checkpoint of step 50 was not saved: disk full\n");
  }

  TEST_CASE("a name from outside cannot play with the terminal") {
    recorder out({live, false, 80});
    out.screen.warning("img\x1b[2J\r\n\x7f\xc2\x9b.png \xc3\xa4");
    CHECK(out.all() == "warning: img?[2J?????.png \xc3\xa4\n");
  }

  TEST_CASE("totals that are unknown are left out, and so is the end") {
    recorder out({live, false, 200}, 0, 0);
    out.screen.step(step_number(3), std::nullopt, 0);
    CHECK(out.all().find("epoch 1 step 3 ") != std::string::npos);
    CHECK(out.all().find("eta ?") != std::string::npos);
  }

  TEST_CASE("a report without a snapshot and a figure that is none are shown, not tripped over") {
    recorder out({plain, false, 80});
    validation_report report;
    report.loss = std::nan("");
    out.screen.validation(report);
    CHECK(out.all().find("loss nan") != std::string::npos);
  }

} // TEST_SUITE
