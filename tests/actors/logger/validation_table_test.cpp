#include "actors/logger/validation_table.hpp"

#include <limits>

#include "tests/support/doctest.hpp"

namespace {

using namespace troupe;

validation_report report_of(std::vector<double> recalls) {
  auto judged = std::make_shared<snapshot>();
  judged->tag = {"run", 2, 938, 7};
  validation_report report;
  report.snapshot = judged;
  report.num_samples = 10000;
  report.loss = 0.1;
  report.top1 = 0.9;
  report.topk = 0.99;
  report.k = 5;
  report.class_accuracy = std::move(recalls);
  report.seconds = 1.5;
  return report;
}

} // namespace

TEST_SUITE("actors/logger") {

  TEST_CASE("a report becomes a row under the columns of its classes") {
    CHECK(validation_columns({"cat", "dog"})
          == csv_fields{"step", "epoch", "version", "samples", "loss", "top1", "topk", "k", "acc_cat", "acc_dog",
                        "seconds"});
    const auto fields = validation_fields(report_of({0.25, 1}), 2);
    REQUIRE(fields);
    CHECK(*fields == csv_fields{"938", "2", "7", "10000", "0.1", "0.9", "0.99", "5", "0.25", "1", "1.5"});
  }

  TEST_CASE("a class without samples has no recall") {
    const auto fields = validation_fields(report_of({0.5, std::numeric_limits<double>::quiet_NaN()}), 2);
    REQUIRE(fields);
    CHECK((*fields)[9] == "nan");
  }

  TEST_CASE("a report of another number of classes is refused with both numbers") {
    const auto fields = validation_fields(report_of({0.5}), 2);
    REQUIRE(!fields);
    CHECK(fields.error().code == ec::mismatch);
    CHECK(fields.error().context.find("has 1 classes, expected 2") != std::string::npos);
  }

  TEST_CASE("figures of plugins stand between the classes and the time, nan where they failed") {
    CHECK(validation_columns({"cat"}, {"f1", "kappa"})
          == csv_fields{"step", "epoch", "version", "samples", "loss", "top1", "topk", "k", "acc_cat", "f1", "kappa",
                        "seconds"});
    auto report = report_of({0.25});
    report.figures = {{"f1", 0.1}, {"kappa", std::numeric_limits<double>::quiet_NaN()}};
    const auto fields = validation_fields(report, 1, {"f1", "kappa"});
    REQUIRE(fields);
    CHECK(fields->size() == 12);
    CHECK((*fields)[9] == "0.1");
    CHECK((*fields)[10] == "nan");
    CHECK((*fields)[11] == "1.5");
  }

  TEST_CASE("a report with other figures than the table's is refused with both") {
    auto report = report_of({0.25});
    report.figures = {{"f1", 0.1}};
    const auto fields = validation_fields(report, 1, {"kappa", "f1"});
    REQUIRE(!fields);
    CHECK(fields.error().code == ec::mismatch);
    CHECK(fields.error().context.find("has the figures f1, expected kappa, f1") != std::string::npos);
    CHECK(validation_fields(report, 1).error().context.find("expected none") != std::string::npos);
  }

  TEST_CASE("a report on nothing is refused") {
    CHECK(validation_fields(validation_report{}, 0).error().code == ec::bad_data);
  }

} // TEST_SUITE
