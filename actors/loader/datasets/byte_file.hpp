/// Reads a file front to back; gzip is inflated on the way.
#pragma once

#include "actors/support/expected.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace troupe {

/// The bytes of a file, in order. Whether it is gzip is told by its first two bytes (1f 8b), never by its name; a gzip
/// file may have several members (RFC 1952, 2.2). One user at a time.
class byte_file {
public:
  /// Errors: not_found, io_error.
  static expected<byte_file> open(const std::filesystem::path& path);

  byte_file(byte_file&&) noexcept;
  byte_file& operator=(byte_file&&) noexcept;
  ~byte_file();

  /// Fills `out` with the next bytes and returns how many there were: fewer than asked at the end of the file only.
  /// To have the last gzip checksum verified, read until the end. Errors: io_error; corrupt for gzip that is damaged,
  /// ends early, or is followed by something else.
  expected<std::size_t> read(std::span<std::byte> out);

  /// Bytes handed out so far, counted after inflating.
  [[nodiscard]] std::uint64_t offset() const noexcept;

private:
  struct state;
  explicit byte_file(std::unique_ptr<state> s) noexcept;
  std::unique_ptr<state> state_;
};

} // namespace troupe
