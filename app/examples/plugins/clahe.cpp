/// Contrast that adapts to its surroundings: CLAHE (Zuiderveld, "Contrast Limited Adaptive Histogram Equalization", 1994).
///
/// Medical and industrial pictures are often dull in one corner and blown out in another. A histogram equalisation per
/// tile evens that out; the clip limit keeps it from blowing up the noise of flat tiles. Colours keep their hue, since only
/// the luma is changed.
///
///     transforms:
///       train: [{clahe: {clip: 2, tiles: 8}}, {normalize: {mean: [0.5], std: [0.5]}}]
#include "actors/plugin.hpp"

#include <opencv2/imgproc.hpp>

#include <stdexcept>
#include <vector>

namespace {

/// One of these serves all threads, so it holds nothing but its settings: cv::CLAHE itself is not for many threads.
class clahe final : public troupe::sample_transform {
public:
  clahe(const troupe::parameters& values, const troupe::image_shape& input)
    : shape_(input), clip_(values.number("clip")), tiles_(static_cast<int>(values.whole("tiles"))) {
    // Whatever is thrown here is told to the user before the run begins.
    if (input.channels != 1 && input.channels != 3)
      throw std::invalid_argument("takes 1 or 3 channels, not " + std::to_string(input.channels));
  }

  [[nodiscard]] troupe::image_shape output_shape() const override { return shape_; }

  void apply(cv::Mat& image, troupe::transform_context&) const override {
    const auto equalizer = cv::createCLAHE(clip_, {tiles_, tiles_});
    if (image.channels() == 1) {
      equalizer->apply(image, image);
      return;
    }
    std::vector<cv::Mat> planes;
    cv::cvtColor(image, image, cv::COLOR_RGB2YCrCb);
    cv::split(image, planes);
    equalizer->apply(planes[0], planes[0]);
    cv::merge(planes, image);
    cv::cvtColor(image, image, cv::COLOR_YCrCb2RGB);
  }

private:
  troupe::image_shape shape_;
  double clip_;
  int tiles_;
};

} // namespace

TROUPE_PLUGIN(clahe, "1.0") {
  using namespace troupe;
  plugin.transform(
    "clahe", "Evens the contrast out, tile by tile; of colours, the luma alone.",
    {param::number("clip", 2, 0.1, 100, "How steep the contrast may become, for 8 bits; 1 is gentle."),
     param::whole("tiles", 8, 1, 64, "Tiles per row and per column.")},
    [](const parameters& values, const image_shape& input) { return std::make_unique<clahe>(values, input); });
}
