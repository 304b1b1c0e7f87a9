/// The trace files of one process: one after the other, so that the oldest can go when they take too much room.
#pragma once

#include "actors/tracer/trace_file.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace troupe {

/// Writes blocks to the newest segment; each segment can be read by itself. One thread.
class trace_segments {
public:
  /// Makes the first segment, `<folder>/run-<nonce>-000001.trc`.
  /// @param max_bytes That all segments together may take.
  static expected<trace_segments> create(std::string folder, const trace_file_header& header, std::uint64_t max_bytes);

  /// Writes one block. Names are kept, for the segments to come.
  expected<void> write(const std::map<std::uint32_t, std::string>& strings);
  expected<void> write(const record_batch& batch);
  template <class Block>
  expected<void> write(const Block& block) {
    if (auto open = open_if_closed(); !open)
      return open;
    auto written = newest_->write(block);
    rotate_if_full();
    return written;
  }

  expected<void> close();

  /// What went wrong with a segment whose blocks are written, since the last call: it could not be closed, for example.
  expected<void> take_problem() { return std::exchange(problem_, {}); }

  /// Records that went with the oldest segments.
  [[nodiscard]] std::uint64_t num_cut() const noexcept { return num_cut_; }

private:
  struct closed_segment {
    std::string path;
    std::uint64_t num_bytes = 0;
    std::uint64_t num_records = 0;
  };

  trace_segments(std::string folder, const trace_file_header& header, std::uint64_t max_bytes);
  [[nodiscard]] std::uint64_t max_segment_bytes() const noexcept;
  expected<void> open_next();
  expected<void> open_if_closed() { return newest_ ? expected<void>{} : open_next(); }
  void rotate_if_full();
  void make_room() noexcept;

  std::string folder_;
  trace_file_header header_;
  std::uint64_t max_bytes_;
  std::optional<trace_file_writer> newest_; ///< None: a segment was closed, and the next one could not be made yet.
  std::uint64_t newest_records_ = 0;
  std::deque<closed_segment> closed_;
  std::map<std::uint32_t, std::string> strings_;
  std::uint64_t num_cut_ = 0;
  expected<void> problem_;
};

/// "<prefix>-<nonce>-<number, six digits>.trc"
[[nodiscard]] std::string trace_file_name(const char* prefix, std::uint64_t nonce, std::uint64_t number);

} // namespace troupe
