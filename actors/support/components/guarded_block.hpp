/// Memory that notices when somebody writes beside it.
#pragma once

#include <cstddef>
#include <vector>

namespace troupe {

/// True in builds that look after what plugins write: those without NDEBUG, such as the preset `dev`.
#ifdef NDEBUG
inline constexpr bool checked_build = false;
#else
inline constexpr bool checked_build = true;
#endif

/// A block of bytes between two margins of known content. With AddressSanitizer a write into a margin ends the process
/// there and then, with the writer's stack; without, `intact` tells afterwards. Aligned to 64 bytes.
class guarded_block {
public:
  explicit guarded_block(std::size_t num_bytes);
  guarded_block(const guarded_block&) = delete;
  guarded_block& operator=(const guarded_block&) = delete;
  ~guarded_block();

  [[nodiscard]] std::byte* data() noexcept;
  [[nodiscard]] std::size_t size() const noexcept { return num_bytes_; }

  /// False if somebody has written into a margin.
  [[nodiscard]] bool intact() const noexcept;

private:
  [[nodiscard]] std::size_t offset() const noexcept;

  std::size_t num_bytes_;
  std::vector<std::byte> memory_;
};

} // namespace troupe
