/// Millions of paths in two blocks of memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace troupe {

/// Texts by index. A path is bytes: nothing is assumed of its encoding.
class path_list {
public:
  path_list() = default;

  /// Makes the list of what `bytes()` and `ends()` of another one were. @pre `ends` rises, up to `bytes.size()`
  path_list(std::string bytes, std::vector<std::uint64_t> ends) : bytes_(std::move(bytes)), ends_(std::move(ends)) {}

  void push_back(std::string_view text) { push_back(text, {}); }

  /// Adds `front` and `back` as one text.
  void push_back(std::string_view front, std::string_view back) {
    bytes_.append(front).append(back);
    ends_.push_back(bytes_.size());
  }

  void append(const path_list& other) {
    const auto before = bytes_.size();
    bytes_ += other.bytes_;
    for (auto end : other.ends_)
      ends_.push_back(before + end);
  }

  void reserve(std::size_t num_texts, std::size_t num_bytes) {
    ends_.reserve(num_texts);
    bytes_.reserve(num_bytes);
  }

  [[nodiscard]] std::size_t size() const noexcept { return ends_.size(); }
  [[nodiscard]] bool empty() const noexcept { return ends_.empty(); }

  /// Valid until the list is changed. @pre index < size()
  [[nodiscard]] std::string_view operator[](std::size_t index) const noexcept {
    const auto begin = index == 0 ? 0 : ends_[index - 1];
    return std::string_view(bytes_).substr(begin, ends_[index] - begin);
  }

  [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; } ///< All texts, one behind the other.
  [[nodiscard]] const std::vector<std::uint64_t>& ends() const noexcept { return ends_; } ///< Where each ends there.

private:
  std::string bytes_;
  std::vector<std::uint64_t> ends_;
};

} // namespace troupe
