#include "actors/loader/datasets/byte_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <system_error>
#include <utility>
#include <zlib.h>

namespace troupe {

namespace {

struct file_closer {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};

std::string reason_of(int error) {
  return std::generic_category().message(error);
}

} // namespace

struct byte_file::state {
  std::string path;
  std::unique_ptr<std::FILE, file_closer> file;
  std::array<std::byte, 1 << 16> buffer;
  std::span<const std::byte> unused; ///< Part of `buffer` that is not consumed yet.
  std::uint64_t num_read = 0;        ///< Bytes taken from the file into `buffer`.
  std::uint64_t num_given = 0;       ///< Bytes handed to the reader.
  bool compressed = false;
  bool between_members = true; ///< Gzip: at the start of the file or behind a member.
  bool behind_member = false;  ///< Gzip: at least one member is complete.
  z_stream inflater{};

  state(std::string name, std::FILE* opened) : path(std::move(name)), file(opened) {}
  state(const state&) = delete;
  state& operator=(const state&) = delete;
  ~state() {
    if (compressed)
      inflateEnd(&inflater);
  }

  [[nodiscard]] failure fail(ec code, const std::string& what) const { return {code, "loader: " + path + ": " + what}; }

  expected<void> refill();
  expected<void> start();
  expected<std::size_t> copy(std::span<std::byte> out);
  expected<std::size_t> inflate_into(std::span<std::byte> out);
  expected<std::size_t> inflate_some(std::span<std::byte> out);
  [[nodiscard]] bool at_trailing_bytes() const { return behind_member && inflater.total_out == 0; }
  [[nodiscard]] std::string where() const;
  [[nodiscard]] failure trailing() const;
  [[nodiscard]] failure truncated(std::uint64_t num_inflated) const;
  [[nodiscard]] failure damaged() const;
};

expected<void> byte_file::state::refill() {
  errno = 0;
  const auto size = std::fread(buffer.data(), 1, buffer.size(), file.get());
  if (size < buffer.size() && std::ferror(file.get()))
    return fail(ec::io_error, "cannot read at offset " + std::to_string(num_read + size) + ": " + reason_of(errno));
  num_read += size;
  unused = std::span<const std::byte>(buffer).first(size);
  return {};
}

expected<void> byte_file::state::start() {
  if (auto ok = refill(); !ok)
    return ok;
  if (unused.size() < 2 || unused[0] != std::byte{0x1f} || unused[1] != std::byte{0x8b})
    return {};
  constexpr int gzip_only = 16;
  if (inflateInit2(&inflater, gzip_only + MAX_WBITS) != Z_OK)
    return fail(ec::io_error, "cannot start zlib: out of memory");
  compressed = true;
  return {};
}

expected<std::size_t> byte_file::state::copy(std::span<std::byte> out) {
  std::size_t done = 0;
  while (done < out.size()) {
    if (unused.empty()) {
      if (auto ok = refill(); !ok)
        return ok.error();
      if (unused.empty())
        break;
    }
    const auto size = std::min(unused.size(), out.size() - done);
    std::memcpy(out.data() + done, unused.data(), size);
    unused = unused.subspan(size);
    done += size;
  }
  return done;
}

std::string byte_file::state::where() const {
  return " at byte " + std::to_string(num_read - unused.size()) + " of the compressed file";
}

failure byte_file::state::trailing() const {
  return fail(ec::corrupt,
              "trailing bytes after the gzip data, found" + where() + ", expected its end or another gzip member");
}

failure byte_file::state::truncated(std::uint64_t num_inflated) const {
  if (at_trailing_bytes())
    return trailing();
  return fail(ec::corrupt, "truncated: the gzip data break off" + where() + ", after " + std::to_string(num_inflated)
                             + " inflated bytes");
}

failure byte_file::state::damaged() const {
  if (at_trailing_bytes())
    return trailing();
  return fail(ec::corrupt, "corrupt gzip data" + where() + ": " + (inflater.msg ? inflater.msg : "cannot be inflated"));
}

/// Inflates from what is in the buffer, which is not empty.
expected<std::size_t> byte_file::state::inflate_some(std::span<std::byte> out) {
  if (between_members && behind_member)
    inflateReset(&inflater);
  between_members = false;
  const auto room = std::min<std::size_t>(out.size(), std::numeric_limits<uInt>::max());
  inflater.next_in = reinterpret_cast<z_const Bytef*>(const_cast<std::byte*>(unused.data()));
  inflater.avail_in = static_cast<uInt>(unused.size());
  inflater.next_out = reinterpret_cast<Bytef*>(out.data());
  inflater.avail_out = static_cast<uInt>(room);
  const int status = inflate(&inflater, Z_NO_FLUSH);
  unused = unused.last(inflater.avail_in);
  if (status == Z_STREAM_END)
    between_members = behind_member = true;
  else if (status != Z_OK)
    return damaged();
  return room - inflater.avail_out;
}

expected<std::size_t> byte_file::state::inflate_into(std::span<std::byte> out) {
  std::size_t done = 0;
  while (done < out.size()) {
    if (unused.empty()) {
      if (auto ok = refill(); !ok)
        return ok.error();
      if (unused.empty()) {
        if (between_members)
          break;
        return truncated(num_given + done);
      }
    }
    auto size = inflate_some(out.subspan(done));
    if (!size)
      return size;
    done += *size;
  }
  return done;
}

byte_file::byte_file(std::unique_ptr<state> s) noexcept : state_(std::move(s)) {}
byte_file::byte_file(byte_file&&) noexcept = default;
byte_file& byte_file::operator=(byte_file&&) noexcept = default;
byte_file::~byte_file() = default;

expected<byte_file> byte_file::open(const std::filesystem::path& path) {
  std::FILE* file = std::fopen(path.c_str(), "rbe");
  if (file == nullptr) {
    const int error = errno;
    const auto code = error == ENOENT || error == ENOTDIR ? ec::not_found : ec::io_error;
    return failure{code, "loader: " + path.string() + ": cannot open: " + reason_of(error)};
  }
  auto s = std::make_unique<state>(path.string(), file);
  if (auto ok = s->start(); !ok)
    return ok.error();
  return byte_file(std::move(s));
}

expected<std::size_t> byte_file::read(std::span<std::byte> out) {
  auto size = state_->compressed ? state_->inflate_into(out) : state_->copy(out);
  if (size)
    state_->num_given += *size;
  return size;
}

std::uint64_t byte_file::offset() const noexcept {
  return state_->num_given;
}

} // namespace troupe
