/// What this build is.
#pragma once

namespace troupe {

/// "0.1.0"
[[nodiscard]] const char* build_version() noexcept;

/// The commit that was configured, 12 digits; empty outside a checkout.
[[nodiscard]] const char* build_commit() noexcept;

} // namespace troupe
