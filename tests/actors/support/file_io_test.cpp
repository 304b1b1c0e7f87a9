#include "actors/support/file_io.hpp"

#include "actors/support/crc32c.hpp"
#include "tests/support/scratch_folder.hpp"

#include <csignal>
#include <filesystem>
#include <iterator>
#include <span>
#include <string>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

std::size_t num_names_in(const std::string& folder) {
  auto it = std::filesystem::directory_iterator{folder};
  return static_cast<std::size_t>(std::distance(begin(it), end(it)));
}

bool mentions(const failure& x, const std::string& text) {
  return x.context.find(text) != std::string::npos;
}

// Files may not grow past `num_bytes` while this lives: a full disk for one process.
class file_size_limit {
public:
  explicit file_size_limit(rlim_t num_bytes) : old_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &old_);
    rlimit limit{num_bytes, old_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~file_size_limit() {
    ::setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, old_handler_);
  }

private:
  rlimit old_{};
  void (*old_handler_)(int);
};

} // namespace

TEST_SUITE_BEGIN("actors/support/file_io");

TEST_CASE("a new file holds what was written, and knows its size and checksum") {
  scratch_folder scratch;
  auto file = output_file::create(scratch / "a");
  REQUIRE(file);
  REQUIRE(file->write("12345"));
  REQUIRE(file->write(""));
  REQUIRE(file->write("6789"));
  REQUIRE(file->sync());
  REQUIRE(file->close());
  CHECK(file->num_bytes() == 9);
  CHECK(file->checksum() == 0xE3069283);
  CHECK(bytes_of(scratch / "a") == "123456789");
}

TEST_CASE("a file of several megabytes comes back whole with the same checksum") {
  scratch_folder scratch;
  std::string bytes((5u << 20) + 3, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<char>((i * 2654435761u) >> 13);
  auto out = output_file::create(scratch / "a");
  REQUIRE(out);
  REQUIRE(out->write(bytes));
  REQUIRE(out->close());
  CHECK(out->checksum() == crc32c(bytes));
  auto in = input_file::open(scratch / "a");
  REQUIRE(in);
  std::string back(bytes.size(), '\0');
  REQUIRE(in->read(std::as_writable_bytes(std::span{back})));
  CHECK(back == bytes);
  CHECK(in->checksum() == out->checksum());
}

TEST_CASE("creating never touches a file that is there") {
  scratch_folder scratch;
  put_file(scratch / "a", "old");
  auto file = output_file::create(scratch / "a");
  REQUIRE_FALSE(file);
  CHECK(file.error().code == ec::io_error);
  CHECK(mentions(file.error(), scratch / "a"));
  CHECK(bytes_of(scratch / "a") == "old");
}

TEST_CASE("failures carry the path, the system's reason and its number") {
  scratch_folder scratch;
  auto file = output_file::create(scratch / "no/a");
  REQUIRE_FALSE(file);
  CHECK(file.error().code == ec::not_found);
  CHECK(file.error().context == "cannot create " + (scratch / "no/a") + ": No such file or directory (errno 2)");
}

TEST_CASE("a full device is reported by the write") {
  auto written = expected<void>{};
  scratch_folder scratch;
  {
    file_size_limit limit{8};
    written = write_new_file(scratch / "a", "more than eight bytes");
  }
  REQUIRE_FALSE(written);
  CHECK(written.error().code == ec::io_error);
  CHECK(mentions(written.error(), "cannot write " + (scratch / "a")));
  CHECK(mentions(written.error(), "File too large"));
}

TEST_CASE("read_file gives every byte, and says why when it cannot") {
  scratch_folder scratch;
  const std::string bytes{"a\0b\n", 4};
  put_file(scratch / "a", bytes);
  SUBCASE("whole") {
    auto text = read_file(scratch / "a", 4);
    REQUIRE(text);
    CHECK(*text == bytes);
  }
  SUBCASE("empty") {
    put_file(scratch / "empty", "");
    auto text = read_file(scratch / "empty", 0);
    REQUIRE(text);
    CHECK(text->empty());
  }
  SUBCASE("larger than allowed") {
    auto text = read_file(scratch / "a", 3);
    REQUIRE_FALSE(text);
    CHECK(text.error().code == ec::corrupt);
    CHECK(mentions(text.error(), "has 4 bytes, expected at most 3"));
  }
  SUBCASE("absent") {
    auto text = read_file(scratch / "b", 4);
    REQUIRE_FALSE(text);
    CHECK(text.error().code == ec::not_found);
  }
  SUBCASE("a folder") {
    auto text = read_file(scratch.path(), 4);
    REQUIRE_FALSE(text);
    CHECK(text.error().code == ec::io_error);
    CHECK(mentions(text.error(), "not a regular file"));
  }
  SUBCASE("a pipe that nobody writes to") {
    REQUIRE(::mkfifo((scratch / "pipe").c_str(), 0600) == 0);
    auto text = read_file(scratch / "pipe", 4);
    REQUIRE_FALSE(text);
    CHECK(mentions(text.error(), "not a regular file"));
  }
}

TEST_CASE("reading past the end is corrupt and says by how much") {
  scratch_folder scratch;
  put_file(scratch / "a", "abc");
  auto file = input_file::open(scratch / "a");
  REQUIRE(file);
  std::string bytes(5, '\0');
  auto done = file->read(std::as_writable_bytes(std::span{bytes}));
  REQUIRE_FALSE(done);
  CHECK(done.error().code == ec::corrupt);
  CHECK(mentions(done.error(), "ends 2 bytes too early"));
}

TEST_CASE("replace_file makes the file or puts the new one in its place, and leaves nothing else") {
  scratch_folder scratch;
  REQUIRE(replace_file(scratch / "a", "one"));
  CHECK(bytes_of(scratch / "a") == "one");
  REQUIRE(replace_file(scratch / "a", "two"));
  CHECK(bytes_of(scratch / "a") == "two");
  CHECK(num_names_in(scratch.path()) == 1);
}

TEST_CASE("replace_file that fails leaves the old file and nothing else") {
  scratch_folder scratch;
  put_file(scratch / "a", "old");
  auto replaced = expected<void>{};
  {
    file_size_limit limit{8};
    replaced = replace_file(scratch / "a", "more than eight bytes");
  }
  CHECK_FALSE(replaced);
  CHECK(bytes_of(scratch / "a") == "old");
  CHECK(num_names_in(scratch.path()) == 1);
}

TEST_CASE("replace_file clears away the temporary file of a killed process of the same number") {
  scratch_folder scratch;
  put_file(scratch / (".tmp-a-" + std::to_string(::getpid())), "half");
  REQUIRE(replace_file(scratch / "a", "new"));
  CHECK(bytes_of(scratch / "a") == "new");
  CHECK(num_names_in(scratch.path()) == 1);
}

TEST_CASE("replace_link makes a link and turns it round") {
  scratch_folder scratch;
  REQUIRE(replace_link(scratch / "latest", "a"));
  CHECK(std::filesystem::read_symlink(scratch / "latest") == "a");
  REQUIRE(replace_link(scratch / "latest", "b"));
  CHECK(std::filesystem::read_symlink(scratch / "latest") == "b");
  CHECK(num_names_in(scratch.path()) == 1);
}

TEST_CASE("make_folders makes all that are missing and minds none that is there") {
  scratch_folder scratch;
  REQUIRE(make_folders(scratch / "a/b/c"));
  CHECK(std::filesystem::is_directory(scratch / "a/b/c"));
  CHECK(make_folders(scratch / "a/b/c"));
  CHECK(make_folders(scratch / "a/d/"));
  CHECK(std::filesystem::is_directory(scratch / "a/d"));
  put_file(scratch / "file", "");
  auto made = make_folders(scratch / "file/e");
  REQUIRE_FALSE(made);
  CHECK(made.error().code == ec::io_error);
}

TEST_CASE("make_new_folder refuses one that is there") {
  scratch_folder scratch;
  REQUIRE(make_new_folder(scratch / "a"));
  CHECK_FALSE(make_new_folder(scratch / "a"));
}

TEST_CASE("renaming what is not there is not_found with both names") {
  scratch_folder scratch;
  auto renamed = rename_path(scratch / "a", scratch / "b");
  REQUIRE_FALSE(renamed);
  CHECK(renamed.error().code == ec::not_found);
  CHECK(mentions(renamed.error(), scratch / "a"));
  CHECK(mentions(renamed.error(), scratch / "b"));
}

TEST_CASE("remove_path removes a folder with all in it, a link but not its target, and minds nothing absent") {
  scratch_folder scratch;
  REQUIRE(make_folders(scratch / "a/b"));
  put_file(scratch / "a/b/c", "x");
  put_file(scratch / "kept", "x");
  std::filesystem::create_symlink("kept", scratch / "link");
  CHECK(remove_path(scratch / "a"));
  CHECK(remove_path(scratch / "link"));
  CHECK(remove_path(scratch / "absent"));
  CHECK(num_names_in(scratch.path()) == 1);
  CHECK(bytes_of(scratch / "kept") == "x");
}

TEST_CASE("syncing a folder that is none fails") {
  scratch_folder scratch;
  put_file(scratch / "file", "");
  CHECK(sync_folder(scratch.path()));
  CHECK_FALSE(sync_folder(scratch / "file"));
  CHECK_FALSE(sync_folder(scratch / "absent"));
}

TEST_CASE("a failed fsync is reported") {
  auto synced = sync_folder("/proc/self/fdinfo"); // procfs knows no fsync.
  REQUIRE_FALSE(synced);
  CHECK(synced.error().code == ec::io_error);
  CHECK(mentions(synced.error(), "cannot fsync /proc/self/fdinfo"));
}

TEST_CASE("free space is known of a folder that exists only") {
  scratch_folder scratch;
  auto bytes = free_bytes(scratch.path());
  REQUIRE(bytes);
  CHECK(*bytes > 0);
  CHECK_FALSE(free_bytes(scratch / "absent"));
}

TEST_CASE("moved files keep working and close once") {
  scratch_folder scratch;
  auto file = output_file::create(scratch / "a");
  REQUIRE(file);
  auto moved = std::move(*file);
  REQUIRE(moved.write("x"));
  auto other = output_file::create(scratch / "b");
  REQUIRE(other);
  *other = std::move(moved);
  REQUIRE(other->write("y"));
  REQUIRE(other->close());
  CHECK(bytes_of(scratch / "a") == "xy");
}

TEST_SUITE_END();
