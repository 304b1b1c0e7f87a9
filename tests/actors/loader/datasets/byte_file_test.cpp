#include "actors/loader/datasets/byte_file.hpp"

#include "tests/actors/loader/datasets/idx_files.hpp"

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

/// Reads to the end, `step` bytes at a time.
expected<std::string> slurp(const std::filesystem::path& path, std::size_t step = 1000) {
  auto file = byte_file::open(path);
  if (!file)
    return file.error();
  std::string result;
  std::string part(step, '\0');
  for (;;) {
    auto size = file->read(std::as_writable_bytes(std::span(part)));
    if (!size)
      return size.error();
    result.append(part, 0, *size);
    CHECK(file->offset() == result.size());
    if (*size < step)
      return result;
  }
}

/// 200 kB that do not compress to nothing.
std::string sample_text() {
  std::string result;
  std::uint32_t x = 1;
  while (result.size() < 200'000) {
    x = x * 1664525 + 1013904223;
    result += static_cast<char>(x >> 28 | 0x40);
  }
  return result;
}

void check_failure(const expected<std::string>& result, ec code, const std::string& part) {
  REQUIRE_FALSE(result);
  CHECK(result.error().code == code);
  CAPTURE(result.error().context);
  CHECK(result.error().context.find(part) != std::string::npos);
}

} // namespace

TEST_SUITE("actors/loader") {
  TEST_CASE("byte_file reads plain and gzip files alike, whatever their names and the size of the reads") {
    const scratch_folder folder;
    const auto text = sample_text();
    const auto plain = write(folder, "plain.gz", text);
    const auto packed = write(folder, "packed", gzip(text));
    for (std::size_t step : {std::size_t{1}, std::size_t{777}, std::size_t{65536}, text.size(), text.size() + 1}) {
      CHECK(*slurp(plain, step) == text);
      CHECK(*slurp(packed, step) == text);
    }
  }

  TEST_CASE("byte_file reads all members of a gzip file") {
    const scratch_folder folder;
    const auto text = sample_text();
    const auto path = write(folder, "x", gzip(text) + gzip("") + gzip("and the rest"));
    CHECK(*slurp(path) == text + "and the rest");
  }

  TEST_CASE("byte_file reads files too short to be anything") {
    const scratch_folder folder;
    CHECK(slurp(write(folder, "a", ""))->empty());
    CHECK(*slurp(write(folder, "b", "\x1f")) == "\x1f");
    CHECK(slurp(write(folder, "c", gzip("")))->empty());
  }

  TEST_CASE("byte_file names a file that is missing or cannot be read") {
    const scratch_folder folder;
    check_failure(slurp(folder / "absent"), ec::not_found, "absent: cannot open: No such file");
    check_failure(slurp(folder.path()), ec::io_error, "Is a directory");
  }

  TEST_CASE("byte_file refuses gzip that breaks off anywhere") {
    const scratch_folder folder;
    const auto packed = gzip("a short text, a short text, a short text");
    for (std::size_t size = 2; size < packed.size(); ++size) {
      CAPTURE(size);
      check_failure(slurp(write(folder, "x", packed.substr(0, size))), ec::corrupt, "truncated");
    }
  }

  TEST_CASE("byte_file refuses gzip with a wrong checksum or damaged data") {
    const scratch_folder folder;
    auto packed = gzip(sample_text());
    SUBCASE("checksum") {
      packed[packed.size() - 8] = static_cast<char>(packed[packed.size() - 8] ^ 1);
      check_failure(slurp(write(folder, "x", packed)), ec::corrupt, "incorrect data check");
    }
    SUBCASE("length") {
      packed[packed.size() - 1] = static_cast<char>(packed[packed.size() - 1] ^ 1);
      check_failure(slurp(write(folder, "x", packed)), ec::corrupt, "incorrect length check");
    }
    SUBCASE("data") {
      for (std::size_t i = 20; i < 30; ++i)
        packed[i] = '\xff';
      check_failure(slurp(write(folder, "x", packed)), ec::corrupt, "corrupt gzip data at byte");
    }
  }

  TEST_CASE("byte_file refuses other bytes behind the gzip data") {
    const scratch_folder folder;
    for (const std::string& extra : {std::string("x"), std::string(1, '\0'), std::string("more than a header")})
      check_failure(slurp(write(folder, "x", gzip("text") + extra)), ec::corrupt, "trailing bytes");
  }
}
