#include "actors/loader/datasets/idx_file.hpp"

#include "tests/actors/loader/datasets/idx_files.hpp"

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

/// Expects that reading `bytes` as `kind` fails with a text that has the file's name and all of `parts`.
void check_refused(const std::string& bytes, idx_kind kind, std::initializer_list<const char*> parts,
                   ec code = ec::bad_data) {
  const scratch_folder folder;
  const auto path = write(folder, "file.bin", bytes);
  auto file = read_idx(path, kind);
  REQUIRE_FALSE(file);
  const auto& text = file.error().context;
  CAPTURE(text);
  CHECK(file.error().code == code);
  CHECK(text.find(path) != std::string::npos);
  for (const auto* part : parts) {
    CAPTURE(part);
    CHECK(text.find(part) != std::string::npos);
  }
}

} // namespace

TEST_SUITE("actors/loader") {
  TEST_CASE("read_idx gives shape and bytes of images and labels, plain or gzip") {
    const scratch_folder folder;
    const auto images = idx_images(3, 2, 5);
    const auto labels = idx_labels({4, 0, 255});
    for (bool packed : {false, true}) {
      auto file = read_idx(write(folder, "images", packed ? gzip(images) : images), idx_kind::images);
      REQUIRE(file);
      CHECK(file->shape == std::vector<std::uint32_t>{3, 2, 5});
      REQUIRE(file->bytes.size() == 30);
      CHECK(file->bytes[29] == std::byte{29 * 7});
      file = read_idx(write(folder, "labels", packed ? gzip(labels) : labels), idx_kind::labels);
      REQUIRE(file);
      CHECK(file->shape == std::vector<std::uint32_t>{3});
      CHECK(file->bytes == std::vector{std::byte{4}, std::byte{0}, std::byte{255}});
    }
  }

  TEST_CASE("read_idx reads gzip of several members") {
    const scratch_folder folder;
    const auto images = idx_images(3, 2, 5);
    const auto path = write(folder, "images", gzip(images.substr(0, 21)) + gzip(images.substr(21)));
    CHECK(read_idx(path, idx_kind::images)->bytes.size() == 30);
  }

  TEST_CASE("read_idx reads files larger than one step of its growth") {
    const scratch_folder folder;
    const auto path = write(folder, "images", gzip(idx_images(20, 1000, 1000)));
    auto file = read_idx(path, idx_kind::images);
    REQUIRE(file);
    REQUIRE(file->bytes.size() == 20'000'000);
    CHECK(file->bytes.back() == static_cast<std::byte>(19'999'999u * 7 % 256));
  }

  TEST_CASE("read_idx names a missing file") {
    auto file = read_idx("/nowhere/file.bin", idx_kind::images);
    REQUIRE_FALSE(file);
    CHECK(file.error().code == ec::not_found);
    CHECK(file.error().context.find("/nowhere/file.bin") != std::string::npos);
  }

  TEST_CASE("read_idx refuses an empty file, plain or gzip") {
    check_refused("", idx_kind::images, {"empty file", "images"});
    check_refused(gzip(""), idx_kind::labels, {"empty file", "labels"});
  }

  TEST_CASE("read_idx refuses what is not IDX") {
    check_refused("\x89PNG and so on", idx_kind::images, {"offset 0", "0x89504e47", "0x00000803", "not an IDX file"});
  }

  TEST_CASE("read_idx says when images and labels are swapped") {
    check_refused(idx_labels({1, 2, 3}), idx_kind::images, {"0x00000801", "expected images (0x00000803)", "swapped"});
    check_refused(idx_images(1, 2, 2), idx_kind::labels, {"0x00000803", "expected labels (0x00000801)", "swapped"});
  }

  TEST_CASE("read_idx refuses another element type") {
    check_refused(idx_header(0x0D03, {1, 1, 1}), idx_kind::images, {"offset 2", "0x0d", "32-bit float", "0x08"});
    check_refused(idx_header(0x7701, {1}), idx_kind::labels, {"offset 2", "0x77", "unknown"});
  }

  TEST_CASE("read_idx refuses another number of dimensions") {
    check_refused(idx_header(0x0804, {1, 1, 1, 3}), idx_kind::images, {"offset 3", "4 dimensions", "expected 3"});
    check_refused(idx_header(0x0800, {}), idx_kind::labels, {"offset 3", "0 dimensions", "expected 1"});
  }

  TEST_CASE("read_idx refuses a dimension of zero") {
    check_refused(idx_header(0x0803, {0, 28, 28}), idx_kind::images, {"offset 4", "dimension 0 is 0"});
    check_refused(idx_header(0x0803, {5, 28, 0}), idx_kind::images, {"offset 12", "dimension 2 is 0"});
    check_refused(idx_header(0x0801, {0}), idx_kind::labels, {"offset 4", "dimension 0 is 0"});
  }

  TEST_CASE("read_idx refuses absurd dimensions without allocating for them") {
    check_refused(idx_header(0x0803, {0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF}), idx_kind::images,
                  {"offset 8", "4294967295", "16 GiB"});
    check_refused(idx_header(0x0803, {1u << 20, 128, 129}), idx_kind::images, {"offset 12", "129", "16 GiB"});
    check_refused(idx_header(0x0803, {1u << 20, 128, 128}) + "abc", idx_kind::images,
                  {"truncated at offset 19", "expected 17179869200 bytes"});
  }

  TEST_CASE("read_idx refuses a file that ends anywhere before its end") {
    const auto images = idx_images(2, 3, 3);
    for (std::size_t size = 1; size < images.size(); ++size) {
      const auto where = "truncated at offset " + std::to_string(size);
      check_refused(images.substr(0, size), idx_kind::images, {where.c_str()});
      check_refused(gzip(images.substr(0, size)), idx_kind::images, {where.c_str()});
    }
    check_refused(images.substr(0, 20), idx_kind::images, {"offset 20, expected 34 bytes"});
  }

  TEST_CASE("read_idx refuses truncated and corrupt gzip") {
    auto packed = gzip(idx_images(50, 9, 9));
    check_refused(packed.substr(0, packed.size() / 2), idx_kind::images, {"truncated"}, ec::corrupt);
    check_refused(packed.substr(0, packed.size() - 1), idx_kind::images, {"truncated"}, ec::corrupt);
    packed[packed.size() - 7] = static_cast<char>(packed[packed.size() - 7] ^ 0x10);
    check_refused(packed, idx_kind::images, {"corrupt gzip", "incorrect data check"}, ec::corrupt);
  }

  TEST_CASE("read_idx refuses trailing bytes, within the gzip data and behind them") {
    const auto labels = idx_labels({1, 2, 3});
    check_refused(labels + '\0', idx_kind::labels, {"trailing bytes at offset 11"});
    check_refused(gzip(labels + "xyz"), idx_kind::labels, {"trailing bytes at offset 11"});
    check_refused(gzip(labels) + gzip("x"), idx_kind::labels, {"trailing bytes at offset 11"});
    check_refused(gzip(labels) + "xyz", idx_kind::labels, {"trailing bytes after the gzip data"}, ec::corrupt);
  }

  TEST_CASE("read_idx refuses a gzip file with a flipped byte, or gives what was packed") {
    const scratch_folder folder;
    const auto packed = gzip(idx_images(3, 4, 4));
    const auto wanted = read_idx(write(folder, "x", packed), idx_kind::images);
    REQUIRE(wanted);
    std::size_t num_refused = 0;
    for (std::size_t i = 0; i < packed.size(); ++i)
      for (int flip : {0x01, 0x80, 0xFF}) {
        auto mutant = packed;
        mutant[i] = static_cast<char>(mutant[i] ^ flip);
        auto file = read_idx(write(folder, "x", mutant), idx_kind::images);
        if (file) // Time stamp, operating system and padding bits do not matter.
          CHECK((file->shape == wanted->shape && file->bytes == wanted->bytes));
        else
          ++num_refused;
      }
    CHECK(num_refused > 2 * packed.size());
  }
}
