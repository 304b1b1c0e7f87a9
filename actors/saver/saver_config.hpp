/// Which checkpoints are kept and how the best is found.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace troupe {

enum class monitor_mode : std::uint8_t { max, min };

struct saver_config {
  std::string folder;           ///< <run>/checkpoints
  std::uint64_t keep_last = 3;  ///< Newest checkpoints kept, >= 1; best, latest and the resumed one always stay.
  std::string monitor = "top1"; ///< top1 | topk | loss | one of `figures`
  monitor_mode mode = monitor_mode::max;
  std::vector<std::string> figures; ///< Names of `validation_report::figures`.
};

} // namespace troupe
