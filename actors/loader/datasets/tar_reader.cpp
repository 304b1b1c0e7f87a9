#include "actors/loader/datasets/tar_reader.hpp"

#include "actors/loader/datasets/file_names.hpp"
#include "actors/support/file_io.hpp"

#include <algorithm>
#include <archive.h>
#include <archive_entry.h>
#include <array>
#include <cstddef>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace troupe {

namespace {

constexpr std::uint64_t block_bytes = 512;
constexpr std::size_t buffer_bytes = 256 * 1024;

/// A pax archive says that its names are UTF-8; other archives say nothing, and give bytes.
std::string path_of(archive_entry* entry) {
  for (const char* path : {archive_entry_pathname_utf8(entry), archive_entry_pathname(entry)})
    if (path != nullptr)
      return path;
  return {};
}

} // namespace

void tar_reader::closer::operator()(archive* x) const noexcept {
  archive_read_free(x);
}

tar_reader::tar_reader(std::string path, std::unique_ptr<archive, closer> reader, bool compressed,
                       std::uint64_t file_bytes)
  : path_(std::move(path)), archive_(std::move(reader)), compressed_(compressed), file_bytes_(file_bytes) {}

expected<tar_reader> tar_reader::open(const std::string& path) {
  const auto file = input_file::open(path);
  if (!file)
    return failure{file.error().code, "loader: " + printable_path(file.error().context)};
  const bool compressed = is_gzip_file(path);
  std::unique_ptr<archive, closer> reader(archive_read_new());
  archive_read_support_format_tar(reader.get());
  if (compressed)
    archive_read_support_filter_gzip(reader.get());
  tar_reader out(path, std::move(reader), compressed, file->num_bytes());
  if (archive_read_open_filename(out.archive_.get(), path.c_str(), buffer_bytes) != ARCHIVE_OK)
    return out.broken("cannot be read");
  return out;
}

failure tar_reader::broken(const std::string& what) const {
  const char* reason = archive_error_string(archive_.get());
  return {ec::bad_data, "loader: " + printable_path(path_) + ": " + what + " at offset " + std::to_string(end_)
                          + (compressed_ ? " of the inflated archive" : "")
                          + (reason != nullptr ? std::string(": ") + reason : "") + ", expected a whole tar archive"};
}

expected<std::optional<tar_member>> tar_reader::next() {
  for (;;) {
    archive_entry* entry = nullptr;
    const int status = archive_read_next_header(archive_.get(), &entry);
    if (status == ARCHIVE_EOF) {
      if (auto ok = check_end(); !ok)
        return ok.error();
      return std::optional<tar_member>();
    }
    if (status != ARCHIVE_OK && status != ARCHIVE_WARN)
      return broken("is damaged or not a tar archive");
    auto member = take(entry);
    if (!member || *member)
      return member;
  }
}

/// Nothing for folders, links and the like.
expected<std::optional<tar_member>> tar_reader::take(archive_entry* entry) {
  tar_member out;
  out.offset = static_cast<std::uint64_t>(archive_filter_bytes(archive_.get(), 0));
  out.size = static_cast<std::uint64_t>(std::max<std::int64_t>(archive_entry_size(entry), 0));
  const bool regular = archive_entry_filetype(entry) == AE_IFREG && archive_entry_hardlink(entry) == nullptr;
  const auto stored = regular ? out.size : 0;
  if (!compressed_ && out.offset + stored > file_bytes_)
    return broken("is truncated: it has " + std::to_string(file_bytes_) + " bytes, but "
                  + printable_path(path_of(entry)) + " would end at " + std::to_string(out.offset + stored) + ";");
  end_ = out.offset + (stored + block_bytes - 1) / block_bytes * block_bytes;
  if (!regular)
    return std::optional<tar_member>();
  out.path = path_of(entry);
  if (archive_entry_sparse_count(entry) > 0)
    return failure{ec::unsupported, "loader: " + printable_path(path_) + ": " + printable_path(out.path)
                                      + " is stored as a sparse file, expected a plain one: pack the archive again"};
  return std::optional(std::move(out));
}

expected<void> tar_reader::read_into(const tar_member& member, void* out) {
  auto* to = static_cast<char*>(out);
  for (auto left = static_cast<std::size_t>(member.size); left > 0;) {
    const auto size = archive_read_data(archive_.get(), to, left);
    if (size <= 0)
      return broken("is truncated or damaged: " + printable_path(member.path) + " breaks off before the end");
    to += size;
    left -= static_cast<std::size_t>(size);
  }
  return {};
}

/// An archive that was cut between two members has no block of zeros at its end. Gzip has checks of its own.
expected<void> tar_reader::check_end() const {
  if (compressed_)
    return {};
  std::array<char, block_bytes> block{};
  const file_descriptor fd(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
  const auto size = ::pread(fd.number(), block.data(), block.size(), static_cast<off_t>(end_));
  const bool zeros = std::all_of(block.begin(), block.end(), [](char c) { return c == 0; });
  if (size != static_cast<ssize_t>(block.size()) || !zeros)
    return broken("is truncated: the mark of the end is missing");
  return {};
}

bool is_gzip_file(const std::string& path) {
  auto file = input_file::open(path);
  std::array<std::byte, 2> start{};
  return file && file->num_bytes() >= start.size() && file->read(start) && start[0] == std::byte{0x1f}
         && start[1] == std::byte{0x8b};
}

} // namespace troupe
