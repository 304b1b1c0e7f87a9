#include "actors/loader/datasets/image_folder_dataset.hpp"

#include "tests/actors/loader/datasets/data_files.hpp"

#include <algorithm>

#include <sys/stat.h>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

using strings = std::vector<std::string>;

struct photos {
  scratch_folder folder;

  void add(std::initializer_list<const char*> names) const {
    for (const auto* name : names)
      add_file(folder, name);
  }
  void add_folder(const char* name) const { std::filesystem::create_directories(folder / name); }
  void link(const std::string& target, const char* name) const {
    std::filesystem::create_symlink(target, folder / name);
  }
  [[nodiscard]] expected<std::unique_ptr<dataset>> try_open(const strings& classes = {}) const {
    dataset_config config;
    config.dataset = "image_folder";
    config.root = folder.path();
    return open_image_folder_dataset(config, classes, {});
  }
  [[nodiscard]] std::unique_ptr<dataset> open(const strings& classes = {}) const { return take(try_open(classes)); }
  [[nodiscard]] strings names() const { return names_of(*open(), folder.path()); }
};

bool has_notice(const dataset& data, const std::string& part) {
  return std::any_of(data.notices().begin(), data.notices().end(),
                     [&](const std::string& x) { return x.find(part) != std::string::npos; });
}

} // namespace

TEST_SUITE("actors/loader") {
  TEST_CASE("every folder is a class and every image in or below it a sample") {
    photos set;
    set.add({"dog/2.jpg", "dog/1.png", "cat/deep/er/3.webp", "cat/1.JPG"});
    const auto data = set.open();
    CHECK(data->num_samples() == 4);
    CHECK(data->num_classes() == 2);
    CHECK(data->class_names() == strings{"cat", "dog"});
    CHECK(set.names() == strings{"cat/1.JPG", "cat/deep/er/3.webp", "dog/1.png", "dog/2.jpg"});
    CHECK(labels_of(*data) == std::vector<std::int64_t>{0, 0, 1, 1});
    CHECK(data->channels() == 0);
    CHECK(data->height() == 0);
    CHECK(data->width() == 0);
    CHECK(data->reads_files());
    CHECK(data->notices().empty());
  }

  TEST_CASE("a sample of an image folder is the bytes of its file") {
    photos set;
    add_file(set.folder, "a/1.jpg", "the bytes");
    const auto sample = take(set.open()->read(0));
    CHECK(sample.id == 0);
    CHECK(sample.label == 0);
    CHECK(sample.format == sample_format::image_file);
    CHECK(sample.weight == 1);
    CHECK(sample.channels == 0);
    CHECK(text_of(sample) == "the bytes"); // The data set is gone: the owner keeps them.
    CHECK(set.open()->encoded_bytes(0) == 9);
  }

  TEST_CASE("classes and files are in order of their bytes") {
    photos set;
    set.add(
      {"10/a.jpg", "1/a.jpg", "2/a.jpg", "Z/a.jpg", "a/b.jpg", "a/B.jpg", "a/b/1.jpg", "a/b-1.jpg", "\xff/a.jpg"});
    CHECK(set.open()->class_names() == strings{"1", "10", "2", "Z", "a", "\xff"});
    CHECK(set.names()
          == strings{"1/a.jpg", "10/a.jpg", "2/a.jpg", "Z/a.jpg", "a/B.jpg", "a/b-1.jpg", "a/b.jpg", "a/b/1.jpg",
                     "\\xff/a.jpg"});
  }

  TEST_CASE("paths are bytes") {
    photos set;
    set.add({"c/a b#.jpg", "c/x\n.jpg", "c/caf\xe9.jpg", "c/\xd7\x90.jpg"});
    const auto data = set.open();
    for (std::uint64_t id = 0; id < 4; ++id)
      CHECK(data->read(id));
  }

  TEST_CASE("clutter and files that are no images are ignored, counted and named") {
    photos set;
    set.add({"a/1.jpg", "a/notes.txt", "a/Thumbs.db", "b/2.jpg", "b/x.gif", "a/.DS_Store", ".ipynb_checkpoints/1.jpg",
             "__MACOSX/a/1.jpg", "b/.cache/9.jpg", "b/._2.jpg"});
    const auto data = set.open();
    CHECK(data->class_names() == strings{"a", "b"});
    CHECK(data->num_samples() == 2);
    CHECK(has_notice(*data, "ignored 3 files that are not images, e.g. a/Thumbs.db"));
    CHECK(has_notice(*data, "ignored 5 hidden entries, e.g. .ipynb_checkpoints"));
    CHECK(data->notices().size() == 2);
  }

  TEST_CASE("a file beside the class folders is ignored with a hint") {
    photos set;
    set.add({"a/1.jpg", "b/1.jpg", "stray.jpg"});
    CHECK(set.open()->num_samples() == 2);
    CHECK(has_notice(*set.open(), "ignored 1 file beside the class folders (move it"));
  }

  TEST_CASE("an empty class folder is a class without samples") {
    photos set;
    set.add({"a/1.jpg", "c/1.jpg", "d/readme.md"});
    set.add_folder("b");
    const auto data = set.open();
    CHECK(data->class_names() == strings{"a", "b", "c", "d"});
    CHECK(labels_of(*data) == std::vector<std::int64_t>{0, 2});
    CHECK(has_notice(*data, "2 classes have no samples: b, d"));
  }

  TEST_CASE("a table of classes fixes the ids, whatever folders there are") {
    photos set;
    set.add({"a/1.jpg", "c/1.jpg"});
    const auto data = set.open({"c", "b", "a"});
    CHECK(data->class_names() == strings{"c", "b", "a"});
    CHECK(data->num_classes() == 3);
    CHECK(labels_of(*data) == std::vector<std::int64_t>{2, 0});
    CHECK(set.names() == strings{"a/1.jpg", "c/1.jpg"});
    CHECK(has_notice(*data, "1 class has no samples: b"));
  }

  TEST_CASE("a folder that is not in the table of classes is refused by name") {
    photos set;
    set.add({"a/1.jpg", "x/1.jpg"});
    check_failed(set.try_open({"a", "b"}), ec::mismatch, {set.folder.path(), "class \"x\"", "expected one of: a, b"});
  }

  TEST_CASE("a folder without images says what it has") {
    photos set;
    check_failed(set.try_open(), ec::bad_data, {set.folder.path(), "no class folders", "/cat/1.jpg"});
    set.add({"1.jpg", "2.jpg"});
    check_failed(set.try_open(), ec::bad_data, {"no class folders", "2 files beside the class folders"});
    set.add({"a/x.gif", "b/y.txt"});
    check_failed(set.try_open(), ec::bad_data, {"no images in its 2 class folders", "2 files that are not images"});
  }

  TEST_CASE("a root that is not there or is no folder is refused by path") {
    dataset_config config;
    check_failed(open_image_folder_dataset(config, {}, {}), ec::bad_config, {"root"});
    config.root = "/no/such/folder";
    check_failed(open_image_folder_dataset(config, {}, {}), ec::not_found, {"/no/such/folder"});
    photos set;
    config.root = add_file(set.folder, "file.jpg");
    check_failed(open_image_folder_dataset(config, {}, {}), ec::bad_data, {"file.jpg", "is a file"});
  }

  TEST_CASE("links to files and folders are followed, and loops end") {
    photos set;
    const photos elsewhere;
    elsewhere.add({"1.jpg", "sub/2.jpg"});
    set.add({"a/1.jpg", "a/in/2.jpg"});
    set.link(elsewhere.folder.path(), "b");
    set.link(elsewhere.folder / "1.jpg", "a/linked.jpg");
    set.link(elsewhere.folder.path(), "a/other");
    set.link(set.folder / "a", "a/in/loop");
    set.link("..", "a/up");
    set.link(".", "self");
    set.link("/nowhere.jpg", "a/dead.jpg");
    CHECK(set.names()
          == strings{"a/1.jpg", "a/in/2.jpg", "a/linked.jpg", "a/other/1.jpg", "a/other/sub/2.jpg", "b/1.jpg",
                     "b/sub/2.jpg"});
    CHECK(set.open()->class_names() == strings{"a", "b"});
    CHECK(has_notice(*set.open(), "ignored 3 links back to folders"));
    CHECK(has_notice(*set.open(), "ignored 1 link that leads nowhere, e.g. a/dead.jpg"));
  }

  TEST_CASE("a folder counts as itself rather than as a link to it") {
    photos set;
    set.add({"a/z/1.jpg"});
    set.link("z", "a/b");
    CHECK(set.names() == strings{"a/z/1.jpg"});
  }

  TEST_CASE("a pipe with the name of an image is ignored, and refused if it takes a file's place") {
    photos set;
    set.add({"a/1.jpg", "a/2.jpg"});
    REQUIRE(::mkfifo((set.folder / "a/pipe.jpg").c_str(), 0600) == 0);
    const auto data = set.open();
    CHECK(data->num_samples() == 2);
    CHECK(has_notice(*data, "1 entry that is named like an image but is not a file"));
    std::filesystem::remove(set.folder / "a/1.jpg");
    REQUIRE(::mkfifo((set.folder / "a/1.jpg").c_str(), 0600) == 0);
    check_failed(data->read(0), ec::io_error, {set.folder / "a/1.jpg", "not a regular file"});
  }

  TEST_CASE("a file that is gone or empty is named with its whole path when it is read") {
    photos set;
    set.add({"a/1.jpg", "a/2.jpg"});
    put_file(set.folder / "a/2.jpg", "");
    const auto data = set.open();
    CHECK(data->num_samples() == 2);
    std::filesystem::remove(set.folder / "a/1.jpg");
    check_failed(data->read(0), ec::not_found, {set.folder / "a/1.jpg"});
    check_failed(data->read(1), ec::bad_data, {set.folder / "a/2.jpg", "empty file"});
    check_failed(data->read(2), ec::bad_data, {"sample 2", "below 2"});
  }

  TEST_CASE("the fingerprint of an image folder changes with names, sizes and classes, not with the place") {
    photos set;
    set.add({"a/1.jpg", "b/2.jpg"});
    const auto fingerprint = set.open()->fingerprint();
    CHECK(fingerprint.find(' ') == std::string::npos);
    photos same;
    same.add({"b/2.jpg", "a/1.jpg"});
    CHECK(same.open()->fingerprint() == fingerprint);
    CHECK(same.open({"a", "b"})->fingerprint() == fingerprint);
    CHECK(same.open({"b", "a"})->fingerprint() != fingerprint);
    CHECK(same.open({"a", "b", "c"})->fingerprint() != fingerprint);
    same.add({"b/3.jpg"});
    CHECK(same.open()->fingerprint() != fingerprint);
    put_file(set.folder / "a/1.jpg", "longer than before");
    CHECK(set.open()->fingerprint() != fingerprint);
  }
}
