#include "actors/loader/datasets/class_table.hpp"

#include "tests/actors/loader/datasets/data_files.hpp"

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

using strings = std::vector<std::string>;

expected<class_table> table_of(const strings& labels, const strings& given = {},
                               label_style style = label_style::names_or_ids) {
  label_list list;
  for (const auto& label : labels)
    list.push_back(label);
  return make_class_table(list, style, given, "src", [](std::uint64_t i) { return "sample " + std::to_string(i); });
}

std::vector<std::uint32_t> ids_of(const strings& labels, const strings& given = {},
                                  label_style style = label_style::names_or_ids) {
  return take(table_of(labels, given, style)).ids;
}

using ids = std::vector<std::uint32_t>;

} // namespace

TEST_SUITE("actors/loader") {
  TEST_CASE("names are the table in order of their bytes") {
    const auto table = take(table_of({"dog", "cat", "dog", "Z"}));
    CHECK(table.names == strings{"Z", "cat", "dog"});
    CHECK(table.num_classes == 3);
    CHECK(table.ids == ids{2, 1, 0});
    CHECK(table.notices.empty());
  }

  TEST_CASE("whole numbers are ids") {
    const auto table = take(table_of({"3", "0", "1"}));
    CHECK(table.names.empty());
    CHECK(table.num_classes == 4);
    CHECK(table.ids == ids{3, 0, 1});
    CHECK(table.notices == strings{"1 class has no samples: 2"});
  }

  TEST_CASE("whole numbers that must be names, or stand beside names, are names") {
    CHECK(ids_of({"10", "2"}, {}, label_style::names) == ids{0, 1});
    CHECK(take(table_of({"1", "x", "0"})).names == strings{"0", "1", "x"});
  }

  TEST_CASE("a given table decides by name, else by id") {
    CHECK(ids_of({"a", "c"}, {"c", "b", "a"}) == ids{2, 0});
    CHECK(ids_of({"1", "2"}, {"2", "1"}) == ids{1, 0});
    CHECK(ids_of({"1", "2"}, {"a", "b", "c"}) == ids{1, 2});
    CHECK(take(table_of({"1"}, {"a", "b", "c"})).notices == strings{"2 classes have no samples: a, c"});
  }

  TEST_CASE("a name that is not in the table is refused with the sample and what is known") {
    check_failed(table_of({"a", "a", "x"}, {"a", "b"}), ec::mismatch,
                 {"src", "sample 2", "class \"x\"", "expected one of: a, b"});
    check_failed(table_of({"A"}, strings(500, "n")), ec::mismatch, {"n, ... (500 in all)"});
  }

  TEST_CASE("an id that no class has is refused with the sample and the number of classes") {
    check_failed(table_of({"0", "7"}, {"a", "b", "c"}), ec::bad_data,
                 {"sample 1", "label 7", "from 0 to 2", "3 classes"});
    check_failed(table_of({"-1"}), ec::bad_data, {"sample 0", "label -1", "from 0 to 99999"});
    check_failed(table_of({"99999999999999999999"}), ec::bad_data, {"label 99999999999999999999"});
  }
}
