#include "app/plugins/new_plugin.hpp"

#include "tests/support/scratch_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace fs = std::filesystem;

namespace {

/// Where the build has put CMake's package and the template.
const std::string troupe_dir = TROUPE_BINARY_DIR;

std::string story_of(const expected<std::vector<std::string>>& result) {
  return result ? "" : to_string(result.error());
}

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_SUITE("app/plugins") {

  TEST_CASE("a new plugin is a whole project of five files, and all are returned") {
    scratch_folder dir;
    const auto written = write_new_plugin("random_fog", dir.path(), troupe_dir);
    REQUIRE_MESSAGE(written, story_of(written));
    const auto folder = dir / "random_fog/";
    CHECK(*written
          == std::vector<std::string>{folder + "CMakeLists.txt", folder + "README.md", folder + "random_fog.cpp",
                                      folder + "random_fog.yaml", folder + "random_fog_test.cpp"});
    CHECK(std::distance(fs::directory_iterator{folder}, {}) == 5);
    for (const auto& path : *written) {
      const auto text = bytes_of(path);
      CHECK_MESSAGE(mentions(text, "random_fog"), path);
      CHECK_MESSAGE(!mentions(text, "@"), path);
      CHECK_MESSAGE(std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 128; }),
                    path);
    }
  }

  TEST_CASE("the project names itself and finds the Troupe that wrote it without an argument") {
    scratch_folder dir;
    REQUIRE(write_new_plugin("fog", dir.path(), troupe_dir));
    CHECK(mentions(bytes_of(dir / "fog/fog.cpp"), "TROUPE_PLUGIN(fog, "));
    CHECK(mentions(bytes_of(dir / "fog/fog.yaml"), "plugins: [build/fog.so]"));
    CHECK(mentions(bytes_of(dir / "fog/CMakeLists.txt"), "HINTS [=[" + troupe_dir + "]=]"));
    CHECK(mentions(bytes_of(dir / "fog/CMakeLists.txt"), "troupe_add_plugin(fog SOURCES fog.cpp TESTS fog_test.cpp)"));
  }

  TEST_CASE("the plugin is short enough to be read at once") {
    scratch_folder dir;
    REQUIRE(write_new_plugin("fog", dir.path(), troupe_dir));
    const auto text = bytes_of(dir / "fog/fog.cpp");
    CHECK(std::count(text.begin(), text.end(), '\n') < 60);
  }

  TEST_CASE("the folder above is made where it is missing") {
    scratch_folder dir;
    CHECK(write_new_plugin("fog", dir / "my/plugins", troupe_dir));
    CHECK(fs::exists(dir / "my/plugins/fog/fog.cpp"));
  }

  TEST_CASE("a name that is not snake_case is refused, with the name and what was expected") {
    scratch_folder dir;
    const std::string longest(63, 'a');
    for (const auto& name : std::vector<std::string>{"", "Fog", "random-fog", "1fog", "_fog", "fog_", "random__fog",
                                                     "a b", "../fog", "f/g", "f\xc3\xb6g", longest + "a"}) {
      const auto written = write_new_plugin(name, dir.path(), troupe_dir);
      REQUIRE_FALSE(written);
      CHECK(written.error().code == ec::bad_config);
      CHECK_MESSAGE(mentions(story_of(written), "\"" + name + "\": expected a name in snake_case"), story_of(written));
    }
    CHECK(fs::is_empty(dir.path()));
    CHECK(write_new_plugin(longest, dir.path(), troupe_dir));
  }

  TEST_CASE("a name that CMake or Troupe has for something else is refused") {
    scratch_folder dir;
    for (const std::string name :
         {"test", "all", "preinstall", "opencv_core", "opencv_fog", "random_crop", "normalize", "resize"}) {
      const auto written = write_new_plugin(name, dir.path(), troupe_dir);
      REQUIRE_FALSE(written);
      CHECK(written.error().code == ec::bad_config);
      CHECK_MESSAGE(mentions(story_of(written), name + ": "), story_of(written));
    }
    CHECK(fs::is_empty(dir.path()));
  }

  TEST_CASE("whatever has the name already is left as it is") {
    scratch_folder dir;
    fs::create_directory(dir / "folder");
    put_file(dir / "folder/note", "mine");
    put_file(dir / "file", "mine");
    fs::create_symlink("nowhere", dir / "link");
    for (const std::string name : {"folder", "file", "link"}) {
      const auto written = write_new_plugin(name, dir.path(), troupe_dir);
      REQUIRE_FALSE(written);
      CHECK(written.error().code == ec::bad_config);
      CHECK_MESSAGE(mentions(story_of(written), (dir / name) + ": is there already"), story_of(written));
    }
    CHECK(bytes_of(dir / "folder/note") == "mine");
    CHECK(std::distance(fs::directory_iterator{dir / "folder"}, {}) == 1);
    CHECK(bytes_of(dir / "file") == "mine");
    CHECK_FALSE(fs::exists(dir / "nowhere"));
  }

  TEST_CASE("without a template nothing is written, and the place is named") {
    scratch_folder dir;
    const auto written = write_new_plugin("fog", dir / "plugins", dir.path());
    REQUIRE_FALSE(written);
    CHECK(written.error().code == ec::not_found);
    CHECK_MESSAGE(mentions(story_of(written), dir / "template"), story_of(written));
    CHECK_FALSE(fs::exists(dir / "plugins"));
  }

  TEST_CASE("a project that cannot be written whole is taken away again") {
    scratch_folder dir;
    fs::create_directories(dir / "template/b.in"); // A folder cannot be read as a file.
    put_file(dir / "template/a.in", "x");
    const auto written = write_new_plugin("fog", dir.path(), dir.path());
    REQUIRE_FALSE(written);
    CHECK_FALSE(fs::exists(dir / "fog"));
  }

  TEST_CASE("CMake's package is found beside a built binary and beside an installed one") {
    scratch_folder dir;
    fs::create_directories(dir / "lib/cmake/Troupe");
    fs::create_directories(dir / "bin");
    const auto none = find_troupe_dir(dir / "bin");
    REQUIRE_FALSE(none);
    CHECK(none.error().code == ec::not_found);
    put_file(dir / "lib/cmake/Troupe/TroupeConfig.cmake", "");
    const auto installed = find_troupe_dir(dir / "bin");
    REQUIRE(installed);
    CHECK(*installed == dir / "lib/cmake/Troupe");
    const auto built = find_troupe_dir(troupe_dir);
    REQUIRE(built);
    CHECK(*built == troupe_dir);
  }
}
