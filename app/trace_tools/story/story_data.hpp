/// What the data of a run, opened again, can add to a story. All of it may be missing.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

/// A sample made once more.
struct told_sample {
  std::string name; ///< Path, or "images.gz[17]".
  std::string label;
  std::vector<std::string> notes; ///< What each transform drew.
  std::optional<std::uint64_t> pixel_hash;
  std::string problem; ///< Why it could not be made; empty: it could.
};

struct story_data {
  /// Tells of a sample as an epoch (0-based) had it.
  std::function<told_sample(bool of_validation, std::uint64_t id, std::uint64_t epoch)> sample = {};
  /// The id of the training sample in a file.
  std::function<std::optional<std::uint64_t>(const std::string& path)> find = {};
  /// Ids of a training batch in slot order; nothing: unknown.
  std::function<std::optional<std::vector<std::uint64_t>>(std::uint64_t batch)> members = {};
  /// Their number.
  std::function<std::optional<std::uint64_t>(std::uint64_t batch)> num_members = {};
  std::optional<std::uint64_t> seed = {};
  std::string problem = {}; ///< Why the data are not there.
};

} // namespace troupe
