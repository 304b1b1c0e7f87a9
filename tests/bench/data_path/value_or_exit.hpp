/// Failures of a benchmark: told, and the end of it.
#pragma once

#include "actors/support/expected.hpp"

#include <cstdlib>
#include <iostream>
#include <type_traits>
#include <utility>

namespace troupe::bench {

/// Returns the value; tells the failure and exits with 2 if there is none.
template <class T>
T value_or_exit(expected<T> x) {
  if (!x) {
    std::cerr << "bench_data_path: " << to_string(x.error()) << '\n';
    std::exit(2);
  }
  if constexpr (!std::is_void_v<T>)
    return std::move(*x);
}

} // namespace troupe::bench
