#include "actors/logger/metrics_table.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "tests/support/doctest.hpp"

namespace {

using namespace troupe;

/// A trainer, as far as metrics go: sums kept, window closed where a row is due.
struct fake_trainer {
  std::uint64_t every_steps = 50;
  std::uint64_t steps_per_epoch = 130;
  std::uint64_t done = 0;
  double loss_sum = 0;
  std::uint64_t correct = 0;
  std::uint64_t samples = 0;
  double clock = 0;

  step_completed next() {
    step_completed x;
    x.step = ++done;
    x.epoch = (done - 1) / steps_per_epoch + 1;
    x.last_in_epoch = done % steps_per_epoch == 0;
    x.num_samples = x.last_in_epoch ? 17 : 64;
    x.loss_sum = 64 / std::sqrt(static_cast<double>(done)) + 0.1;
    x.num_correct = static_cast<std::uint32_t>(done % 13);
    x.learning_rate = 0.1 / static_cast<double>(done);
    x.grad_norm = 1.0 / 3 * static_cast<double>(done);
    clock += 0.25;
    x.since_start_seconds = clock;
    x.step_seconds = 0.2;
    x.data_wait_seconds = 0.05;
    x.window_loss_sum = loss_sum += x.loss_sum;
    x.window_correct = correct += x.num_correct;
    x.window_samples = samples += x.num_samples;
    if (metrics_row_due(x.step, x.last_in_epoch, every_steps)) {
      loss_sum = 0;
      correct = samples = 0;
    }
    return x;
  }
};

/// The columns that do not depend on the clock.
std::vector<csv_fields> rows_of(fake_trainer& trainer, std::uint64_t last_step) {
  metrics_table table(trainer.every_steps);
  std::vector<csv_fields> rows;
  while (trainer.done < last_step)
    if (const auto row = table.add(trainer.next())) {
      auto fields = metrics_fields(*row);
      fields.resize(6);
      rows.push_back(fields);
    }
  return rows;
}

} // namespace

TEST_SUITE("actors/logger") {

  TEST_CASE("a row is due at every n-th step and at an epoch's end") {
    CHECK(!metrics_row_due(49, false, 50));
    CHECK(metrics_row_due(50, false, 50));
    CHECK(metrics_row_due(49, true, 50));
    CHECK(metrics_row_due(7, false, 1));
    CHECK(!metrics_row_due(50, false, 0));
    CHECK(metrics_row_due(50, true, 0));
  }

  TEST_CASE("rows come at the due steps, one where both reasons meet") {
    fake_trainer trainer{.every_steps = 50, .steps_per_epoch = 75};
    std::vector<std::string> steps, epochs;
    for (const auto& row : rows_of(trainer, 160)) {
      steps.push_back(row[0]);
      epochs.push_back(row[1]);
    }
    CHECK(steps == std::vector<std::string>{"50", "75", "100", "150"});
    CHECK(epochs == std::vector<std::string>{"1", "1", "2", "2"});
  }

  TEST_CASE("a run resumed anywhere, also in the middle of a window, writes the rows of an uninterrupted one") {
    fake_trainer whole;
    const auto expected_rows = rows_of(whole, 400);
    REQUIRE(expected_rows.size() == 11);
    for (const std::uint64_t cut : {1u, 49u, 50u, 51u, 123u, 130u, 131u, 260u, 399u}) {
      CAPTURE(cut);
      fake_trainer trainer;
      auto rows = rows_of(trainer, cut);
      trainer.clock = 0; // Another process, another table; the sums are in the checkpoint.
      for (const auto& row : rows_of(trainer, 400))
        rows.push_back(row);
      CHECK(rows == expected_rows);
    }
  }

  TEST_CASE("means are over the window, rate and norm are the step's own") {
    metrics_table table(2);
    step_completed step;
    step.step = 2;
    step.epoch = 3;
    step.num_samples = 4;
    step.loss_sum = 100;
    step.window_loss_sum = 6;
    step.window_correct = 3;
    step.window_samples = 8;
    step.learning_rate = 0.01;
    step.grad_norm = 2.5;
    const auto row = table.add(step);
    REQUIRE(row);
    CHECK(row->epoch == 3);
    CHECK(row->loss == 0.75);
    CHECK(row->accuracy == 0.375);
    CHECK(row->learning_rate == 0.01);
    CHECK(row->grad_norm == 2.5);
  }

  TEST_CASE("throughput and wait are over the time since the row before") {
    metrics_table table(2);
    step_completed step;
    step.num_samples = 10;
    const auto at = [&](std::uint64_t number, double since_start, double wait) {
      step.step = number;
      step.since_start_seconds = since_start;
      step.data_wait_seconds = wait;
      step.step_seconds = since_start - wait;
      return table.add(step);
    };
    CHECK(!at(1, 1, 0.5));
    const auto first = at(2, 2, 0.5);
    REQUIRE(first);
    CHECK(first->samples_per_second == doctest::Approx(10));
    CHECK(first->data_wait_share == doctest::Approx(0.5));
    CHECK(!at(3, 3, 0));
    const auto second = at(4, 6, 1);
    REQUIRE(second);
    CHECK(second->samples_per_second == doctest::Approx(5));
    CHECK(second->data_wait_share == doctest::Approx(0.25));
    CHECK(second->seconds == 6);
  }

  TEST_CASE("a logger restarted in the middle of a run does not count the time before its first step") {
    metrics_table table(1);
    step_completed step;
    step.step = 500;
    step.num_samples = 10;
    step.since_start_seconds = 1000;
    step.step_seconds = 2;
    const auto row = table.add(step);
    REQUIRE(row);
    CHECK(row->samples_per_second == doctest::Approx(5));
  }

  TEST_CASE("no time and no samples give figures, never a crash") {
    metrics_table table(1);
    step_completed step;
    step.step = 1;
    const auto row = table.add(step);
    REQUIRE(row);
    CHECK(std::isnan(row->loss));
    CHECK(row->samples_per_second == 0);
    CHECK(row->data_wait_share == 0);
  }

  TEST_CASE("the fields stand under their columns, the columns of time last") {
    const auto fields = metrics_fields({12, 2, 0.1, 0.5, 1e-5, 3, 1000, 0.25, 7.5});
    CHECK(metrics_columns()
          == csv_fields{"step", "epoch", "loss", "accuracy", "learning_rate", "grad_norm", "samples_per_second",
                        "data_wait_share", "seconds"});
    CHECK(fields == csv_fields{"12", "2", "0.1", "0.5", "1e-05", "3", "1000", "0.25", "7.5"});
  }

} // TEST_SUITE
