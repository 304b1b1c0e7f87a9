#include "actors/loader/datasets/dataset.hpp"

namespace troupe {

const std::vector<std::string>& dataset::notices() const noexcept {
  static const std::vector<std::string> none;
  return none;
}

} // namespace troupe
