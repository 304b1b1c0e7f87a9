/// Where the encoders write: a stream, or nothing but a count of bytes.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace troupe {

class byte_sink {
public:
  /// @param out nullptr: only count.
  /// @param max_bytes Encoders stop soon after they have exceeded it.
  byte_sink(std::ostream* out, std::uint64_t max_bytes) : out_(out), max_bytes_(max_bytes) {
    text_.reserve(2 * buffer_bytes);
  }
  byte_sink(const byte_sink&) = delete;
  byte_sink& operator=(const byte_sink&) = delete;
  ~byte_sink() { flush(); }

  /// To append to.
  [[nodiscard]] std::string& text() noexcept { return text_; }

  /// Hands on what was appended, now and then. False: it is more than it may be.
  bool keep_going() {
    if (text_.size() >= buffer_bytes)
      flush();
    return !is_over();
  }

  void flush() {
    if (out_ != nullptr)
      out_->write(text_.data(), static_cast<std::streamsize>(text_.size()));
    num_bytes_ += text_.size();
    text_.clear();
  }

  [[nodiscard]] std::uint64_t num_bytes() const noexcept { return num_bytes_ + text_.size(); }
  [[nodiscard]] bool is_over() const noexcept { return num_bytes() > max_bytes_; }

private:
  static constexpr std::size_t buffer_bytes = 256 * 1024;

  std::ostream* out_;
  std::uint64_t max_bytes_;
  std::uint64_t num_bytes_ = 0;
  std::string text_;
};

/// Calls `write` for each item, until the sink has more than it may. Returns the share of the items that were written.
template <class Item, class Write>
[[nodiscard]] double write_while_it_fits(const std::vector<Item>& items, byte_sink& sink, Write write) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    write(items[i]);
    if (!sink.keep_going())
      return static_cast<double>(i + 1) / static_cast<double>(items.size());
  }
  return 1;
}

} // namespace troupe
