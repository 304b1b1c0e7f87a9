#include "actors/logger/csv_columns.hpp"

#include "tests/actors/logger/temporary_folder.hpp"

#include <filesystem>

#include "tests/support/doctest.hpp"

namespace {

using namespace troupe;

const csv_fields kept{"step", "loss", "seconds"};

struct columns_fixture {
  temporary_folder folder;
  std::string path = folder.path("validation.csv");

  std::optional<std::string> change(const std::string& before, const csv_fields& columns) {
    write_text(path, before);
    const auto copy = change_csv_columns(path, columns, kept);
    REQUIRE(copy);
    return *copy;
  }
};

} // namespace

TEST_SUITE("actors/logger") {

  TEST_CASE_FIXTURE(columns_fixture, "rows are laid out anew under other columns, and the file as it was stays") {
    const std::string before = "step,loss,f1,seconds\n5,0.5,0.25,1\n10,0.4,0.5,2\n";
    const auto copy = change(before, {"step", "loss", "kappa", "f1", "seconds"});
    REQUIRE(copy);
    CHECK(read_text(path) == "step,loss,kappa,f1,seconds\n5,0.5,nan,0.25,1\n10,0.4,nan,0.5,2\n");
    CHECK(read_text(*copy) == before);
    SUBCASE("also where columns go, and no copy takes the place of another") {
      const auto second = change(before, kept);
      REQUIRE(second);
      CHECK(*second != *copy);
      CHECK(read_text(path) == "step,loss,seconds\n5,0.5,1\n10,0.4,2\n");
      CHECK(read_text(*second) == before);
    }
  }

  TEST_CASE_FIXTURE(columns_fixture, "a file that has the columns, or is another table, is left alone") {
    for (const std::string text : {"step,loss,f1,seconds\n5,0.5,0.25,1\n", "time,loss\n1,2\n", "step,lo", ""}) {
      CHECK(!change(text, {"step", "loss", "f1", "seconds"}));
      CHECK(read_text(path) == text);
    }
    const auto entries = std::filesystem::directory_iterator(folder.path(""));
    CHECK(std::distance(begin(entries), end(entries)) == 1);
  }

  TEST_CASE_FIXTURE(columns_fixture, "where no file is, there is nothing to do") {
    const auto copy = change_csv_columns(path, kept, kept);
    REQUIRE(copy);
    CHECK(!*copy);
    CHECK(!std::filesystem::exists(path));
  }

  TEST_CASE_FIXTURE(columns_fixture, "rows that are none and a torn one are left out, quoted fields survive") {
    change("step,loss,acc_\"a,b\",seconds\n", kept);
    change("step,\"x,y\",loss,seconds\n5,\"p,\"\"q\",0.5,1\n6,7\n8,a,0.4,2\n9,b,0",
           {"step", "loss", "\"", "x,y", "seconds"});
    CHECK(read_text(path) == "step,loss,\"\"\"\",\"x,y\",seconds\n5,0.5,nan,\"p,\"\"q\",1\n8,0.4,nan,a,2\n");
  }

} // TEST_SUITE
