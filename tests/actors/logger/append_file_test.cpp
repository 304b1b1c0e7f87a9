#include "actors/logger/append_file.hpp"

#include "tests/actors/logger/temporary_folder.hpp"

#include <csignal>
#include <sys/resource.h>

#include "tests/support/doctest.hpp"

namespace {

using namespace troupe;

/// Files of this process may not grow past `num_bytes`: a full disk that every machine has.
class file_size_limit {
public:
  explicit file_size_limit(rlim_t num_bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{num_bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~file_size_limit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

private:
  rlimit before_{};
  void (*handler_)(int);
};

} // namespace

TEST_SUITE("actors/logger") {

  TEST_CASE("records are appended as they are") {
    const temporary_folder folder;
    auto file = append_file::open(folder.path("x"), append_file::mode::create);
    REQUIRE(file);
    REQUIRE(file->append("one"));
    REQUIRE(file->append(std::string_view("t\0o", 3)));
    CHECK(read_text(file->path()) == std::string("onet\0o", 6));
    CHECK(file->num_bytes() == 6);
  }

  TEST_CASE("a record that the disk has no room for leaves nothing behind, and later ones are whole") {
    const temporary_folder folder;
    auto file = append_file::open(folder.path("x"), append_file::mode::create);
    REQUIRE(file);
    REQUIRE(file->append("first\n"));
    {
      const file_size_limit limit(10);
      const auto done = file->append("too long for ten bytes\n");
      REQUIRE(!done);
      CHECK(done.error().code == ec::io_error);
      CHECK(done.error().context.find(file->path()) != std::string::npos);
      CHECK(read_text(file->path()) == "first\n");
      REQUIRE(file->append("3\n"));
    }
    REQUIRE(file->append("last\n"));
    CHECK(read_text(file->path()) == "first\n3\nlast\n");
  }

  TEST_CASE("a full device is an error with the system's reason, time after time") {
    auto file = append_file::open("/dev/full", append_file::mode::extend);
    REQUIRE(file);
    for (int i = 0; i < 2; ++i) {
      const auto done = file->append("x");
      REQUIRE(!done);
      CHECK(done.error().code == ec::io_error);
      CHECK(done.error().context.find("No space left") != std::string::npos);
    }
  }

  TEST_CASE("extending a file goes on at its end") {
    const temporary_folder folder;
    write_text(folder.path("x"), "old ");
    auto file = append_file::open(folder.path("x"), append_file::mode::extend);
    REQUIRE(file);
    CHECK(file->num_bytes() == 4);
    REQUIRE(file->append("new"));
    CHECK(read_text(file->path()) == "old new");
  }

  TEST_CASE("creating a file refuses one that is there, extending a folder fails, and a missing folder is named") {
    const temporary_folder folder;
    write_text(folder.path("x"), "old");
    CHECK(append_file::open(folder.path("x"), append_file::mode::create).error().code == ec::io_error);
    CHECK(read_text(folder.path("x")) == "old");
    CHECK(append_file::open(folder.path(), append_file::mode::extend).error().code == ec::io_error);
    const auto missing = append_file::open(folder.path("no/x"), append_file::mode::create);
    REQUIRE(!missing);
    CHECK(missing.error().code == ec::not_found);
    CHECK(missing.error().context.find(folder.path("no/x")) != std::string::npos);
  }

} // TEST_SUITE
