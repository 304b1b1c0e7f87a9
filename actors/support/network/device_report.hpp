/// What LibTorch is and what it can compute on, for people. Knows no LibTorch in its interface.
#pragma once

#include <string>
#include <vector>

namespace troupe {

/// One line each: version, BLAS and threading, native bf16, devices.
[[nodiscard]] std::vector<std::string> describe_compute();

} // namespace troupe
