/// What went wrong, as a value that can be returned, sent and printed.
#pragma once

#include <cstdint>
#include <string>

namespace troupe {

/// Error codes. The text of a failure says who, what, which value and what was expected.
enum class ec : std::uint8_t {
  none,          ///< No error.
  bad_config,    ///< The config is wrong: unknown key, wrong type, value out of range.
  not_found,     ///< A file or folder that should exist does not.
  io_error,      ///< The operating system refused: disk full, read-only, permission, I/O error.
  bad_data,      ///< A data set or a sample is not what its format says.
  corrupt,       ///< A file of ours does not verify: checksum, truncation, manifest.
  mismatch,      ///< Two things that must agree do not: shapes, names, fingerprints.
  nonfinite,     ///< A loss or a weight is NaN or infinite.
  stalled,       ///< No progress for longer than `pipeline.stall_timeout`.
  actor_died,    ///< An actor that the run cannot do without died.
  budget_spent,  ///< Too many bad samples, or too many restarts.
  unsupported,   ///< This build or machine cannot do what was asked.
  plugin_failed, ///< A plugin threw, or did not keep its promise.
};

/// The code's name, as written in logs and traces.
[[nodiscard]] constexpr const char* to_string(ec code) noexcept {
  switch (code) {
  case ec::none:
    return "none";
  case ec::bad_config:
    return "bad_config";
  case ec::not_found:
    return "not_found";
  case ec::io_error:
    return "io_error";
  case ec::bad_data:
    return "bad_data";
  case ec::corrupt:
    return "corrupt";
  case ec::mismatch:
    return "mismatch";
  case ec::nonfinite:
    return "nonfinite";
  case ec::stalled:
    return "stalled";
  case ec::actor_died:
    return "actor_died";
  case ec::budget_spent:
    return "budget_spent";
  case ec::unsupported:
    return "unsupported";
  case ec::plugin_failed:
    return "plugin_failed";
  }
  return "unknown";
}

/// An error with its story: "loader: /data/train.gz: truncated at byte 812, expected 47040016 bytes".
struct failure {
  ec code = ec::none;
  std::string context;
};

[[nodiscard]] inline std::string to_string(const failure& x) {
  return x.context.empty() ? to_string(x.code) : x.context;
}

} // namespace troupe
