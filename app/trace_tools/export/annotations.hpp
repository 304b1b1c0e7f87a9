/// What a picture tells about a slice or an instant besides its name.
#pragma once

#include "app/trace_tools/export/timeline.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace troupe {

enum class annotation_key : std::uint8_t {
  message,
  from,
  sample,
  batch,
  step,
  version,
  bytes,
  wait_us,
  outcome,
  epoch,
  slot,
  pixel_hash,
};
inline constexpr std::array<std::string_view, 12> annotation_names = {"message", "from",    "sample", "batch",
                                                                      "step",    "version", "bytes",  "wait_us",
                                                                      "outcome", "epoch",   "slot",   "pixel_hash"};

/// One of them. `number` is nanoseconds for `wait_us`, the number of a name for `from`, a `trace_outcome` for `outcome`.
struct annotation {
  annotation_key key{};
  std::uint64_t number = 0;
};

/// Those of one event, in the order of their keys.
class annotations {
public:
  explicit annotations(const timeline_event& event, const trace_record& record);

  [[nodiscard]] const annotation* begin() const noexcept { return all_.data(); }
  [[nodiscard]] const annotation* end() const noexcept { return all_.data() + size_; }

private:
  void add(annotation_key key, std::uint64_t number) noexcept { all_[size_++] = {key, number}; }
  void add_id(annotation_key key, std::uint64_t number) noexcept;
  void add_subject(const timeline_event& event, const trace_record& record) noexcept;
  void add_sample(const recorded_sample& sample) noexcept;

  std::array<annotation, annotation_names.size()> all_{};
  std::size_t size_ = 0;
};

} // namespace troupe
