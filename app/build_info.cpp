#include "app/build_info.hpp"

namespace troupe {

const char* build_version() noexcept {
  return TROUPE_VERSION;
}

const char* build_commit() noexcept {
  return TROUPE_GIT_COMMIT;
}

} // namespace troupe
