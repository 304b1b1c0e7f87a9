#include "app/openmp_environment.hpp"

#include <cstdlib>

namespace troupe {

void choose_brief_openmp_waits() {
  if (std::getenv("OMP_WAIT_POLICY") == nullptr)
    setenv("GOMP_SPINCOUNT", "1000", 0);
}

} // namespace troupe
