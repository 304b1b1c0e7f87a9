/// The plugins in tests/plugins, as files.
#pragma once

#include "tests/support/scratch_folder.hpp"

#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>

namespace troupe {

/// Where the build has put the plugin of that name.
[[nodiscard]] inline std::string built_plugin(const std::string& name) {
  return TROUPE_BINARY_DIR "/tests/plugins/" + name + ".so";
}

/// The bytes of `file` with `with` written `offset` bytes behind the first place that begins with `mark`.
[[nodiscard]] inline std::string patched(std::string file, std::string_view mark, std::ptrdiff_t offset,
                                         std::string_view with) {
  const auto at = file.find(mark);
  if (at == std::string::npos)
    throw std::runtime_error("not in the file: " + std::string(mark));
  file.replace(at + static_cast<std::size_t>(offset), with.size(), with);
  return file;
}

} // namespace troupe
