#include "actors/loader/datasets/delimited_text.hpp"

#include "tests/actors/loader/datasets/data_files.hpp"

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

using rows = std::vector<std::vector<std::string>>;

rows rows_of(std::string_view text, char delimiter = ',') {
  delimited_text table(text, delimiter);
  rows out;
  std::vector<std::string> fields;
  while (take(table.next(fields)))
    out.push_back(fields);
  return out;
}

expected<bool> read_all(std::string_view text) {
  delimited_text table(text, ',');
  std::vector<std::string> fields;
  for (;;)
    if (auto more = table.next(fields); !more || !*more)
      return more;
}

} // namespace

TEST_SUITE("actors/loader") {
  TEST_CASE("rows are lines, fields are between delimiters") {
    CHECK(rows_of("a,b\n1,2\n") == rows{{"a", "b"}, {"1", "2"}});
    CHECK(rows_of("a,b\r\n1,2\r\n") == rows{{"a", "b"}, {"1", "2"}});
    CHECK(rows_of("a,b\n1,2") == rows{{"a", "b"}, {"1", "2"}});
    CHECK(rows_of("a\tb c\n", '\t') == rows{{"a", "b c"}});
    CHECK(rows_of("a,\n,b\n,\n") == rows{{"a", ""}, {"", "b"}, {"", ""}});
    CHECK(rows_of(" a , b ") == rows{{" a ", " b "}});
    CHECK(rows_of("a\rb,c\r") == rows{{"a\rb", "c"}});
  }

  TEST_CASE("empty lines and a byte order mark are skipped") {
    CHECK(rows_of("\xEF\xBB\xBFpath\n\n\r\nx\n\n") == rows{{"path"}, {"x"}});
    CHECK(rows_of("").empty());
    CHECK(rows_of("\n\r\n").empty());
  }

  TEST_CASE("quoted fields hold delimiters, quotes and line breaks") {
    CHECK(rows_of("\"a,b\",\"say \"\"hi\"\"\",\"1\r\n2\"\nx,\"\",z\n")
          == rows{{"a,b", "say \"hi\"", "1\r\n2"}, {"x", "", "z"}});
    CHECK(rows_of("\"a\"") == rows{{"a"}});
    CHECK(rows_of("5\" disk,x") == rows{{"5\" disk", "x"}});
  }

  TEST_CASE("a row knows the line it begins on") {
    delimited_text table("h\n\n\"1\n2\"\nlast\n", ',');
    std::vector<std::string> fields;
    for (std::uint64_t line : {1, 3, 5}) {
      CHECK(take(table.next(fields)));
      CHECK(table.line() == line);
    }
    CHECK_FALSE(take(table.next(fields)));
  }

  TEST_CASE("quotes that do not match are refused with their line") {
    check_failed(read_all("a,b\n1,\"open\nmore\n"), ec::bad_data, {"line 2: ", "not closed"});
    check_failed(read_all("a\n\"1\n2\"x\n"), ec::bad_data, {"line 3: ", "follows a closing quote"});
  }

  TEST_CASE("a tab in the first line makes it a table with tabs") {
    CHECK(guess_delimiter("path\tlabel\n") == '\t');
    CHECK(guess_delimiter("path,label\nx\ty,1\n") == ',');
    CHECK(guess_delimiter("") == ',');
  }
}
