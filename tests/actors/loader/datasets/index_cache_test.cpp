#include "actors/loader/datasets/index_cache.hpp"

#include "tests/actors/loader/datasets/data_files.hpp"

#include <chrono>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

using strings = std::vector<std::string>;

/// A folder of images that has rested for a while, and a cache that takes it.
struct rested_photos {
  scratch_folder folder;
  scratch_folder home;
  std::filesystem::file_time_type start = std::filesystem::file_time_type::clock::now();
  index_cache cache{.folder = home / "made/when/needed", .min_files = 3};

  rested_photos() {
    for (const auto* name : {"a/1.jpg", "a/deep/2.jpg", "b/3.jpg", "b/notes.txt"})
      add_file(folder, name);
    std::filesystem::create_directories(folder / "c");
    rest();
  }
  /// Makes the folders look as if nothing had been done in them for so many hours.
  void rest(int num_hours = 9) const {
    for (const auto* name : {"", "a", "a/deep", "b", "c"})
      if (std::filesystem::exists(folder / name))
        std::filesystem::last_write_time(folder / name, start - std::chrono::hours(num_hours));
  }
  [[nodiscard]] file_index find() const { return take(find_class_folders(folder.path(), cache)); }
  [[nodiscard]] strings index_files() const {
    strings out;
    if (std::filesystem::exists(cache.folder))
      for (const auto& entry : std::filesystem::directory_iterator(cache.folder))
        out.push_back(entry.path());
    return out;
  }
};

strings files_of(const file_index& index) {
  strings out;
  for (std::size_t i = 0; i < index.files.size(); ++i)
    out.emplace_back(index.files[i]);
  return out;
}

void check_same(const file_index& a, const file_index& b) {
  CHECK(files_of(a) == files_of(b));
  CHECK(a.sizes == b.sizes);
  REQUIRE(a.classes.size() == b.classes.size());
  for (std::size_t i = 0; i < a.classes.size(); ++i) {
    CHECK(a.classes[i].name == b.classes[i].name);
    CHECK(a.classes[i].num_files == b.classes[i].num_files);
  }
  CHECK(describe(a.passed) == describe(b.passed));
}

} // namespace

TEST_SUITE("actors/loader") {
  TEST_CASE("an index is what it was when it has been packed and unpacked") {
    const rested_photos set;
    const auto index = take(scan_class_folders(set.folder.path()));
    const auto bytes = pack_index(index, "/root");
    const auto back = unpack_index(bytes, "/root");
    REQUIRE(back);
    check_same(index, *back);
    CHECK_FALSE(unpack_index(bytes, "/other"));
  }

  TEST_CASE("an index with any byte changed, or cut anywhere, is refused") {
    const rested_photos set;
    const auto bytes = pack_index(take(scan_class_folders(set.folder.path())), "/root");
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      auto damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
      CHECK_FALSE(unpack_index(damaged, "/root"));
      CHECK_FALSE(unpack_index(bytes.substr(0, i), "/root"));
    }
    CHECK_FALSE(unpack_index(bytes + "x", "/root"));
  }

  TEST_CASE("the index of a large folder is kept and used") {
    const rested_photos set;
    const auto scanned = set.find();
    REQUIRE(set.index_files().size() == 1);
    // Only the index still knows of a file whose folder looks untouched.
    std::filesystem::remove(set.folder / "a/1.jpg");
    set.rest();
    check_same(set.find(), scanned);
  }

  TEST_CASE("an index is not used once a folder has changed") {
    const rested_photos set;
    int num_hours = 8;
    for (const auto* name : {"a/deep/new.jpg", "c/new.jpg", "new class/1.jpg"}) {
      CAPTURE(name);
      const auto before = set.find().files.size();
      add_file(set.folder, name);
      CHECK(set.find().files.size() == before + 1);
      set.rest(num_hours--);
    }
  }

  TEST_CASE("an index with a folder that is gone is not used") {
    const rested_photos set;
    (void)set.find();
    std::filesystem::remove_all(set.folder / "a/deep");
    set.rest();
    CHECK(files_of(set.find()) == strings{"a/1.jpg", "b/3.jpg"});
  }

  TEST_CASE("folders that have just changed, and small ones, are not kept") {
    rested_photos set;
    add_file(set.folder, "a/4.jpg");
    CHECK(set.find().files.size() == 4);
    CHECK(set.index_files().empty());
    set.rest();
    set.cache.min_files = 5;
    (void)set.find();
    CHECK(set.index_files().empty());
  }

  TEST_CASE("a damaged index is as good as none and is replaced") {
    const rested_photos set;
    const auto scanned = set.find();
    const auto path = set.index_files().at(0);
    const auto bytes = bytes_of(path);
    put_file(path, bytes.substr(0, bytes.size() / 2));
    check_same(set.find(), scanned);
    CHECK(bytes_of(path) == bytes);
  }

  TEST_CASE("a cache that cannot be written to changes nothing") {
    rested_photos set;
    set.cache.folder = add_file(set.home, "a-file") + "/below";
    CHECK(set.find().files.size() == 3);
    set.cache.folder.clear();
    CHECK(set.find().files.size() == 3);
  }
}
