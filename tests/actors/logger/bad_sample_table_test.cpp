#include "actors/logger/bad_sample_table.hpp"

#include "actors/logger/csv_text.hpp"
#include "tests/support/scratch_folder.hpp"

#include <string>
#include <string_view>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

const std::string header = "id,sample,data,epoch,stage,reason\n";

struct table_folder {
  scratch_folder folder;
  std::string path = folder / "bad_samples.csv";

  /// Adds the samples as one process would.
  void add(const std::vector<bad_sample_found>& facts) const {
    bad_sample_table table(path);
    for (const auto& each : facts)
      REQUIRE(table.add(each));
  }

  [[nodiscard]] std::vector<csv_fields> rows() const {
    const auto text = bytes_of(path);
    std::vector<csv_fields> out;
    std::string_view rest = text;
    while (const auto record = first_csv_record(rest)) {
      out.push_back(record->fields);
      rest.remove_prefix(record->num_bytes);
    }
    CHECK(rest.empty());
    return out;
  }
};

bad_sample_found found(std::uint64_t id, const std::string& name = "a.jpg", const std::string& data = "training",
                       const std::string& reason = "truncated") {
  return {data, {.id = id, .slot = 3, .name = name, .reason = reason, .stage = "augmenter", .epoch = 4}};
}

} // namespace

TEST_SUITE_BEGIN("actors/logger");

TEST_CASE_FIXTURE(table_folder, "a bad sample is a row, with its epoch counted from 1") {
  add({found(17, "cats/a.jpg")});
  CHECK(bytes_of(path) == header + "17,cats/a.jpg,training,5,augmenter,truncated\n");
}

TEST_CASE_FIXTURE(table_folder, "an opened table without bad samples has its columns") {
  REQUIRE(bad_sample_table(path).open());
  CHECK(bytes_of(path) == header);
  REQUIRE(bad_sample_table(path).open());
  CHECK(bytes_of(path) == header);
}

TEST_CASE_FIXTURE(table_folder, "a sample is there once, however often it is found, in this process or in later ones") {
  add({found(1), found(2), found(1), found(1, "a.jpg", "training", "another reason")});
  CHECK(rows().size() == 3);
  add({found(2), found(3)});
  add({found(3), found(1)});
  const auto all = rows();
  REQUIRE(all.size() == 4);
  CHECK(all[3][0] == "3");
}

TEST_CASE_FIXTURE(table_folder, "training and validation data count their samples each for themselves") {
  add({found(1), found(1, "v.jpg", "validation")});
  add({found(1, "v.jpg", "validation")});
  CHECK(rows().size() == 3);
}

TEST_CASE_FIXTURE(table_folder, "names and reasons with commas, quotes and line breaks read back as they are") {
  const std::string name = "a, \"b\"\nc.jpg", reason = "line one\r\nline \"two\", the end";
  add({found(1, name, "training", reason), found(2)});
  add({found(1, name, "training", reason), found(2), found(3, "")});
  const auto all = rows();
  REQUIRE(all.size() == 4);
  CHECK(all[1] == csv_fields{"1", name, "training", "5", "augmenter", reason});
  CHECK(all[2][0] == "2");
  CHECK(all[3] == csv_fields{"3", "", "training", "5", "augmenter", "truncated"});
}

TEST_CASE_FIXTURE(table_folder, "a last row that is torn, at whatever byte, is cut off and may be written again") {
  add({found(1), found(2, "b, \"c\".jpg")});
  const auto whole = bytes_of(path);
  const auto second_row = whole.rfind("2,\"b");
  for (auto end = second_row + 1; end < whole.size(); ++end) {
    CAPTURE(end);
    put_file(path, whole.substr(0, end));
    add({found(1), found(2, "b, \"c\".jpg")});
    REQUIRE(bytes_of(path) == whole);
  }
}

TEST_CASE_FIXTURE(table_folder, "columns that are torn are written again") {
  for (std::size_t end = 0; end < header.size(); ++end) {
    CAPTURE(end);
    put_file(path, header.substr(0, end));
    add({found(1)});
    REQUIRE(bytes_of(path) == header + "1,a.jpg,training,5,augmenter,truncated\n");
  }
}

TEST_CASE_FIXTURE(table_folder, "a file with other columns is refused and stays as it is") {
  for (const auto& text :
       {std::string("step,loss\n1,0.5\n"), std::string("id,sample,data,reason\n"), header + "1,2,3\n"}) {
    CAPTURE(text);
    put_file(path, text);
    bad_sample_table table(path);
    const auto added = table.add(found(1));
    REQUIRE_FALSE(added);
    CHECK(added.error().code == ec::mismatch);
    CHECK(added.error().context.find(path) != std::string::npos);
    CHECK(bytes_of(path) == text);
  }
}

TEST_CASE_FIXTURE(table_folder, "a table in a folder that is not there names its path") {
  bad_sample_table table(folder / "none/bad_samples.csv");
  const auto opened = table.open();
  REQUIRE_FALSE(opened);
  CHECK(opened.error().context.find("none/bad_samples.csv") != std::string::npos);
}

TEST_SUITE_END();
