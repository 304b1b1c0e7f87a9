#include "actors/loader/datasets/idx_file.hpp"

#include "actors/loader/datasets/byte_file.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <span>
#include <string>
#include <utility>

namespace troupe {

namespace {

constexpr std::uint64_t max_bytes = std::uint64_t{16} << 30;
constexpr std::size_t first_growth = std::size_t{16} << 20;

std::string hex(std::uint32_t value, int num_digits) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "0x%0*x", num_digits, value);
  return text.data();
}

std::uint32_t big_endian(std::span<const std::byte, 4> x) {
  return std::to_integer<std::uint32_t>(x[0]) << 24 | std::to_integer<std::uint32_t>(x[1]) << 16
         | std::to_integer<std::uint32_t>(x[2]) << 8 | std::to_integer<std::uint32_t>(x[3]);
}

const char* name_of(idx_kind kind) {
  return kind == idx_kind::images ? "images" : "labels";
}

std::string element_type(std::uint32_t code) {
  switch (code) {
  case 0x08:
    return "unsigned byte";
  case 0x09:
    return "signed byte";
  case 0x0B:
    return "16-bit integer";
  case 0x0C:
    return "32-bit integer";
  case 0x0D:
    return "32-bit float";
  case 0x0E:
    return "64-bit float";
  default:
    return "unknown";
  }
}

/// One reading of one file.
class idx_reader {
public:
  idx_reader(std::string path, idx_kind kind, byte_file file)
    : path_(std::move(path)), kind_(kind), file_(std::move(file)) {}

  expected<idx_file> read() {
    idx_file result;
    if (auto ok = read_magic(); !ok)
      return ok.error();
    if (auto ok = read_shape(result.shape); !ok)
      return ok.error();
    if (auto ok = read_elements(result); !ok)
      return ok.error();
    if (auto ok = expect_end(); !ok)
      return ok.error();
    return result;
  }

private:
  [[nodiscard]] failure fail(const std::string& what) const { return {ec::bad_data, "loader: " + path_ + ": " + what}; }

  [[nodiscard]] std::size_t num_dimensions() const { return static_cast<std::uint32_t>(kind_) & 0xFF; }
  [[nodiscard]] std::uint64_t header_bytes() const { return 4 + 4 * num_dimensions(); }

  expected<std::uint32_t> read_number() {
    std::array<std::byte, 4> raw{};
    auto size = file_.read(raw);
    if (!size)
      return std::move(size).error();
    if (file_.offset() == 0)
      return fail("empty file, expected IDX " + std::string(name_of(kind_)));
    if (*size < raw.size())
      return fail("truncated at offset " + std::to_string(file_.offset()) + ", in the header of "
                  + std::to_string(header_bytes()) + " bytes");
    return big_endian(raw);
  }

  expected<void> read_magic() {
    auto magic = read_number();
    if (!magic)
      return magic.error();
    const auto wanted = static_cast<std::uint32_t>(kind_);
    if (*magic == wanted)
      return {};
    const auto other = kind_ == idx_kind::images ? idx_kind::labels : idx_kind::images;
    if (*magic == static_cast<std::uint32_t>(other))
      return fail(std::string("offset 0: IDX ") + name_of(other) + " (magic " + hex(*magic, 8) + "), expected "
                  + name_of(kind_) + " (" + hex(wanted, 8) + "): are `images` and `labels` swapped?");
    if (*magic >> 16 != 0)
      return fail("offset 0: magic " + hex(*magic, 8) + ", expected " + hex(wanted, 8) + " (IDX " + name_of(kind_)
                  + "); not an IDX file");
    if (const auto type = *magic >> 8; type != 0x08)
      return fail("offset 2: element type " + hex(type, 2) + " (" + element_type(type)
                  + "), expected 0x08 (unsigned byte)");
    return fail("offset 3: " + std::to_string(*magic & 0xFF) + " dimensions, expected "
                + std::to_string(num_dimensions()) + " for " + name_of(kind_));
  }

  expected<void> read_shape(std::vector<std::uint32_t>& shape) {
    std::uint64_t num_bytes = 1;
    while (shape.size() < num_dimensions()) {
      const auto at = std::to_string(file_.offset());
      auto extent = read_number();
      if (!extent)
        return extent.error();
      if (*extent == 0)
        return fail("offset " + at + ": dimension " + std::to_string(shape.size()) + " is 0, expected at least 1");
      if (*extent > max_bytes / num_bytes)
        return fail("offset " + at + ": dimension " + std::to_string(shape.size()) + " is " + std::to_string(*extent)
                    + ", which makes more than " + std::to_string(max_bytes) + " bytes (16 GiB), the most accepted");
      num_bytes *= *extent;
      shape.push_back(*extent);
    }
    return {};
  }

  // Grows as the bytes come: a forged header alone cannot make us allocate what it claims.
  expected<void> read_elements(idx_file& file) {
    std::uint64_t wanted = 1;
    for (auto extent : file.shape)
      wanted *= extent;
    while (file.bytes.size() < wanted) {
      const auto had = file.bytes.size();
      file.bytes.resize(std::min<std::uint64_t>(wanted, had + std::max(had, first_growth)));
      auto size = file_.read(std::span(file.bytes).subspan(had));
      if (!size)
        return size.error();
      if (had + *size < file.bytes.size())
        return fail("truncated at offset " + std::to_string(file_.offset()) + ", expected "
                    + std::to_string(header_bytes() + wanted) + " bytes");
    }
    return {};
  }

  expected<void> expect_end() {
    const auto end = std::to_string(file_.offset());
    std::array<std::byte, 1> extra{};
    auto size = file_.read(extra);
    if (!size)
      return size.error();
    if (*size > 0)
      return fail("trailing bytes at offset " + end + ", expected the end of the file after " + end + " bytes");
    return {};
  }

  std::string path_;
  idx_kind kind_;
  byte_file file_;
};

} // namespace

expected<idx_file> read_idx(const std::filesystem::path& path, idx_kind kind) {
  auto file = byte_file::open(path);
  if (!file)
    return std::move(file).error();
  return idx_reader(path.string(), kind, std::move(*file)).read();
}

} // namespace troupe
