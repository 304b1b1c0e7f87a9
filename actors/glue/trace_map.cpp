#include "actors/glue/trace_map.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace troupe {

namespace {

constexpr std::size_t page_bytes = 4096;

constexpr std::size_t whole_pages(std::size_t bytes) noexcept {
  return (bytes + page_bytes - 1) / page_bytes * page_bytes;
}

constexpr std::size_t max_rings = 1024;

// header | claims | strings | actors | ring 0: header, counts, cells | ring 1 ...
constexpr std::size_t claims_offset = whole_pages(sizeof(trace_map_header));
constexpr std::size_t strings_offset = claims_offset + whole_pages(sizeof(ring_claim) * max_rings);
constexpr std::size_t actors_offset = strings_offset + whole_pages(sizeof(string_cell) * max_trace_strings);
constexpr std::size_t rings_offset = actors_offset + whole_pages(sizeof(actor_cell) * max_traced_actors);
constexpr std::size_t stats_offset = page_bytes;
constexpr std::size_t cells_offset = stats_offset + whole_pages(sizeof(stats_row) * max_stats_rows);
static_assert(sizeof(ring_header) <= page_bytes && sizeof(trace_map_header) <= page_bytes);

constexpr std::size_t bytes_per_ring(std::size_t capacity) noexcept {
  return cells_offset + whole_pages(sizeof(ring_cell) * capacity);
}

constexpr std::size_t bytes_of(std::size_t num_rings, std::size_t capacity) noexcept {
  return rings_offset + num_rings * bytes_per_ring(capacity);
}

std::int64_t now_ns(clockid_t clock) noexcept {
  timespec time{};
  clock_gettime(clock, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

std::string reason(int error) {
  return std::strerror(error);
} // NOLINT: glibc's strerror is thread-safe.

std::byte* map_memory(std::size_t num_bytes, int protection, int flags, int fd) noexcept {
  auto* base = mmap(nullptr, num_bytes, protection, flags, fd, 0);
  return base == MAP_FAILED ? nullptr : static_cast<std::byte*>(base);
}

std::uint64_t num_usable_cpus() noexcept {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof set, &set) == 0 ? static_cast<std::uint64_t>(CPU_COUNT(&set)) : 0;
}

void fill_header(trace_map_header& header, const trace_map_options& options, std::size_t num_bytes) noexcept {
  header.version = trace_map_version;
  header.policy = static_cast<std::uint32_t>(options.policy);
  header.nonce = options.nonce;
  header.process = static_cast<std::uint64_t>(getpid());
  header.monotonic_ns = now_ns(CLOCK_MONOTONIC);
  header.realtime_ns = now_ns(CLOCK_REALTIME);
  header.last_seen_ns.store(header.monotonic_ns, std::memory_order_relaxed);
  header.num_rings = options.num_rings;
  header.ring_capacity = options.ring_capacity;
  header.total_bytes = num_bytes;
  header.num_cpus = num_usable_cpus();
  gethostname(header.host.data(), header.host.size() - 1);
  header.magic = trace_map_magic;
}

failure not_a_map(const std::string& path, const std::string& why) {
  return {ec::corrupt, "tracer: " + path + ": not a trace ring file: " + why};
}

expected<void> check(const trace_map_header& header, std::size_t num_bytes, const std::string& path) {
  if (header.magic != trace_map_magic)
    return not_a_map(path, "no magic number");
  if (header.version != trace_map_version)
    return not_a_map(path,
                     "version " + std::to_string(header.version) + ", expected " + std::to_string(trace_map_version));
  if (!std::has_single_bit(header.ring_capacity) || header.ring_capacity > (1u << 30) || header.num_rings > max_rings
      || header.total_bytes != bytes_of(header.num_rings, header.ring_capacity))
    return not_a_map(path, "its sizes contradict each other");
  if (num_bytes < header.total_bytes)
    return not_a_map(path, std::to_string(num_bytes) + " bytes, expected " + std::to_string(header.total_bytes));
  return {};
}

/// Makes a file of `num_bytes` bytes whose tables have their place on the disk. Returns its descriptor.
expected<int> make_file(const std::string& path, std::size_t num_bytes) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0)
    return failure{ec::io_error, "tracer: cannot make " + path + ": " + reason(errno)};
  auto error = posix_fallocate(fd, 0, static_cast<off_t>(rings_offset));
  if (error == 0 && ftruncate(fd, static_cast<off_t>(num_bytes)) != 0)
    error = errno;
  if (error == 0) {
    flock(fd, LOCK_EX | LOCK_NB); // Where the file system has no locks, nobody will know that we live.
    return fd;
  }
  ::close(fd);
  ::unlink(path.c_str());
  return failure{ec::io_error,
                 "tracer: no room for " + path + " (" + std::to_string(rings_offset) + " bytes): " + reason(error)};
}

} // namespace

trace_map::trace_map(std::byte* base, std::size_t num_bytes, int fd, std::string path, bool is_ours) noexcept
  : base_(base), num_bytes_(num_bytes), fd_(fd), path_(std::move(path)), is_ours_(is_ours) {}

trace_map::~trace_map() {
  munmap(base_, num_bytes_);
  if (fd_ >= 0)
    ::close(fd_);
}

expected<std::shared_ptr<trace_map>> trace_map::create(const trace_map_options& options) {
  if (!std::has_single_bit(options.ring_capacity) || options.num_rings == 0 || options.num_rings > max_rings)
    return failure{ec::bad_config, "tracer: " + std::to_string(options.num_rings) + " rings of "
                                     + std::to_string(options.ring_capacity)
                                     + " records: expected 1 to 1024 rings and a power of two"};
  const auto num_bytes = bytes_of(options.num_rings, options.ring_capacity);
  std::string problem;
  int fd = -1;
  std::byte* base = nullptr;
  if (!options.path.empty()) {
    if (auto made = make_file(options.path, num_bytes)) {
      fd = *made;
      base = map_memory(num_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd);
      if (base == nullptr)
        problem = "tracer: cannot map " + options.path + ": " + reason(errno);
    } else {
      problem = made.error().context;
    }
  }
  const bool in_file = base != nullptr;
  if (!in_file)
    base = map_memory(num_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
  if (base == nullptr)
    return failure{ec::io_error, "tracer: no memory for " + std::to_string(num_bytes) + " bytes: " + reason(errno)};
  std::shared_ptr<trace_map> map{new trace_map(base, num_bytes, fd, in_file ? options.path : std::string{}, true)};
  map->problem_ = std::move(problem);
  fill_header(map->header(), options, num_bytes);
  return map;
}

expected<std::shared_ptr<trace_map>> trace_map::open(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return failure{errno == ENOENT ? ec::not_found : ec::io_error,
                   "tracer: cannot open " + path + ": " + reason(errno)};
  struct stat status {};
  const auto num_bytes = fstat(fd, &status) == 0 ? static_cast<std::size_t>(status.st_size) : 0;
  auto* base = num_bytes >= rings_offset ? map_memory(num_bytes, PROT_READ, MAP_SHARED, fd) : nullptr;
  if (base == nullptr) {
    ::close(fd);
    return not_a_map(path, std::to_string(num_bytes) + " bytes, expected at least " + std::to_string(rings_offset));
  }
  std::shared_ptr<trace_map> map{new trace_map(base, num_bytes, fd, path, false)};
  if (auto checked = check(map->header(), num_bytes, path); !checked)
    return checked.error();
  return map;
}

bool trace_map::is_held(const std::string& path) noexcept {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool held = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  if (fd >= 0)
    ::close(fd);
  return held;
}

trace_map_header& trace_map::header() const noexcept {
  return *reinterpret_cast<trace_map_header*>(base_);
}

trace_strings trace_map::strings() const noexcept {
  return trace_strings{reinterpret_cast<string_cell*>(base_ + strings_offset)};
}

traced_actor trace_map::actor(std::size_t index) const noexcept {
  return traced_actor{reinterpret_cast<actor_cell*>(base_ + actors_offset) + index};
}

std::byte* trace_map::ring_memory(std::size_t index) const noexcept {
  return base_ + rings_offset + index * bytes_per_ring(header().ring_capacity);
}

ring_claim& trace_map::claim_of(std::size_t index) const noexcept {
  return reinterpret_cast<ring_claim*>(base_ + claims_offset)[index];
}

std::vector<actor_state> trace_map::actor_states() const {
  std::vector<actor_state> states;
  for (std::size_t place = 1; place < max_traced_actors; ++place)
    if (const auto each = actor(place); each.actor() != 0)
      states.push_back({each.name(), each.mailbox_depth(), each.current()});
  return states;
}

trace_ring trace_map::ring(std::size_t index) const noexcept {
  auto* memory = ring_memory(index);
  return {reinterpret_cast<ring_header*>(memory), reinterpret_cast<ring_cell*>(memory + cells_offset),
          header().ring_capacity};
}

trace_stats trace_map::stats(std::size_t index) const noexcept {
  return trace_stats{reinterpret_cast<stats_row*>(ring_memory(index) + stats_offset)};
}

bool trace_map::ring_used(std::size_t index) const noexcept {
  const auto place = static_cast<ring_place>(claim_of(index).used.load(std::memory_order_acquire));
  return place == ring_place::file || (place == ring_place::memory && is_ours_);
}

std::size_t trace_map::claim_ring() noexcept {
  for (std::size_t i = 0; i < header().num_rings; ++i) {
    auto& claim = claim_of(i);
    std::uint32_t free = 0;
    if (!claim.taken.compare_exchange_strong(free, 1, std::memory_order_acq_rel))
      continue;
    if (!ring_used(i))
      claim.used.store(static_cast<std::uint32_t>(back_ring(i)), std::memory_order_release);
    return i;
  }
  return header().num_rings;
}

void trace_map::release_ring(std::size_t index) noexcept {
  claim_of(index).taken.store(0, std::memory_order_release);
}

/// Gets the ring its place on the disk. Where there is none, plain memory takes the ring's place in the mapping: a hole
/// in the file must not be written, it would fault (SIGBUS) on a full disk.
ring_place trace_map::back_ring(std::size_t index) noexcept {
  const auto num_bytes = bytes_per_ring(header().ring_capacity);
  const auto offset = rings_offset + index * num_bytes;
  if (path_.empty())
    return ring_place::memory;
  if (posix_fallocate(fd_, static_cast<off_t>(offset), static_cast<off_t>(num_bytes)) == 0)
    return ring_place::file;
  header().rings_in_memory.fetch_add(1, std::memory_order_relaxed);
  mmap(base_ + offset, num_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  return ring_place::memory;
}

stats_map trace_map::merged_stats() const {
  stats_map merged;
  for (std::size_t i = 0; i < header().num_rings; ++i)
    if (ring_used(i))
      stats(i).merge_into(merged);
  return merged;
}

std::uint64_t trace_map::dropped() const noexcept {
  auto total = header().homeless.load(std::memory_order_relaxed) + header().lost.load(std::memory_order_relaxed);
  for (std::size_t i = 0; i < header().num_rings; ++i)
    if (ring_used(i))
      total += ring(i).dropped();
  return total;
}

} // namespace troupe
