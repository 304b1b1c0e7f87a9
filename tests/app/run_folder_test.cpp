#include "app/run_folder.hpp"

#include "tests/support/scratch_folder.hpp"

#include <filesystem>
#include <set>
#include <thread>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;

TEST_SUITE("app") {

  TEST_CASE("runs of one name get folders of their own, and the newest is found by number") {
    scratch_folder dir;
    CHECK_FALSE(find_newest_run(dir.path(), "a"));
    for (auto leaf : {"a", "a-2", "a-3"}) {
      auto made = make_run_folder(dir.path(), "a");
      REQUIRE(made);
      CHECK(made->path == dir / leaf);
      CHECK(std::filesystem::is_directory(made->path + "/checkpoints"));
      CHECK(std::filesystem::is_directory(made->path + "/trace"));
    }
    for (auto other : {"ab", "a-b", "a-2x", "b-9"})
      std::filesystem::create_directory(dir / other);
    for (int i = 4; i <= 10; ++i)
      REQUIRE(make_run_folder(dir.path(), "a"));
    CHECK(find_newest_run(dir.path(), "a") == dir / "a-10");
  }

  TEST_CASE("runs that start at the same time get different folders") {
    scratch_folder dir;
    std::vector<std::string> paths(8);
    {
      std::vector<std::jthread> threads;
      for (auto& path : paths)
        threads.emplace_back([&] {
          if (auto made = make_run_folder(dir.path(), "x"))
            path = made->path;
        });
    }
    CHECK(std::set<std::string>(paths.begin(), paths.end()).size() == paths.size());
    CHECK_FALSE(std::set<std::string>(paths.begin(), paths.end()).contains(""));
  }

  TEST_CASE("a run belongs to one process at a time") {
    scratch_folder dir;
    auto made = make_run_folder(dir.path(), "a");
    REQUIRE(made);
    auto second = reopen_run_folder(made->path);
    REQUIRE_FALSE(second);
    CHECK(second.error().context.find("another process") != std::string::npos);
    const auto path = made->path;
    made->lock = file_descriptor{};
    CHECK(reopen_run_folder(path));
  }

  TEST_CASE("a place that cannot hold a run is refused with its path") {
    scratch_folder dir;
    std::ofstream(dir / "file") << "x";
    auto made = make_run_folder(dir / "file", "a");
    REQUIRE_FALSE(made);
    CHECK(made.error().context.find(dir / "file") != std::string::npos);
    CHECK_FALSE(make_run_folder("/proc/nothing", "a"));
    auto reopened = reopen_run_folder(dir.path());
    REQUIRE_FALSE(reopened);
    CHECK(reopened.error().code == ec::not_found);
  }

} // TEST_SUITE
