/// A TensorBoard event file that is valid after any prefix: one write(2) per record, nothing buffered.
#pragma once

#include "actors/logger/append_file.hpp"
#include "actors/logger/events.hpp"
#include "actors/logger/metrics_table.hpp"
#include "actors/support/expected.hpp"
#include "messages/metric.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace troupe {

/// An event as a record: its length, then it, each followed by a masked CRC-32C.
/// Format: tensorflow/core/lib/io/record_writer.h.
[[nodiscard]] std::string event_record(std::string_view event);

/// Who writes the file, and since when: the parts of its name.
struct event_file_name {
  std::uint64_t seconds = 0; ///< Since 1970.
  std::string host;
  std::uint64_t process = 0;
  std::uint64_t sequence = 0; ///< Tells the files of one process apart.
};

/// events.out.tfevents.<seconds, ten digits>.<host>.<process>.<sequence>
[[nodiscard]] std::string to_string(const event_file_name& name);

/// Owned by one thread.
class event_file {
public:
  /// Creates a new file in `folder` with its first records: version and session start. `resumed_step` is the last step
  /// that counts of those in earlier files (0: a fresh run): readers drop what they know about later ones. Readers go
  /// through a folder by name and never back, so the seconds of `name` are raised past those of the files that are
  /// there. Fails with `io_error` or `not_found`.
  [[nodiscard]] static expected<event_file> open(const std::string& folder, event_file_name name, double wall_time,
                                                 std::uint64_t resumed_step);

  /// Appends one event (see events.hpp) as a record. Fails with `io_error`; the file then ends with the record before.
  [[nodiscard]] expected<void> append(std::string_view event) { return file_.append(event_record(event)); }

  [[nodiscard]] const std::string& path() const noexcept { return file_.path(); }

private:
  explicit event_file(append_file file) : file_(std::move(file)) {}

  append_file file_;
};

/// loss/train, accuracy/train, learning_rate, samples_per_second, data_wait_share
[[nodiscard]] std::vector<scalar> train_scalars(const metrics_row& row);

/// loss/validation, top1/validation, topk/validation, and <name>/validation of each figure of a plugin
[[nodiscard]] std::vector<scalar> validation_scalars(const validation_report& report);

} // namespace troupe
