#include "actors/support/imaging/opencv_settings.hpp"

#include <opencv2/core/utility.hpp>
#include <opencv2/core/utils/logger.hpp>

namespace troupe {

void settle_opencv() {
  cv::setNumThreads(0); // Not 1, which has TBB loaded and set up all the same.
  cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
}

} // namespace troupe
