#include "actors/glue/trace_map.hpp"

#include "actors/glue/trace_recorder.hpp"
#include "tests/support/killed_process.hpp"
#include "tests/support/scratch_folder.hpp"

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sched.h>
#include <string>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace fs = std::filesystem;

namespace {

std::shared_ptr<trace_map> make(const std::string& path, std::size_t num_rings = 2) {
  auto map = trace_map::create({.path = path, .nonce = 42, .num_rings = num_rings, .ring_capacity = 64});
  REQUIRE(map);
  return *map;
}

trace_record numbered(std::uint64_t n) {
  return {.message = n, .enqueued_ns = 1, .dequeued_ns = 2, .ended_ns = 3, .batch = n, .receiver = 1, .name = 1};
}

/// Bounds the size of the files that the process may write, and turns the signal for it into an error.
class file_size_limit {
public:
  explicit file_size_limit(rlim_t num_bytes) : old_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit limit{num_bytes, old_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  file_size_limit(const file_size_limit&) = delete;
  file_size_limit& operator=(const file_size_limit&) = delete;
  ~file_size_limit() {
    setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, old_handler_);
  }

private:
  void (*old_handler_)(int);
  rlimit old_{};
};

/// Mounts a disk of one MiB in a namespace of the process's own: nobody else sees it, and it goes with the process.
bool mount_small_disk(const std::string& folder) {
  const auto user = std::to_string(getuid());
  const auto group = std::to_string(getgid());
  if (unshare(CLONE_NEWNS) != 0) { // Whoever is not root must become it in a user namespace first.
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0)
      return false;
    std::ofstream{"/proc/self/setgroups"} << "deny";
    std::ofstream{"/proc/self/uid_map"} << "0 " + user + " 1";
    std::ofstream{"/proc/self/gid_map"} << "0 " + group + " 1";
  }
  mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
  return mount("none", folder.c_str(), "tmpfs", 0, "size=1m") == 0;
}

} // namespace

TEST_SUITE_BEGIN("actors/glue");

TEST_CASE("what one mapping of the file writes the other one reads") {
  const scratch_folder folder;
  const auto path = folder / "rings.bin";
  const auto writer = make(path);
  CHECK(writer->problem().empty());
  const auto index = writer->claim_ring();
  writer->ring(index).push(numbered(7), ring_policy::keep_all);
  writer->stats(index).count(numbered(7));
  const auto name = writer->strings().intern("loader");

  const auto reader = trace_map::open(path);
  REQUIRE(reader);
  const auto& map = **reader;
  CHECK(map.header().nonce == 42);
  CHECK(map.header().process == static_cast<std::uint64_t>(getpid()));
  CHECK(map.strings().text(name) == "loader");
  CHECK(map.ring_used(index));
  CHECK_FALSE(map.ring_used(index + 1));
  std::vector<trace_record> records;
  map.ring(index).read(0, records);
  REQUIRE(records.size() == 1);
  CHECK(records[0] == numbered(7));
  CHECK(map.merged_stats().at({.receiver = 1, .type = 1}).count() == 1);
}

TEST_CASE("a ring is one thread's until it is given back, and keeps its records then") {
  const auto map = make("", 2);
  const auto first = map->claim_ring();
  const auto second = map->claim_ring();
  CHECK(first != second);
  CHECK(map->claim_ring() == map->header().num_rings);
  map->ring(first).push(numbered(1), ring_policy::keep_all);
  map->release_ring(first);
  CHECK(map->claim_ring() == first);
  CHECK(map->ring(first).head() == 1);
}

TEST_CASE("sizes that make no sense are refused") {
  CHECK_FALSE(trace_map::create({.path = {}, .num_rings = 0}));
  CHECK_FALSE(trace_map::create({.path = {}, .num_rings = 5000}));
  const auto map = trace_map::create({.path = {}, .ring_capacity = 1000});
  REQUIRE_FALSE(map);
  CHECK(map.error().code == ec::bad_config);
  CHECK(map.error().context.find("1000") != std::string::npos);
}

TEST_CASE("where the file cannot be made, plain memory does, and the reason is told") {
  const auto map = make("/nonexistent/rings.bin");
  CHECK(map->path().empty());
  CHECK(map->problem().find("/nonexistent/rings.bin") != std::string::npos);
  const auto index = map->claim_ring();
  CHECK(map->ring(index).push(numbered(1), ring_policy::keep_all));
}

TEST_CASE("a disk without room for the tables leaves no file and no fault") {
  const scratch_folder folder;
  const file_size_limit limit{1 << 16};
  const auto map = make(folder / "rings.bin");
  CHECK(map->path().empty());
  CHECK(map->problem().find("no room") != std::string::npos);
  CHECK_FALSE(fs::exists(folder / "rings.bin"));
  CHECK(map->strings().intern("still works") != 0);
}

TEST_CASE("a ring that finds no room on the disk lies in memory, is counted, and faults nobody") {
  const scratch_folder folder;
  constexpr int no_small_disk = 77;
  const auto child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    if (!mount_small_disk(folder.path()))
      _exit(no_small_disk);
    const auto map = trace_map::create({.path = folder / "rings.bin", .num_rings = 4, .ring_capacity = 1024});
    if (!map || (*map)->path().empty())
      _exit(1);
    const auto index = (*map)->claim_ring();
    for (std::uint64_t n = 0; n < 1024; ++n)
      (*map)->ring(index).push(numbered(n), ring_policy::keep_all);
    std::vector<trace_record> records;
    (*map)->ring(index).read(0, records);
    _exit((*map)->header().rings_in_memory == 1 && records.size() == 1024 ? 0 : 2);
  }
  int status = 0;
  waitpid(child, &status, 0);
  REQUIRE(WIFEXITED(status));
  if (WEXITSTATUS(status) == no_small_disk)
    MESSAGE("not tested: this machine lets nobody mount a small disk");
  else
    CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("a file that is cut off anywhere, or is something else, is refused with a reason") {
  const scratch_folder folder;
  const auto path = folder / "rings.bin";
  make(path);
  const auto whole = fs::file_size(path);
  for (const auto size : {whole - 1, whole / 2, std::uintmax_t{4096}, std::uintmax_t{10}, std::uintmax_t{0}}) {
    CAPTURE(size);
    fs::resize_file(path, size);
    const auto map = trace_map::open(path);
    REQUIRE_FALSE(map);
    CHECK(map.error().code == ec::corrupt);
  }
  std::ofstream{folder / "other.bin"} << std::string(10'000'000, 'x');
  const auto other = trace_map::open(folder / "other.bin");
  REQUIRE_FALSE(other);
  CHECK(other.error().context.find("magic") != std::string::npos);
  const auto missing = trace_map::open(folder / "none.bin");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code == ec::not_found);
}

TEST_CASE("a file whose header contradicts itself is refused") {
  const scratch_folder folder;
  const auto path = folder / "rings.bin";
  const auto writer = make(path);
  SUBCASE("version") {
    writer->header().version = 99;
  }
  SUBCASE("capacity that is no power of two") {
    writer->header().ring_capacity = 63;
  }
  SUBCASE("capacity beyond the file") {
    writer->header().ring_capacity = std::uint64_t{1} << 40;
  }
  SUBCASE("rings beyond the file") {
    writer->header().num_rings = 1000;
  }
  SUBCASE("rings without measure") {
    writer->header().num_rings = ~std::uint64_t{0};
  }
  CHECK_FALSE(trace_map::open(path));
}

TEST_CASE("what a process recorded outlives its SIGKILL, with what it was at") {
  const scratch_folder folder;
  test::run_and_kill([&] {
    auto recorder = trace_recorder::start({.folder = folder.path(), .num_rings = 2, .ring_capacity = 64});
    if (!recorder)
      _exit(1);
    auto& map = (*recorder)->map();
    const auto name = map.strings().intern("augmenter#0");
    for (std::uint64_t n = 1; n <= 100; ++n) {
      auto record = numbered(n);
      record.receiver = name;
      (*recorder)->put(record);
    }
    auto actor = map.actor((*recorder)->claim_actor(17));
    actor.rename(name);
    actor.begin({.message = 101, .since_ns = 5, .type = map.strings().intern("chunk"), .ids = {.batch = 3}});
    test::kill_me();
  });

  const auto files = fs::directory_iterator{folder.path()};
  const auto map = trace_map::open(begin(files)->path().string());
  REQUIRE(map);
  std::vector<trace_record> records;
  CHECK((*map)->ring(0).read(0, records) == 100);
  REQUIRE(records.size() == 64);
  CHECK(records.front().message == 37);
  CHECK(records.back().message == 100);
  const auto stats = (*map)->merged_stats();
  REQUIRE(stats.size() == 1);
  CHECK(stats.begin()->second.count() == 100);
  const auto at = in_progress(**map);
  REQUIRE(at.size() == 1);
  CHECK(at[0].actor == "augmenter#0");
  CHECK(at[0].message_type == "chunk");
  CHECK(at[0].message == 101);
  CHECK(at[0].ids.batch == 3);
}

TEST_SUITE_END();
