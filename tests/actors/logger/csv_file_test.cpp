#include "actors/logger/csv_file.hpp"

#include "tests/actors/logger/temporary_folder.hpp"

#include <bit>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <random>

#include "tests/support/doctest.hpp"

namespace {

using namespace troupe;

const csv_fields columns{"step", "loss"};

struct csv_fixture {
  temporary_folder folder;
  std::string path = folder.path("metrics.csv");

  std::string content_after_resume(const std::string& before, std::uint64_t step) {
    write_text(path, before);
    auto file = csv_file::open(path, columns, step);
    REQUIRE(file);
    repair = file->repair();
    return read_text(path);
  }

  csv_repair repair;
};

} // namespace

TEST_SUITE("actors/logger") {

  TEST_CASE_FIXTURE(csv_fixture, "a fresh file has one header and the rows in order") {
    auto file = csv_file::open(path, columns, std::nullopt);
    REQUIRE(file);
    REQUIRE(file->append({"50", "0.5"}));
    CHECK(read_text(path) == "step,loss\n50,0.5\n");
    REQUIRE(file->append({"100", "0.25"}));
    CHECK(read_text(path) == "step,loss\n50,0.5\n100,0.25\n");
  }

  TEST_CASE_FIXTURE(csv_fixture, "a fresh file does not overwrite one that is there") {
    write_text(path, "precious");
    const auto file = csv_file::open(path, columns, std::nullopt);
    REQUIRE(!file);
    CHECK(file.error().code == ec::io_error);
    CHECK(file.error().context.find(path) != std::string::npos);
    CHECK(read_text(path) == "precious");
  }

  TEST_CASE_FIXTURE(csv_fixture, "rows past the resumed step are cut off and that of the step itself stays") {
    CHECK(content_after_resume("step,loss\n50,a\n100,b\n150,c\n", 100) == "step,loss\n50,a\n100,b\n");
    CHECK(repair.rows_kept == 2);
    CHECK(repair.rows_cut == 1);
    CHECK(repair.rows_malformed == 0);
    CHECK(!repair.torn);
  }

  TEST_CASE_FIXTURE(csv_fixture, "a resume in the middle of a window keeps the rows before it") {
    CHECK(content_after_resume("step,loss\n50,a\n100,b\n", 99) == "step,loss\n50,a\n");
  }

  TEST_CASE_FIXTURE(csv_fixture, "a resumed file is extended without a second header") {
    write_text(path, "step,loss\n50,a\n100,b\n");
    auto file = csv_file::open(path, columns, 50);
    REQUIRE(file);
    REQUIRE(file->append({"100", "c"}));
    CHECK(read_text(path) == "step,loss\n50,a\n100,c\n");
  }

  TEST_CASE_FIXTURE(csv_fixture, "a file that needs no repair is left alone, to the inode") {
    write_text(path, "step,loss\n50,a\n");
    std::filesystem::create_hard_link(path, folder.path("same"));
    REQUIRE(csv_file::open(path, columns, 50));
    CHECK(std::filesystem::equivalent(path, folder.path("same")));
    SUBCASE("and one that does is replaced as a whole") {
      REQUIRE(csv_file::open(path, columns, 0));
      CHECK(!std::filesystem::equivalent(path, folder.path("same")));
      CHECK(read_text(folder.path("same")) == "step,loss\n50,a\n");
    }
  }

  TEST_CASE_FIXTURE(csv_fixture, "nothing but the file is left behind by a repair") {
    content_after_resume("step,loss\n50,a\n100,b\n", 50);
    const auto entries = std::filesystem::directory_iterator(folder.path(""));
    CHECK(std::distance(begin(entries), end(entries)) == 1);
  }

  TEST_CASE_FIXTURE(csv_fixture, "a torn last row is dropped, wherever it was torn") {
    const std::string whole = "step,loss\n50,0.5\n100,0.25\n";
    const std::string first_row = "step,loss\n50,0.5\n";
    for (auto length = first_row.size(); length < whole.size(); ++length) {
      CAPTURE(length);
      CHECK(content_after_resume(whole.substr(0, length), 1000) == first_row);
      CHECK(repair.torn == (length > first_row.size()));
    }
  }

  TEST_CASE_FIXTURE(csv_fixture, "a torn header is written again, wherever it was torn") {
    const std::string header = "step,loss\n";
    for (std::size_t length = 0; length < header.size(); ++length) {
      CAPTURE(length);
      CHECK(content_after_resume(header.substr(0, length), 7) == header);
    }
  }

  TEST_CASE_FIXTURE(csv_fixture, "rows that are none are dropped and counted, and the rows around them stay") {
    for (const auto* bad :
         {"", "75", "75,b,c", "x,b", "-1,b", "7 5,b", "75.0,b", ",b", "\"75,b", "99999999999999999999,b"}) {
      CAPTURE(bad);
      CHECK(content_after_resume("step,loss\n50,a\n" + std::string(bad) + "\n100,c\n", 100)
            == "step,loss\n50,a\n100,c\n");
      CHECK(repair.rows_malformed == 1);
      CHECK(repair.rows_kept == 2);
    }
  }

  TEST_CASE_FIXTURE(csv_fixture, "a block of zeros, as a power cut leaves it, does not hide the rows before it") {
    CHECK(content_after_resume("step,loss\n50,a\n" + std::string(4096, '\0'), 100) == "step,loss\n50,a\n");
  }

  TEST_CASE_FIXTURE(csv_fixture, "a file with other columns is refused and left as it is") {
    for (const std::string other :
         {"step,loss,extra\n1,2,3\n", "loss,step\n1,2\n", "no csv at all", "\n", "Step,loss\n"}) {
      CAPTURE(other);
      write_text(path, other);
      const auto file = csv_file::open(path, columns, 10);
      REQUIRE(!file);
      CHECK(file.error().code == ec::mismatch);
      CHECK(file.error().context.find("step,loss") != std::string::npos);
      CHECK(read_text(path) == other);
    }
  }

  TEST_CASE_FIXTURE(csv_fixture, "a resume without a file makes one") {
    REQUIRE(csv_file::open(path, columns, 10));
    CHECK(read_text(path) == "step,loss\n");
  }

  TEST_CASE_FIXTURE(csv_fixture, "a logger that is restarted in a running run keeps all rows") {
    const std::string all = "step,loss\n50,a\n18446744073709551615,b\n";
    CHECK(content_after_resume(all, csv_file::keep_all_rows) == all);
  }

  TEST_CASE_FIXTURE(csv_fixture, "has_step knows the rows kept and the rows added, not those cut") {
    write_text(path, "step,loss\n50,a\n100,b\n");
    auto file = csv_file::open(path, columns, 50);
    REQUIRE(file);
    CHECK(file->has_step(50));
    CHECK(!file->has_step(100));
    REQUIRE(file->append({"150", "c"}));
    CHECK(file->has_step(150));
  }

  TEST_CASE_FIXTURE(csv_fixture, "a row that does not fit the header is refused and not written") {
    auto file = csv_file::open(path, columns, std::nullopt);
    REQUIRE(file);
    CHECK(file->append({"50"}).error().code == ec::mismatch);
    CHECK(file->append({"50", "a", "b"}).error().code == ec::mismatch);
    CHECK(file->append({"fifty", "a"}).error().code == ec::bad_data);
    CHECK(read_text(path) == "step,loss\n");
    CHECK(!file->has_step(50));
  }

  TEST_CASE_FIXTURE(csv_fixture, "columns without a step are refused") {
    CHECK(csv_file::open(path, {"loss"}, std::nullopt).error().code == ec::bad_config);
  }

  TEST_CASE_FIXTURE(csv_fixture, "a folder that is not there is an error that names the file") {
    const auto missing = folder.path("nowhere/metrics.csv");
    for (const auto step : {std::optional<std::uint64_t>{}, std::optional<std::uint64_t>{5}}) {
      const auto file = csv_file::open(missing, columns, step);
      REQUIRE(!file);
      CHECK(file.error().context.find(missing) != std::string::npos);
    }
  }

  TEST_CASE_FIXTURE(csv_fixture, "a header of any bytes survives a resume") {
    const csv_fields wild{"step",         "acc_a,b", "acc_\"quoted\"", "acc_two\nlines",
                          "acc_cr\r\nlf", "acc_",    "acc_\xc3\xa4"};
    {
      auto file = csv_file::open(path, wild, std::nullopt);
      REQUIRE(file);
      REQUIRE(file->append({"5", "1", "2", "3", "4", "5", "6"}));
    }
    auto again = csv_file::open(path, wild, 5);
    REQUIRE(again);
    CHECK(again->has_step(5));
    CHECK(!again->repair().torn);
  }

  TEST_CASE("a field is quoted where RFC 4180 wants it") {
    CHECK(csv_line({"a", "b c", ""}) == "a,b c,\n");
    CHECK(csv_line({"a,b", "say \"hi\"", "x\ny"}) == "\"a,b\",\"say \"\"hi\"\"\",\"x\ny\"\n");
  }

  TEST_CASE("a record is read up to its line end, with either kind of end") {
    const auto unix_end = first_csv_record("a,\"b,\"\"c\nd\",\nrest");
    REQUIRE(unix_end);
    CHECK(unix_end->fields == csv_fields{"a", "b,\"c\nd", ""});
    CHECK(unix_end->num_bytes == 13);
    const auto dos_end = first_csv_record("a,b\r\nrest");
    REQUIRE(dos_end);
    CHECK(dos_end->fields == csv_fields{"a", "b"});
    CHECK(dos_end->num_bytes == 5);
    CHECK(!first_csv_record("a,b"));
    CHECK(!first_csv_record(""));
    CHECK(!first_csv_record("\"a\n"));
  }

  TEST_CASE("a number reads back as exactly the same number") {
    std::mt19937_64 bits(1);
    int num_wrong = 0;
    for (int i = 0; i < 10'000; ++i) {
      const auto value = std::bit_cast<double>(bits());
      if (value == value)
        num_wrong += std::strtod(csv_number(value).c_str(), nullptr) != value;
    }
    CHECK(num_wrong == 0);
    CHECK(csv_number(0.1) == "0.1");
    CHECK(csv_number(-0.0) == "-0");
    CHECK(csv_number(std::numeric_limits<double>::infinity()) == "inf");
    CHECK(csv_number(-std::numeric_limits<double>::quiet_NaN()) == "nan");
  }

} // TEST_SUITE
