/// Makes IDX files to test with, good and bad.
#pragma once

#include "tests/support/scratch_folder.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>
#include <zlib.h>

namespace troupe::testing {

/// Writes a file into the folder and returns its path.
inline std::string write(const scratch_folder& folder, const std::string& name, const std::string& bytes) {
  put_file(folder / name, bytes);
  return folder / name;
}

inline std::string big_endian(std::uint32_t x) {
  return {static_cast<char>(x >> 24), static_cast<char>(x >> 16), static_cast<char>(x >> 8), static_cast<char>(x)};
}

inline std::string idx_header(std::uint32_t magic, const std::vector<std::uint32_t>& shape) {
  auto result = big_endian(magic);
  for (auto extent : shape)
    result += big_endian(extent);
  return result;
}

/// Byte i of the pixels is i * 7 modulo 256.
inline std::string idx_images(std::uint32_t num_samples, std::uint32_t height, std::uint32_t width) {
  auto result = idx_header(0x0803, {num_samples, height, width});
  for (std::uint32_t i = 0; i < num_samples * height * width; ++i)
    result += static_cast<char>(i * 7);
  return result;
}

inline std::string idx_labels(const std::vector<int>& labels) {
  auto result = idx_header(0x0801, {static_cast<std::uint32_t>(labels.size())});
  for (auto label : labels)
    result += static_cast<char>(label);
  return result;
}

/// One gzip member.
inline std::string gzip(const std::string& bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, 16 + MAX_WBITS, 9, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::runtime_error("deflateInit2");
  std::string result(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  stream.next_in = reinterpret_cast<z_const Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  const int status = deflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  if (status != Z_STREAM_END)
    throw std::runtime_error("deflate");
  return result;
}

} // namespace troupe::testing
