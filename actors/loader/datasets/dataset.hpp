/// What every data set can do. To add one: a file with an `open_...` function, and its line in open_dataset.cpp.
#pragma once

#include "actors/support/expected.hpp"
#include "messages/sample.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace troupe {

/// Samples by id, 0 <= id < num_samples(). Immutable once open: every function may be called from any thread at the same
/// time.
class dataset {
public:
  dataset() = default;
  dataset(const dataset&) = delete;
  dataset& operator=(const dataset&) = delete;
  virtual ~dataset() = default;

  [[nodiscard]] virtual std::uint64_t num_samples() const noexcept = 0; ///< 1..2^32-1

  /// Shape of every sample; all 0 where samples are image files, whose shape is known when they are decoded.
  [[nodiscard]] virtual std::uint32_t channels() const noexcept = 0;
  [[nodiscard]] virtual std::uint32_t height() const noexcept = 0;
  [[nodiscard]] virtual std::uint32_t width() const noexcept = 0;
  [[nodiscard]] virtual std::uint32_t num_classes() const noexcept = 0;

  /// Names by class id, `num_classes()` of them; or none.
  [[nodiscard]] virtual const std::vector<std::string>& class_names() const noexcept = 0;

  /// Tells data sets apart: equal if and only if samples, labels and classes are (short of a collision of checksums).
  /// The same in every process and on every machine; one word.
  [[nodiscard]] virtual std::string fingerprint() const = 0;

  /// What messages call the sample: its path, or "images.gz[17]".
  [[nodiscard]] virtual std::string sample_name(std::uint64_t id) const = 0;

  /// Bytes that `read(id)` will hold, at least nearly. @pre id < num_samples()
  [[nodiscard]] virtual std::uint64_t encoded_bytes(std::uint64_t id) const noexcept = 0;

  /// Class of the sample, without reading it. @pre id < num_samples()
  [[nodiscard]] virtual std::int64_t label(std::uint64_t id) const noexcept = 0;

  /// Factor of the sample's loss. @pre id < num_samples()
  [[nodiscard]] virtual float weight(std::uint64_t) const noexcept { return 1; }

  /// True if `read` opens a file, so that it may take long and is worth doing ahead of time.
  [[nodiscard]] virtual bool reads_files() const noexcept { return false; }

  /// What the user should know of how the data were found: files that were ignored, classes without samples.
  [[nodiscard]] virtual const std::vector<std::string>& notices() const noexcept;

  /// Returns the sample, or why there is none. May block on a disk.
  [[nodiscard]] virtual expected<encoded_sample> read(std::uint64_t id) const = 0;
};

} // namespace troupe
