#include "actors/saver/safetensors.hpp"

#include "actors/saver/safetensors_header.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <new>
#include <string_view>
#include <unordered_map>

namespace troupe {

namespace {

static_assert(std::endian::native == std::endian::little, "tensors are written as they lie in memory");

constexpr std::size_t prefix_bytes = sizeof(std::uint64_t);

std::array<std::byte, prefix_bytes> little_endian(std::uint64_t x) noexcept {
  std::array<std::byte, prefix_bytes> result;
  for (auto& b : result) {
    b = static_cast<std::byte>(x & 0xFF);
    x >>= 8;
  }
  return result;
}

std::uint64_t from_little_endian(const std::array<std::byte, prefix_bytes>& bytes) noexcept {
  std::uint64_t result = 0;
  for (auto i = bytes.size(); i-- > 0;)
    result = (result << 8) | std::to_integer<std::uint64_t>(bytes[i]);
  return result;
}

// Uninitialised memory, or null where the system has none to give.
std::shared_ptr<std::byte> aligned_bytes(std::size_t count) {
  constexpr std::align_val_t cache_line{64};
  auto bytes = static_cast<std::byte*>(::operator new[](count, cache_line, std::nothrow));
  return {bytes, [](std::byte* x) { ::operator delete[](x, cache_line); }};
}

failure with_path(const std::string& path, const failure& why) {
  return {why.code, path + ": " + why.context};
}

expected<safetensors_header> read_header(input_file& file) {
  std::array<std::byte, prefix_bytes> prefix;
  if (auto done = file.read(prefix); !done)
    return done.error();
  auto num_header_bytes = from_little_endian(prefix);
  auto left = file.num_bytes() - prefix_bytes;
  if (num_header_bytes > max_header_bytes || num_header_bytes > left)
    return failure{ec::corrupt, file.path() + ": header of " + std::to_string(num_header_bytes)
                                  + " bytes, expected at most " + std::to_string(std::min(max_header_bytes, left))};
  std::string json(static_cast<std::size_t>(num_header_bytes), '\0');
  if (auto done = file.read(std::as_writable_bytes(std::span{json})); !done)
    return done.error();
  auto header = parse_safetensors_header(json);
  if (!header)
    return with_path(file.path(), header.error());
  left -= num_header_bytes;
  if (header->num_data_bytes() != left)
    return failure{ec::corrupt, file.path() + ": " + std::to_string(left) + " bytes after the header, expected "
                                  + std::to_string(header->num_data_bytes())};
  return header;
}

expected<named_tensor> read_tensor(input_file& file, safetensors_entry&& entry) {
  auto num_bytes = static_cast<std::size_t>(entry.end - entry.begin);
  auto bytes = aligned_bytes(num_bytes);
  if (bytes == nullptr)
    return failure{ec::io_error,
                   file.path() + ": no memory for the " + std::to_string(num_bytes) + " bytes of '" + entry.name + "'"};
  if (auto done = file.read({bytes.get(), num_bytes}); !done)
    return done.error();
  return named_tensor{std::move(entry.name), {std::move(entry.shape), entry.type, std::move(bytes)}};
}

} // namespace

expected<void> write_safetensors(output_file& file, std::span<const named_tensor> tensors,
                                 const std::map<std::string, std::string>& metadata) {
  auto header = plan_safetensors(tensors, metadata);
  if (!header)
    return with_path(file.path(), header.error());
  auto json = to_json(*header);
  if (!json)
    return with_path(file.path(), json.error());
  if (json->size() > max_header_bytes)
    return failure{ec::mismatch, file.path() + ": header of " + std::to_string(json->size())
                                   + " bytes, expected at most " + std::to_string(max_header_bytes)};
  if (auto done = file.write(little_endian(json->size())); !done)
    return done;
  if (auto done = file.write(*json); !done)
    return done;
  std::unordered_map<std::string_view, const host_tensor*> by_name;
  for (auto& x : tensors)
    by_name.emplace(x.name, &x.value);
  for (auto& entry : header->entries) {
    auto& value = *by_name.at(entry.name);
    if (auto done = file.write(std::span{value.bytes.get(), value.num_bytes()}); !done)
      return done;
  }
  return {};
}

expected<safetensors_file> read_safetensors(const std::string& path) {
  auto file = input_file::open(path);
  if (!file)
    return file.error();
  auto header = read_header(*file);
  if (!header)
    return header.error();
  safetensors_file result;
  result.metadata = std::move(header->metadata);
  result.tensors.reserve(header->entries.size());
  for (auto& entry : header->entries) {
    auto tensor = read_tensor(*file, std::move(entry));
    if (!tensor)
      return tensor.error();
    result.tensors.push_back(*std::move(tensor));
  }
  result.num_bytes = file->num_bytes();
  result.checksum = file->checksum();
  return result;
}

} // namespace troupe
