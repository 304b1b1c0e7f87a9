/// What a plugin says about itself in its file, read without running anything of it.
#pragma once

#include "actors/support/expected.hpp"

#include <cstdint>
#include <string>

namespace troupe {

/// The plain part of a `plugin_entry`. What lies behind `build` means something only if `api` is ours.
struct plugin_identity {
  std::uint32_t api = 0;
  std::uint32_t size = 0; ///< Of the plugin's `plugin_entry`.
  std::string build;
  std::string torch; ///< Empty: it does not use LibTorch.
  std::uint64_t layout = 0;
  std::string name;
  std::string version;
  std::string digest; ///< Of the whole file: CRC-32C and size.
};

/// Reads the symbol `troupe_plugin` of the shared library at `path`. Blocks. Errors: bad_data for a file that is no whole
/// 64-bit ELF library or does not define the symbol; not_found and io_error as of reading.
[[nodiscard]] expected<plugin_identity> read_identity(const std::string& path);

} // namespace troupe
