#include "app/openmp_environment.hpp"

#include <cstdlib>
#include <unistd.h>

namespace troupe {

void restart_with_brief_openmp_waits(char** argv) {
  if (std::getenv("GOMP_SPINCOUNT") != nullptr || std::getenv("OMP_WAIT_POLICY") != nullptr)
    return;
  setenv("GOMP_SPINCOUNT", "1000", 1);
  execv("/proc/self/exe", argv); // Returns only where it fails; then the run goes on as it is.
}

} // namespace troupe
