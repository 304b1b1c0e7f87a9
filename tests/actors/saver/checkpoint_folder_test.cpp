#include "actors/saver/checkpoint_folder.hpp"

#include "actors/saver/checkpoint.hpp"
#include "actors/saver/checkpoint_manifest.hpp"
#include "tests/actors/saver/fixtures.hpp"
#include "tests/support/scratch_folder.hpp"

#include <chrono>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <unistd.h>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

checkpoint_entry written(const std::string& folder, const snapshot& state) {
  auto entry = write_checkpoint(folder, state, {}, std::chrono::system_clock::now());
  REQUIRE_MESSAGE(entry, entry.error().context);
  return *entry;
}

std::set<std::string> names_in(const std::string& folder) {
  std::set<std::string> result;
  for (auto& x : std::filesystem::directory_iterator{folder})
    result.insert(x.path().filename().string());
  return result;
}

enum class kind { resumable, weights, damaged };

// Entries called "1", "2" ... of these kinds, the newest last.
std::vector<checkpoint_entry> entries_of(const std::vector<kind>& kinds) {
  std::vector<checkpoint_entry> result;
  for (auto x : kinds) {
    checkpoint_entry entry;
    entry.name = std::to_string(result.size() + 1);
    entry.has_training_state = x == kind::resumable;
    entry.damage = x == kind::damaged ? "torn" : "";
    result.push_back(entry);
  }
  return result;
}

std::set<std::string> deleted(const std::vector<kind>& kinds, std::uint64_t keep_last,
                              const std::set<std::string>& protected_names = {}) {
  std::set<std::string> result;
  for (auto& x : to_delete(entries_of(kinds), keep_last, protected_names))
    result.insert(x.name);
  return result;
}

using names = std::set<std::string>;
constexpr auto r = kind::resumable;
constexpr auto w = kind::weights;
constexpr auto d = kind::damaged;

} // namespace

TEST_SUITE_BEGIN("actors/saver/checkpoint_folder");

TEST_CASE("checkpoints are listed oldest first, with what their manifests say") {
  scratch_folder scratch;
  auto second = written(scratch.path(), snapshot_at(200, 2, false));
  auto third = written(scratch.path(), snapshot_at(1'000'000'000'000, 3));
  auto first = written(scratch.path(), snapshot_at(100, 1));
  auto entries = list_checkpoints(scratch.path());
  REQUIRE(entries);
  REQUIRE(entries->size() == 3);
  CHECK((*entries)[0].name == first.name);
  CHECK((*entries)[1].name == second.name);
  CHECK((*entries)[2].name == third.name);
  CHECK((*entries)[0].path == first.path);
  CHECK((*entries)[0].tag == first.tag);
  CHECK((*entries)[0].has_training_state);
  CHECK_FALSE((*entries)[1].has_training_state);
  CHECK((*entries)[2].num_bytes == third.num_bytes);
  CHECK((*entries)[2].damage.empty());
}

TEST_CASE("what is not a checkpoint is not listed") {
  scratch_folder scratch;
  auto entry = written(scratch.path(), snapshot_at(100, 1));
  REQUIRE(publish_link(scratch.path(), latest_link, entry.name));
  std::filesystem::copy(entry.path, scratch / (".tmp-" + entry.name + "-1"));
  std::filesystem::copy(entry.path, scratch / (".del-" + entry.name));
  std::filesystem::copy(entry.path, scratch / (entry.name + ".bak"));
  put_file(scratch / "readme", "");
  auto entries = list_checkpoints(scratch.path());
  REQUIRE(entries);
  CHECK(entries->size() == 1);
}

TEST_CASE("a checkpoint without a good manifest is listed as damaged") {
  scratch_folder scratch;
  auto entry = written(scratch.path(), snapshot_at(100, 1));
  SUBCASE("torn") {
    put_file(entry.path + "/" + manifest_file, "{");
  }
  SUBCASE("empty") {
    put_file(entry.path + "/" + manifest_file, "");
  }
  SUBCASE("absent") {
    std::filesystem::remove(entry.path + "/" + manifest_file);
  }
  SUBCASE("huge") {
    put_file(entry.path + "/" + manifest_file, std::string(max_manifest_bytes + 1, ' '));
  }
  SUBCASE("of another step") {
    auto other = written(scratch.path(), snapshot_at(200, 2));
    put_file(entry.path + "/" + manifest_file, bytes_of(other.path + "/" + manifest_file));
  }
  auto entries = list_checkpoints(scratch.path());
  REQUIRE(entries);
  auto& found = entries->front();
  CHECK(found.damage.find(entry.path) != std::string::npos);
  CHECK(found.tag.step == 100);
  CHECK(found.tag.version == 1);
  CHECK_FALSE(found.has_training_state);
}

TEST_CASE("a folder that does not exist has no checkpoints, a file is no folder") {
  scratch_folder scratch;
  auto entries = list_checkpoints(scratch / "absent");
  REQUIRE(entries);
  CHECK(entries->empty());
  put_file(scratch / "file", "");
  CHECK_FALSE(list_checkpoints(scratch / "file"));
}

TEST_CASE("the next version is one that nothing has used") {
  scratch_folder scratch;
  auto next = [&] {
    auto version = next_version(scratch.path());
    REQUIRE(version);
    return *version;
  };
  CHECK(*next_version(scratch / "absent") == 1);
  CHECK(next() == 1);
  written(scratch.path(), snapshot_at(100, 7));
  CHECK(next() == 8);
  std::filesystem::create_directory(scratch / "step-000000100-v0009-20261130T190501Z"); // Damaged.
  CHECK(next() == 10);
  std::filesystem::create_directory(scratch / ".tmp-step-000000100-v0011-20261130T190501Z-123");
  CHECK(next() == 12);
  std::filesystem::create_directory(scratch / ".del-step-000000100-v0013-20261130T190501Z");
  CHECK(next() == 14);
}

TEST_CASE("links point where they were last told to, by a relative path") {
  scratch_folder scratch;
  CHECK(linked_checkpoint(scratch.path(), latest_link).error().code == ec::not_found);
  for (std::uint64_t version : {1, 2}) {
    auto entry = written(scratch.path(), snapshot_at(100 * version, version));
    REQUIRE(publish_link(scratch.path(), latest_link, entry.name));
    auto name = linked_checkpoint(scratch.path(), latest_link);
    REQUIRE(name);
    CHECK(*name == entry.name);
    CHECK(load_checkpoint(scratch / latest_link)->state.tag.version == version);
  }
  put_file(scratch / "plain", "");
  CHECK(linked_checkpoint(scratch.path(), "plain").error().code == ec::io_error);
}

TEST_CASE("a link that cannot be made is reported and the old one stays") {
  scratch_folder scratch;
  std::filesystem::create_directories(scratch / "best/inside");
  CHECK_FALSE(publish_link(scratch.path(), best_link, "x")); // A link cannot take a folder's place.
  CHECK(names_in(scratch.path()) == names{"best"});
}

TEST_CASE("the newest keep_last stay") {
  CHECK(deleted({r, r, r, r, r}, 3) == names{"1", "2"});
  CHECK(deleted({r, r, r}, 3).empty());
  CHECK(deleted({r, r}, 3).empty());
  CHECK(deleted({}, 3).empty());
  CHECK(deleted({r, r, r}, 1) == names{"1", "2"});
}

TEST_CASE("protected ones stay besides") {
  CHECK(deleted({r, r, r, r, r}, 2, {"1"}) == names{"2", "3"});
  CHECK(deleted({r, r, r}, 1, {"1", "2", "no such"}).empty());
  CHECK(deleted({r, r, r}, 2, {"3"}) == names{"1"});
}

TEST_CASE("weights alone never push out what can be resumed") {
  CHECK(deleted({r, r, w, w, w}, 2) == names{"3"});
  CHECK(deleted({w, r, w, r, w, r}, 1) == names{"1", "2", "3", "4"});
}

TEST_CASE("damaged ones count for nothing and go when enough newer ones stay") {
  CHECK(deleted({r, r, d, d, d}, 2).empty());
  CHECK(deleted({d, r, d, r}, 1) == names{"1", "2", "3"});
  CHECK(deleted({d, r, d, r}, 2) == names{"1"});
  CHECK(deleted({d, d, d}, 1).empty());
  CHECK(deleted({d, r}, 1, {"1"}).empty());
}

TEST_CASE("a deleted checkpoint is gone and the others are there") {
  scratch_folder scratch;
  auto first = written(scratch.path(), snapshot_at(100, 1));
  auto second = written(scratch.path(), snapshot_at(200, 2));
  REQUIRE(delete_checkpoint(first));
  CHECK(names_in(scratch.path()) == names{second.name});
  auto again = delete_checkpoint(first);
  REQUIRE_FALSE(again);
  CHECK(again.error().code == ec::not_found);
}

TEST_CASE("cleaning removes the unfinished and the half deleted alone") {
  scratch_folder scratch;
  auto entry = written(scratch.path(), snapshot_at(100, 1));
  std::filesystem::copy(entry.path, scratch / (".tmp-" + entry.name + "-1"));
  std::filesystem::copy(entry.path, scratch / (".del-" + entry.name));
  std::filesystem::create_symlink(entry.name, scratch / ".tmp-latest-1");
  put_file(scratch / ".hidden", "");
  auto count = clean_temp_folders(scratch.path());
  REQUIRE(count);
  CHECK(*count == 3);
  CHECK(names_in(scratch.path()) == names{entry.name, ".hidden"});
  CHECK(load_checkpoint(entry.path));
  CHECK(*clean_temp_folders(scratch.path()) == 0);
  CHECK(*clean_temp_folders(scratch / "absent") == 0);
}

TEST_CASE("probing makes the folder and leaves it empty") {
  scratch_folder scratch;
  REQUIRE(probe_folder(scratch / "run/checkpoints"));
  CHECK(names_in(scratch / "run/checkpoints").empty());
  CHECK(probe_folder(scratch / "run/checkpoints"));
}

TEST_CASE("probing says why a folder will not do") {
  scratch_folder scratch;
  put_file(scratch / "file", "");
  auto no_folder = probe_folder(scratch / "file");
  REQUIRE_FALSE(no_folder);
  CHECK(no_folder.error().context.find(scratch / "file") != std::string::npos);
  auto too_small = probe_folder(scratch.path(), ~0ull);
  REQUIRE_FALSE(too_small);
  CHECK(too_small.error().code == ec::io_error);
  CHECK(too_small.error().context.find("bytes free, expected at least 18446744073709551615") != std::string::npos);
  CHECK_FALSE(probe_folder("/proc/troupe"));
  if (::geteuid() != 0) {
    std::filesystem::permissions(scratch.path(),
                                 std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
    auto read_only = probe_folder(scratch.path());
    REQUIRE_FALSE(read_only);
    CHECK(read_only.error().context.find("Permission denied") != std::string::npos);
    std::filesystem::permissions(scratch.path(), std::filesystem::perms::owner_all);
  }
}

TEST_SUITE_END();
