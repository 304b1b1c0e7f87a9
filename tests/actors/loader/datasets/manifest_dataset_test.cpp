#include "actors/loader/datasets/manifest_dataset.hpp"

#include "tests/actors/loader/datasets/data_files.hpp"

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

using strings = std::vector<std::string>;
using labels = std::vector<std::int64_t>;

struct table {
  scratch_folder folder;
  dataset_config config;

  explicit table(std::string_view text, const std::string& name = "list.csv") {
    config.dataset = "manifest";
    config.file = add_file(folder, name, text);
  }
  [[nodiscard]] std::unique_ptr<dataset> open(const strings& classes = {}) const {
    return take(open_manifest_dataset(config, classes));
  }
  void check_refused(ec code, std::initializer_list<std::string_view> parts, const strings& classes = {}) const {
    auto result = open_manifest_dataset(config, classes);
    check_failed(result, code, parts);
    CHECK(result.error().context.find(config.file) != std::string::npos);
  }
  [[nodiscard]] strings names() const { return names_of(*open(), folder.path()); }
};

} // namespace

TEST_SUITE("actors/loader") {
  TEST_CASE("the rows of a manifest are samples, in order") {
    const table set("path,label\nz.jpg,dog\na.jpg,cat\nsub/a.jpg,dog\n");
    const auto data = set.open();
    CHECK(data->num_samples() == 3);
    CHECK(data->class_names() == strings{"cat", "dog"});
    CHECK(labels_of(*data) == labels{1, 0, 1});
    CHECK(set.names() == strings{"z.jpg", "a.jpg", "sub/a.jpg"});
    CHECK(data->reads_files());
    CHECK(data->weight(0) == 1);
  }

  TEST_CASE("columns may have any order, and others may be among them") {
    const table set("id,weight,label,split,path\n1,0.5,a,x,1.jpg\n2,,b,y,2.jpg\n3,2e1,b,x,3.jpg\n");
    const auto data = set.open();
    CHECK(set.names() == strings{"1.jpg", "2.jpg", "3.jpg"});
    CHECK(data->weight(0) == 0.5f);
    CHECK(data->weight(1) == 1);
    CHECK(data->weight(2) == 20);
  }

  TEST_CASE("blanks around the commas are refused, since they would be part of every value") {
    table("path, label\n1.jpg, a\n").check_refused(ec::bad_data, {"line 1", "\" label\"", "blanks"});
  }

  TEST_CASE("a class whose name does not fit a line is refused") {
    table("path,label\n1.jpg,\"big\ncat\"\n").check_refused(ec::bad_data, {"big\\x0acat", "control character"});
  }

  TEST_CASE("a sample of a manifest is its file, label and weight") {
    const table set("path,label,weight\n1.jpg,a,0.25\n");
    add_file(set.folder, "1.jpg", "bytes");
    const auto sample = take(set.open()->read(0));
    CHECK(text_of(sample) == "bytes");
    CHECK(sample.format == sample_format::image_file);
    CHECK(sample.label == 0);
    CHECK(sample.weight == 0.25f);
    CHECK(set.open()->encoded_bytes(0) == 5);
  }

  TEST_CASE("tabs come with the name .tsv or with a tab in the header") {
    CHECK(table("path\tlabel\na,b.jpg\tx\n").names() == strings{"a,b.jpg"});
    CHECK(table("path\tlabel\na,b.jpg\tx\n", "list.tsv").names() == strings{"a,b.jpg"});
    table("path,label\na.jpg,x\n", "list.tsv").check_refused(ec::bad_data, {"line 1", "no column \"path\""});
  }

  TEST_CASE("quotes, CRLF and a byte order mark are understood") {
    const table set("\xEF\xBB\xBFpath,label\r\n\"a \"\"b\"\", c.jpg\",x\r\n\"x\n.jpg\",y\r\n");
    CHECK(set.names() == strings{"a \"b\", c.jpg", "x\\x0a.jpg"});
  }

  TEST_CASE("paths are relative to the manifest, or to the root, unless they are absolute") {
    table set("path,label\n1.jpg,x\n/abs/2.jpg,x\n", "lists/list.csv");
    CHECK(set.open()->sample_name(0) == set.folder / "lists/1.jpg");
    CHECK(set.open()->sample_name(1) == "/abs/2.jpg");
    set.config.root = set.folder.path();
    CHECK(set.open()->sample_name(0) == set.folder / "1.jpg");
    set.config.file = "lists/list.csv";
    CHECK(set.open()->sample_name(0) == set.folder / "1.jpg");
  }

  TEST_CASE("a missing file is told when the manifest is opened and fails when it is read") {
    const table set("path,label\n1.jpg,x\ngone.jpg,x\n");
    add_file(set.folder, "1.jpg");
    const auto data = set.open();
    REQUIRE(data->notices().size() == 1);
    CHECK(data->notices()[0].find("1 file is missing or empty") != std::string::npos);
    CHECK(data->notices()[0].find("gone.jpg") != std::string::npos);
    CHECK(data->read(0));
    check_failed(data->read(1), ec::not_found, {set.folder / "gone.jpg"});
  }

  TEST_CASE("a split is the rows that say so, and all splits have the same ids") {
    table set("path,label,split\n1.jpg,a,train\n2.jpg,c,val\n3.jpg,b,train\n4.jpg,a,val\n");
    set.config.split = "val";
    CHECK(set.names() == strings{"2.jpg", "4.jpg"});
    CHECK(set.open()->class_names() == strings{"a", "b", "c"});
    CHECK(labels_of(*set.open()) == labels{2, 0});
    set.config.split = "test";
    set.check_refused(ec::bad_data, {"no row has the split \"test\"", "train"});
    table without("path,label\n1.jpg,a\n");
    without.config.split = "val";
    without.check_refused(ec::bad_data, {"no column \"split\"", "\"val\""});
  }

  TEST_CASE("labels that are all whole numbers are ids, unless they are names") {
    const table set("path,label\n1.jpg,2\n2.jpg,0\n");
    CHECK(labels_of(*set.open()) == labels{2, 0});
    CHECK(set.open()->num_classes() == 3);
    CHECK(set.open()->class_names().empty());
    CHECK(labels_of(*set.open({"x", "y", "z", "w"})) == labels{2, 0});
    CHECK(labels_of(*set.open({"0", "1", "2"})) == labels{2, 0});
    CHECK(labels_of(*set.open({"2", "1", "0"})) == labels{0, 2});
  }

  TEST_CASE("a label that no class has is refused with line, sample, label and number of classes") {
    const table ids("path,label\n1.jpg,2\n2.jpg,7\n");
    ids.check_refused(ec::bad_data, {"line 3", "2.jpg", "label 7", "from 0 to 2", "3 classes"}, {"a", "b", "c"});
    const table names("path,label\n1.jpg,a\n2.jpg,x\n");
    names.check_refused(ec::mismatch, {"line 3", "2.jpg", "\"x\"", "expected one of: a, b"}, {"a", "b"});
  }

  TEST_CASE("what is wrong with a row is told with its line") {
    table("path,label\n1.jpg,a\n2.jpg\n").check_refused(ec::bad_data, {"line 3", "1 fields", "expected 2"});
    table("path,label\n,a\n").check_refused(ec::bad_data, {"line 2", "path is empty"});
    table("path,label\n1.jpg,\n").check_refused(ec::bad_data, {"line 2", "label of \"1.jpg\" is empty"});
    for (const char* weight : {"0", "-1", "nan", "inf", "much", "1x"}) {
      CAPTURE(weight);
      table(std::string("path,label,weight\n1.jpg,a,") + weight + "\n")
        .check_refused(ec::bad_data, {"line 2", weight, "a number above 0"});
    }
    table("path,label\n\"1.jpg,a\n").check_refused(ec::bad_data, {"line 2", "not closed"});
  }

  TEST_CASE("a manifest without header, rows or file is refused") {
    table("file,label\n1.jpg,a\n").check_refused(ec::bad_data, {"line 1", "no column \"path\"", "\"file\", \"label\""});
    table("path,class\n1.jpg,a\n").check_refused(ec::bad_data, {"no column \"label\""});
    table("path,label\n").check_refused(ec::bad_data, {"no rows"});
    table("\n").check_refused(ec::bad_data, {"an empty file"});
    table("").check_refused(ec::bad_data, {"empty file"});
    dataset_config config;
    check_failed(open_manifest_dataset(config, {}), ec::bad_config, {"no `file`"});
    config.file = "/no/such.csv";
    check_failed(open_manifest_dataset(config, {}), ec::not_found, {"/no/such.csv"});
  }

  TEST_CASE("the fingerprint of a manifest changes with whatever it says of its samples") {
    const auto of = [](std::string_view text, const strings& classes = {}) {
      return table(text).open(classes)->fingerprint();
    };
    const auto fingerprint = of("path,label\n1.jpg,a\n2.jpg,b\n");
    CHECK(of("label,path\na,1.jpg\nb,2.jpg\n") == fingerprint);
    CHECK(of("path,label\n2.jpg,b\n1.jpg,a\n") != fingerprint);
    CHECK(of("path,label\n1.jpg,b\n2.jpg,a\n") != fingerprint);
    CHECK(of("path,label,weight\n1.jpg,a,2\n2.jpg,b,1\n") != fingerprint);
    CHECK(of("path,label\n1.jpg,a\n2.jpg,b\n", {"b", "a"}) != fingerprint);
  }
}
