/// Walks through a tar archive, member by member.
#pragma once

#include "actors/support/expected.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

struct archive;
struct archive_entry;

namespace troupe {

/// A regular file of the archive.
struct tar_member {
  std::string path;
  std::uint64_t offset = 0; ///< Of its first byte in the archive, counted after inflating.
  std::uint64_t size = 0;
};

/// Formats: ustar, pax, GNU; plain or gzip. Names are UTF-8 or whatever bytes the archive has.
/// Errors name the path and the offset: not_found, io_error, bad_data for what is no tar or breaks off.
class tar_reader {
public:
  static expected<tar_reader> open(const std::string& path);

  /// Returns the next regular file, nothing behind the last.
  expected<std::optional<tar_member>> next();

  /// Appends the bytes of the member that `next` gave last to `out`, a string or a vector of std::byte. Once per member.
  template <class Bytes>
  expected<void> read(const tar_member& member, Bytes& out) {
    const auto start = out.size();
    out.resize(start + static_cast<std::size_t>(member.size));
    return read_into(member, out.data() + start);
  }

  [[nodiscard]] bool compressed() const noexcept { return compressed_; }

private:
  struct closer {
    void operator()(archive* x) const noexcept;
  };
  tar_reader(std::string path, std::unique_ptr<archive, closer> reader, bool compressed, std::uint64_t file_bytes);

  expected<void> read_into(const tar_member& member, void* out);
  expected<std::optional<tar_member>> take(archive_entry* entry);
  expected<void> check_end() const;
  [[nodiscard]] failure broken(const std::string& what) const;

  std::string path_;
  std::unique_ptr<archive, closer> archive_;
  bool compressed_ = false;
  std::uint64_t file_bytes_ = 0;
  std::uint64_t end_ = 0; ///< Where the next header is expected.
};

/// True if the file starts as gzip does, whatever its name; false if it cannot be read.
[[nodiscard]] bool is_gzip_file(const std::string& path);

} // namespace troupe
