#include "app/config/load_config.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

constexpr const char* small = "data:\n  train: {dataset: synthetic}\n";

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A folder that is gone when the test ends.
struct scratch_folder {
  std::filesystem::path path;
  scratch_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "troupe-config-XXXXXX").string();
    path = ::mkdtemp(name.data());
  }
  ~scratch_folder() { std::filesystem::remove_all(path); }
  std::filesystem::path write(const std::string& name, const std::string& bytes) const {
    std::ofstream{path / name, std::ios::binary} << bytes;
    return path / name;
  }
};

} // namespace

TEST_SUITE("app/config") {

  TEST_CASE("a file is read; what is no file is refused") {
    const scratch_folder folder;
    const auto good = folder.write("good.yaml", small);
    CHECK(load_config(good, {"train.epochs=3"})->train.epochs == 3);

    const auto missing = load_config(folder.path / "none.yaml");
    REQUIRE_FALSE(missing);
    CHECK(missing.error().code == ec::not_found);
    CHECK(contains(missing.error().context, "none.yaml: no such file"));

    const auto of_folder = load_config(folder.path);
    REQUIRE_FALSE(of_folder);
    CHECK(contains(of_folder.error().context, "is a folder"));

    const auto huge = load_config(folder.write("huge.yaml", std::string((1u << 20) + 1, '#')));
    REQUIRE_FALSE(huge);
    CHECK(contains(huge.error().context, "larger than 1048576 bytes"));

    const auto empty = load_config(folder.write("empty.yaml", ""));
    REQUIRE_FALSE(empty);
    CHECK(empty.error().code == ec::bad_config);
    CHECK(contains(empty.error().context, "empty.yaml:1:1: is empty"));

    CHECK(contains(load_config("").error().context, "no such file"));
  }

} // TEST_SUITE
