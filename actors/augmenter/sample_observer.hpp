/// Who looks on while the samples of a slice are made, without the logic knowing why.
#pragma once

#include <cstdint>

namespace troupe {

/// A sample that was made, or could not be.
struct made_sample {
  std::uint64_t id = 0;
  std::uint32_t slot = 0;       ///< Its slot in the batch.
  std::uint64_t pixel_hash = 0; ///< Of its pixels right before normalising; 0 if not wanted, or if it is bad.
  std::uint32_t bytes = 0;      ///< Of the encoded sample; 4294967295 where there are more.
  bool bad = false;             ///< It could not be made.
  friend bool operator==(const made_sample&, const made_sample&) = default;
};

/// Told of every sample, in slot order, on the thread that makes it: what takes time here is missing there. Samples that
/// could not be read are never begun.
class sample_observer {
public:
  sample_observer() = default;
  sample_observer(const sample_observer&) = delete;
  sample_observer& operator=(const sample_observer&) = delete;
  virtual ~sample_observer() = default;

  /// True if `made_sample::pixel_hash` is to be computed. Asked once per slice.
  [[nodiscard]] virtual bool wants_hash() const = 0;

  /// The work on sample `id` begins.
  virtual void begins(std::uint64_t id) = 0;

  /// The work on the sample that was begun last has ended. Not called if an exception ended it.
  virtual void made(const made_sample& sample) = 0;
};

} // namespace troupe
