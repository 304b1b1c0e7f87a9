#include "actors/loader/disk_cache.hpp"

#include "actors/loader/user_cache.hpp"
#include "actors/support/crc32c.hpp"
#include "actors/support/file_io.hpp"
#include "actors/support/rng.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <type_traits>
#include <unistd.h>
#include <unordered_map>
#include <utility>

namespace troupe {

namespace {

/// One line of the index; little-endian, as everything here.
struct index_line {
  std::uint64_t id = 0;
  std::uint64_t offset = 0;
  std::uint32_t channels = 0;
  std::uint32_t height = 0;
  std::uint32_t width = 0;
  std::uint32_t pixel_checksum = 0;
  std::uint32_t version = 1;
  std::uint32_t line_checksum = 0; ///< CRC-32C of all before it.

  [[nodiscard]] std::uint64_t num_bytes() const noexcept { return std::uint64_t{channels} * height * width; }
};
static_assert(sizeof(index_line) == 40 && std::is_trivially_copyable_v<index_line>);

std::uint32_t checksum_of(const index_line& line) {
  return crc32c(std::as_bytes(std::span{&line, 1}).first(sizeof(index_line) - sizeof(std::uint32_t)));
}

/// Moves all of `bytes` by `call`, pread or pwrite, from `offset` on; false if the system refuses or the file ends.
template <class Byte, class Call>
bool move_all(Call call, int fd, std::uint64_t offset, std::span<Byte> bytes) {
  while (!bytes.empty()) {
    const auto n = call(fd, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    bytes = bytes.subspan(static_cast<std::size_t>(n));
    offset += static_cast<std::uint64_t>(n);
  }
  return true;
}

bool read_at(int fd, std::uint64_t offset, std::span<std::byte> bytes) {
  return move_all(::pread, fd, offset, bytes);
}

bool write_at(int fd, std::uint64_t offset, std::span<const std::byte> bytes) {
  return move_all(::pwrite, fd, offset, bytes);
}

std::uint64_t size_of(int fd) {
  struct stat info {};
  return ::fstat(fd, &info) == 0 ? static_cast<std::uint64_t>(info.st_size) : 0;
}

expected<file_descriptor> open_file(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0)
    return failure{ec::io_error, "loader: cache " + path + ": " + std::strerror(errno)};
  return file_descriptor(fd);
}

class disk_cache final : public pixel_cache {
public:
  disk_cache(file_descriptor index, file_descriptor pixels, std::uint64_t max_bytes)
    : index_(std::move(index)), pixels_(std::make_shared<file_descriptor>(std::move(pixels))), max_bytes_(max_bytes) {
    ours_ = ::flock(index_.number(), LOCK_EX | LOCK_NB) == 0;
    load();
  }

  [[nodiscard]] fetcher find(std::uint64_t id) const override {
    const auto it = lines_.find(id);
    if (it == lines_.end())
      return {};
    return [pixels = pixels_, line = it->second](encoded_sample& sample) {
      auto bytes = std::make_shared<std::vector<std::byte>>(line.num_bytes());
      if (!read_at(pixels->number(), line.offset, *bytes) || crc32c(*bytes) != line.pixel_checksum)
        return false;
      sample.format = sample_format::cached_u8;
      sample.channels = line.channels;
      sample.height = line.height;
      sample.width = line.width;
      sample.bytes = *bytes;
      sample.owner = std::move(bytes);
      return true;
    };
  }

  /// Also of an image that is here: its pixels on the disk have not verified.
  void put(const decoded_sample& sample) override {
    if (!takes_more())
      return;
    if (end_ + sample.bytes.size() > max_bytes_) {
      full_ = true;
      return;
    }
    index_line line{sample.id, end_, sample.channels, sample.height, sample.width, crc32c(sample.bytes)};
    line.line_checksum = checksum_of(line);
    if (!write_at(pixels_->number(), end_, sample.bytes)
        || !write_at(index_.number(), num_lines_ * sizeof line, std::as_bytes(std::span{&line, 1}))) {
      full_ = true; // The disk is: what is there stays good.
      return;
    }
    end_ += sample.bytes.size();
    ++num_lines_;
    lines_[sample.id] = line;
  }

  [[nodiscard]] bool takes_more() const noexcept override { return ours_ && !full_; }
  [[nodiscard]] std::uint64_t num_samples() const noexcept override { return lines_.size(); }
  [[nodiscard]] std::uint64_t num_bytes() const noexcept override { return end_; }

private:
  void load() {
    std::vector<index_line> lines(size_of(index_.number()) / sizeof(index_line));
    if (!read_at(index_.number(), 0, std::as_writable_bytes(std::span{lines})))
      return;
    const auto size = size_of(pixels_->number());
    for (const auto& line : lines) {
      if (line.version != 1 || checksum_of(line) != line.line_checksum || line.offset > size
          || line.num_bytes() > size - line.offset)
        break;
      lines_[line.id] = line;
      end_ = std::max(end_, line.offset + line.num_bytes());
      ++num_lines_;
    }
  }

  file_descriptor index_;
  std::shared_ptr<file_descriptor> pixels_;
  std::uint64_t max_bytes_;
  std::uint64_t end_ = 0;       ///< Of the pixels.
  std::uint64_t num_lines_ = 0; ///< Good ones; the next goes behind them.
  bool ours_ = false;           ///< Nobody else writes.
  bool full_ = false;
  std::unordered_map<std::uint64_t, index_line> lines_;
};

std::string name_of(const std::string& identity) {
  std::uint64_t hash = 0;
  for (const char c : identity)
    hash = mix_bits((hash ^ static_cast<unsigned char>(c)) + 0x9E3779B97F4A7C15);
  char name[17];
  std::snprintf(name, sizeof name, "%016llx", static_cast<unsigned long long>(hash));
  return name;
}

} // namespace

expected<std::shared_ptr<pixel_cache>> open_disk_cache(const cache_config& config, const std::string& identity) {
  const auto folder = config.dir.empty() ? user_cache_folder("pixels") : config.dir;
  if (folder.empty())
    return failure{ec::bad_config, "loader: data.cache.dir is empty and there is no user's cache folder, since neither "
                                   "XDG_CACHE_HOME nor HOME is set; expected a folder"};
  if (auto made = make_folders(folder); !made)
    return made.error();
  const auto path = folder + "/" + name_of(identity);
  auto index = open_file(path + ".index");
  if (!index)
    return index.error();
  auto pixels = open_file(path + ".pixels");
  if (!pixels)
    return pixels.error();
  return std::shared_ptr<pixel_cache>(
    std::make_shared<disk_cache>(std::move(*index), std::move(*pixels), config.max_bytes));
}

} // namespace troupe
