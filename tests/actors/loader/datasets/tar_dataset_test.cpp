#include "actors/loader/datasets/tar_dataset.hpp"
#include "actors/loader/datasets/tar_index.hpp"

#include "tests/actors/loader/datasets/data_files.hpp"
#include "tests/actors/loader/datasets/tar_files.hpp"

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

using strings = std::vector<std::string>;
using labels = std::vector<std::int64_t>;
using members = std::vector<std::pair<std::string, std::string>>;

struct shards {
  scratch_folder folder;
  dataset_config config;

  explicit shards(const strings& files) {
    config.dataset = "tar";
    config.root = folder.path();
    config.files = files;
  }
  explicit shards(const members& content, tar_kind kind = tar_kind::ustar) : shards(strings{"s.tar"}) {
    write_tar(folder / "s.tar", content, kind);
  }
  [[nodiscard]] expected<std::unique_ptr<dataset>> try_open(const strings& classes = {}) const {
    return open_tar_dataset(config, classes);
  }
  [[nodiscard]] std::unique_ptr<dataset> open(const strings& classes = {}) const { return take(try_open(classes)); }
};

strings names_in(const dataset& data) {
  strings out;
  for (std::uint64_t id = 0; id < data.num_samples(); ++id)
    out.push_back(data.sample_name(id));
  return out;
}

strings bytes_in(const dataset& data) {
  strings out;
  for (std::uint64_t id = 0; id < data.num_samples(); ++id)
    out.push_back(text_of(take(data.read(id))));
  return out;
}

const members three = {{"a/001.jpg", "image one"},
                       {"a/001.cls", "2\n"},
                       {"a/002.cls", "0"},
                       {"a/002.PNG", "image two"},
                       {"b/001.webp", std::string(1500, 'x')},
                       {"b/001.cls", " 1 "}};

} // namespace

TEST_SUITE("actors/loader") {
  TEST_CASE("an image and its label are a sample, in the order of the images") {
    const shards set(three);
    const auto data = set.open();
    CHECK(names_in(*data) == strings{"s.tar/a/001.jpg", "s.tar/a/002.PNG", "s.tar/b/001.webp"});
    CHECK(labels_of(*data) == labels{2, 0, 1});
    CHECK(bytes_in(*data) == strings{"image one", "image two", std::string(1500, 'x')});
    CHECK(data->num_classes() == 3);
    CHECK(data->encoded_bytes(2) == 1500);
    CHECK(data->reads_files());
    CHECK(data->notices().empty());
    const auto sample = take(data->read(1));
    CHECK(sample.id == 1);
    CHECK(sample.label == 0);
    CHECK(sample.format == sample_format::image_file);
    check_failed(data->read(3), ec::bad_data, {"below 3"});
  }

  TEST_CASE("long and foreign names are read from every kind of tar") {
    const auto name = std::string(90, 'd') + "/" + std::string(130, 'n');
    const members content = {{name + ".jpg", "long"}, {name + ".cls", "0"}, {"x.jpg", "short"}, {"x.cls", "0"}};
    for (auto kind : {tar_kind::pax, tar_kind::gnu}) { // Ustar has no room for such a name.
      const shards set(content, kind);
      CHECK(names_in(*set.open()) == strings{"s.tar/" + name + ".jpg", "s.tar/x.jpg"});
      CHECK(bytes_in(*set.open()) == strings{"long", "short"});
    }
    const shards bytes(
      members{{"caf\xe9.jpg", "1"}, {"caf\xe9.cls", "0"}, {"\xd7\x90.jpg", "2"}, {"\xd7\x90.cls", "0"}});
    CHECK(names_in(*bytes.open()) == strings{"s.tar/caf\\xe9.jpg", "s.tar/\xd7\x90.jpg"});
    CHECK(bytes_in(*bytes.open()) == strings{"1", "2"});
  }

  TEST_CASE("a gzip archive gives the same samples") {
    shards set(strings{"s.tar.gz"});
    write_tar(set.folder / "s.tar.gz", three, tar_kind::pax, true);
    const auto data = set.open();
    CHECK(bytes_in(*data) == bytes_in(*shards(three).open()));
    CHECK(labels_of(*data) == labels{2, 0, 1});
    const auto sample = take(set.open()->read(0));
    CHECK(text_of(sample) == "image one");
    check_failed(read_tar_index(set.folder / "s.tar.gz", 1000), ec::unsupported, {"s.tar.gz", "gunzip"});
    CHECK(read_tar_index(set.folder / "s.tar.gz", 1518));
  }

  TEST_CASE("shards are read in order, also when names have ranges and kinds differ") {
    shards set(strings{"s-{08..10}.tar", "last.tgz"});
    for (const char* number : {"08", "09", "10"})
      write_tar(set.folder / ("s-" + std::string(number) + ".tar"),
                {{"1.jpg", number}, {"1.cls", "0"}, {"2.jpg", "x"}, {"2.cls", "1"}});
    write_tar(set.folder / "last.tgz", {{"1.jpg", "end"}, {"1.cls", "1"}}, tar_kind::ustar, true);
    const auto data = set.open();
    CHECK(bytes_in(*data) == strings{"08", "x", "09", "x", "10", "x", "end"});
    CHECK(data->sample_name(4) == "s-10.tar/1.jpg");
    CHECK(data->sample_name(6) == "last.tgz/1.jpg");
    set.config.files = {"s-{08..10}.tar"};
    CHECK(bytes_in(*set.open()) == strings{"08", "x", "09", "x", "10", "x"});
  }

  TEST_CASE("labels may be JSON, numbers or names") {
    const shards set(members{{"1.jpg", "1"},
                             {"1.json", R"({"label": "dog", "other": [1]})"},
                             {"2.jpg", "2"},
                             {"2.json", R"({"cls": "cat"})"},
                             {"3.jpg", "3"},
                             {"3.json", R"({"class": "dog"})"},
                             {"4.jpg", "4"},
                             {"4.json", R"({"label": "ape"})"},
                             {"4.cls", "cat"}});
    CHECK(set.open()->class_names() == strings{"cat", "dog"});
    CHECK(labels_of(*set.open()) == labels{1, 0, 1, 0});
    CHECK(labels_of(*set.open({"dog", "cat"})) == labels{0, 1, 0, 1});
    CHECK(labels_of(*shards(members{{"1.jpg", "1"}, {"1.json", R"({"label": 3})"}}).open()) == labels{3});
  }

  TEST_CASE("members that make no sample are counted and named") {
    const shards set(members{{"1.jpg", "1"},
                             {"1.cls", "0"},
                             {"2.jpg", "2"},
                             {"3.cls", "0"},
                             {"1.seg.png", "mask"},
                             {"1.txt", "caption"},
                             {"._1.jpg", "mac"},
                             {"1.png", "second"}});
    const auto data = set.open();
    CHECK(names_in(*data) == strings{"s.tar/1.jpg"});
    CHECK(data->notices()
          == strings{"ignored 1 images without a label (.cls or .json), e.g. s.tar/2.jpg",
                     "ignored 1 labels without an image, e.g. s.tar/3.cls",
                     "ignored 4 members that are neither image nor label, e.g. s.tar/1.seg.png"});
  }

  TEST_CASE("a label that is none, or that no class has, is refused by name") {
    check_failed(shards(members{{"1.jpg", "1"}, {"1.cls", " \n"}}).try_open(), ec::bad_data,
                 {"s.tar", "1.cls", "at offset", "empty"});
    for (const char* json : {"{\"label\": 1.5}", "{}", "[1]", "{", ""})
      check_failed(shards(members{{"1.jpg", "1"}, {"1.json", json}}).try_open(), ec::bad_data, {"1.json", "no label"});
    check_failed(shards(three).try_open({"a", "b"}), ec::bad_data,
                 {"s.tar/a/001.jpg", "label 2", "from 0 to 1", "2 classes"});
    check_failed(shards(members{{"1.jpg", "1"}, {"1.cls", "x"}}).try_open({"a", "b"}), ec::mismatch,
                 {"s.tar/1.jpg", "\"x\"", "expected one of: a, b"});
  }

  TEST_CASE("a shard that is cut anywhere is refused with its path and an offset") {
    const shards set(three);
    const auto bytes = bytes_of(set.folder / "s.tar");
    for (std::size_t size : {100ul, 512ul, 600ul, 1024ul, 1500ul, 3072ul, 5 * 512ul, 9 * 512ul, 13 * 512ul}) {
      CAPTURE(size);
      put_file(set.folder / "s.tar", bytes.substr(0, size));
      check_failed(set.try_open(), ec::bad_data, {set.folder / "s.tar", "at offset"});
    }
    shards packed(strings{"s.tar.gz"});
    write_tar(packed.folder / "s.tar.gz", three, tar_kind::ustar, true);
    const auto gz = bytes_of(packed.folder / "s.tar.gz");
    for (std::size_t size : {gz.size() / 2, gz.size() - 1}) {
      put_file(packed.folder / "s.tar.gz", gz.substr(0, size));
      check_failed(packed.try_open(), ec::bad_data, {"s.tar.gz", "at offset"});
    }
  }

  TEST_CASE("what is no archive, not there or without samples is refused") {
    shards set(strings{"s.tar"});
    check_failed(set.try_open(), ec::not_found, {set.folder / "s.tar"});
    add_file(set.folder, "s.tar", std::string(5000, 'x'));
    check_failed(set.try_open(), ec::bad_data, {"s.tar", "expected a whole tar archive"});
    write_tar(set.folder / "s.tar", {{"1.jpg", "1"}, {"2.txt", "1"}});
    check_failed(set.try_open(), ec::bad_data, {"s.tar", "no image with a label", "1 images without a label"});
    set.config.files.clear();
    check_failed(set.try_open(), ec::bad_config, {"no `files`"});
  }

  TEST_CASE("a shard that is cut after it was opened gives bad samples") {
    const shards set(three);
    const auto data = set.open();
    std::filesystem::resize_file(set.folder / "s.tar", 3000);
    CHECK(data->read(0));
    check_failed(data->read(2), ec::bad_data, {"s.tar/b/001.webp", "shorter"});
  }

  TEST_CASE("the fingerprint of shards changes with names, labels and sizes") {
    const auto of = [](const members& content) { return shards(content).open()->fingerprint(); };
    const members base = {{"1.jpg", "1"}, {"1.cls", "0"}, {"2.jpg", "2"}, {"2.cls", "1"}};
    CHECK(of(base) == of(base));
    CHECK(of(base) != of({{"1.jpg", "1"}, {"1.cls", "1"}, {"2.jpg", "2"}, {"2.cls", "0"}}));
    CHECK(of(base) != of({{"1.jpg", "1x"}, {"1.cls", "0"}, {"2.jpg", "2"}, {"2.cls", "1"}}));
    CHECK(of(base) != of({{"3.jpg", "1"}, {"3.cls", "0"}, {"2.jpg", "2"}, {"2.cls", "1"}}));
  }
}
