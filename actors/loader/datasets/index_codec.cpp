#include "actors/loader/datasets/index_cache.hpp"
#include "actors/support/crc32c.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

namespace troupe {

namespace {

/// The layout is that of this machine: an index is read where it was written.
struct index_header {
  char magic[8] = {'t', 'r', 'p', 'i', 'n', 'd', 'e', 'x'};
  std::uint32_t version = 1;
  std::uint32_t checksum = 0; ///< CRC-32C of all that follows the header.
};

class packer {
public:
  void number(std::uint64_t x) { block(&x, sizeof x); }
  void text(std::string_view x) {
    number(x.size());
    block(x.data(), x.size());
  }
  void numbers(const std::vector<std::uint64_t>& x) {
    number(x.size());
    block(x.data(), x.size() * sizeof(std::uint64_t));
  }
  void reserve(std::size_t size) { out_.reserve(size); }
  [[nodiscard]] std::string take() { return std::move(out_); }

private:
  void block(const void* data, std::size_t size) { out_.append(static_cast<const char*>(data), size); }
  std::string out_ = std::string(sizeof(index_header), '\0');
};

/// Reads what `packer` wrote. Past the end everything is empty, and `whole` says so.
class unpacker {
public:
  explicit unpacker(std::string_view bytes) : rest_(bytes) {}

  std::uint64_t number() {
    std::uint64_t x = 0;
    copy(&x, 1, sizeof x);
    return x;
  }
  std::string text() {
    const auto size = count(1);
    std::string x(size, '\0');
    copy(x.data(), size, 1);
    return x;
  }
  std::vector<std::uint64_t> numbers() {
    const auto size = count(sizeof(std::uint64_t));
    std::vector<std::uint64_t> x(size);
    copy(x.data(), size, sizeof(std::uint64_t));
    return x;
  }
  /// How many elements follow, each of at least `element_bytes`.
  std::size_t count(std::size_t element_bytes) {
    const auto size = number();
    if (size > rest_.size() / element_bytes)
      whole_ = false;
    return whole_ ? static_cast<std::size_t>(size) : 0;
  }
  /// True if all was there, and nothing behind it.
  [[nodiscard]] bool whole() const noexcept { return whole_ && rest_.empty(); }

private:
  void copy(void* to, std::size_t count, std::size_t element_bytes) {
    const auto size = count * element_bytes;
    whole_ = whole_ && size <= rest_.size();
    if (!whole_ || size == 0)
      return;
    std::memcpy(to, rest_.data(), size);
    rest_.remove_prefix(size);
  }

  std::string_view rest_;
  bool whole_ = true;
};

/// True if the parts fit each other, so that whoever uses the index need not check.
bool is_sound(const file_index& x, const std::vector<std::uint64_t>& ends, std::size_t num_bytes) {
  std::uint64_t num_files = 0;
  for (const auto& folder : x.classes)
    num_files += folder.num_files;
  return num_files == ends.size() && x.sizes.size() == ends.size() && std::is_sorted(ends.begin(), ends.end())
         && (ends.empty() ? 0 : ends.back()) == num_bytes && !x.folders.empty();
}

} // namespace

std::string pack_index(const file_index& index, const std::string& root) {
  packer out;
  out.reserve(index.files.bytes().size() + 16 * index.files.size() + 4096);
  out.text(root);
  out.number(index.classes.size());
  for (const auto& [name, num_files] : index.classes) {
    out.text(name);
    out.number(num_files);
  }
  out.number(index.folders.size());
  for (const auto& [path, mtime_ns] : index.folders) {
    out.text(path);
    out.number(static_cast<std::uint64_t>(mtime_ns));
  }
  for (const auto& [count, example] : index.passed) {
    out.number(count);
    out.text(example);
  }
  out.text(index.files.bytes());
  out.numbers(index.files.ends());
  out.numbers(index.sizes);
  auto bytes = out.take();
  index_header header;
  header.checksum = crc32c(std::string_view(bytes).substr(sizeof header));
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

std::optional<file_index> unpack_index(const std::string& bytes, const std::string& root) {
  index_header wanted;
  if (bytes.size() < sizeof wanted)
    return std::nullopt;
  const auto body = std::string_view(bytes).substr(sizeof wanted);
  wanted.checksum = crc32c(body);
  if (std::memcmp(bytes.data(), &wanted, sizeof wanted) != 0)
    return std::nullopt;
  unpacker in(body);
  if (in.text() != root)
    return std::nullopt;
  file_index out;
  out.classes.resize(in.count(2 * sizeof(std::uint64_t)));
  for (auto& [name, num_files] : out.classes) {
    name = in.text();
    num_files = in.number();
  }
  out.folders.resize(in.count(2 * sizeof(std::uint64_t)));
  for (auto& [path, mtime_ns] : out.folders) {
    path = in.text();
    mtime_ns = static_cast<std::int64_t>(in.number());
  }
  for (auto& [count, example] : out.passed) {
    count = in.number();
    example = in.text();
  }
  auto paths = in.text();
  auto ends = in.numbers();
  out.sizes = in.numbers();
  if (!in.whole() || !is_sound(out, ends, paths.size()))
    return std::nullopt;
  out.files = path_list(std::move(paths), std::move(ends));
  return out;
}

} // namespace troupe
