/// What a story is asked about: "sample:17", "file:cats/1.jpg", "batch:3", "step:3", "checkpoint:2", "message:4711".
#pragma once

#include "actors/support/expected.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace troupe {

enum class subject_kind : std::uint8_t { sample, file, batch, step, checkpoint, message };

struct story_subject {
  subject_kind kind = subject_kind::sample;
  std::uint64_t id = 0; ///< Of all but `file`. A checkpoint's is the version of its snapshot.
  std::string path;     ///< Of `file`.
  friend bool operator==(const story_subject&, const story_subject&) = default;
};

/// Reads it; bad_config if it is of none of those forms.
[[nodiscard]] expected<story_subject> parse_subject(std::string_view text);

[[nodiscard]] std::string to_string(const story_subject& subject);

} // namespace troupe
