/// A data set, brought by a plugin: an index and a way to read a sample.
#pragma once

#include "actors/support/image_shape.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace troupe {

/// Samples by id, 0 <= id < num_samples(). Immutable: `read` and `sample_name` are called by any number of threads at the
/// same time, the rest once, when the data set is opened. What `read` throws makes that sample a bad one; its text is the reason.
class data_source {
public:
  data_source() = default;
  data_source(const data_source&) = delete;
  data_source& operator=(const data_source&) = delete;
  virtual ~data_source() = default;

  [[nodiscard]] virtual std::uint64_t num_samples() const = 0; ///< 1..2^32-1

  /// Shape of every sample, 8 bits, if `read` gives raw pixels; all 0: it gives the bytes of image files.
  [[nodiscard]] virtual image_shape shape() const = 0;

  /// Names by class id; at least two.
  [[nodiscard]] virtual std::vector<std::string> class_names() const = 0;

  /// Class of the sample, below the number of classes.
  [[nodiscard]] virtual std::int64_t label(std::uint64_t id) const = 0;

  /// Factor of the sample's loss, above 0.
  [[nodiscard]] virtual float weight(std::uint64_t) const { return 1; }

  /// What messages call the sample: a path.
  [[nodiscard]] virtual std::string sample_name(std::uint64_t id) const = 0;

  /// Changes when samples, labels or classes do, and only then: a resumed run checks it. One word.
  [[nodiscard]] virtual std::string fingerprint() const = 0;

  /// True if `read` opens a file or waits for something else, so that it is worth doing ahead of time.
  [[nodiscard]] virtual bool reads_files() const { return false; }

  /// The sample's bytes: raw pixels, rows of interleaved channels, or an image file. May block.
  [[nodiscard]] virtual std::vector<std::byte> read(std::uint64_t id) const = 0;
};

} // namespace troupe
