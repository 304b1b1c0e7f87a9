#include "actors/augmenter/transforms/crop_window.hpp"

#include <opencv2/core.hpp>

namespace troupe {

expected<void> cut_window(working_image& image, const cv::Rect& window, const cv::Scalar& fill) {
  const auto inside = window & cv::Rect({}, image.size());
  if (inside == window)
    return image.crop(window);
  if (auto ok = inside.empty() ? image.decode() : image.crop(inside); !ok)
    return ok;
  image.replace(window.size(), [&](const cv::Mat& from, cv::Mat& to) {
    if (inside.empty()) {
      to.setTo(fill);
      return;
    }
    const auto before = inside.tl() - window.tl();
    const auto behind = window.br() - inside.br();
    // Isolated: OpenCV would else take the border from the pixels around the window.
    cv::copyMakeBorder(from, to, before.y, behind.y, before.x, behind.x, cv::BORDER_CONSTANT | cv::BORDER_ISOLATED,
                       fill);
  });
  return {};
}

} // namespace troupe
