#include "actors/augmenter/transforms/center_crop.hpp"

#include "actors/augmenter/transforms/crop_window.hpp"
#include "actors/augmenter/transforms/note_text.hpp"
#include "actors/augmenter/transforms/transform_checks.hpp"

#include <cmath>

namespace troupe {

namespace {

class center_crop final : public transform {
public:
  explicit center_crop(const image_shape& output) : output_(output) {}

  [[nodiscard]] image_shape output_shape() const noexcept override { return output_; }
  [[nodiscard]] bool takes_undecoded() const noexcept override { return true; }

  [[nodiscard]] expected<void> apply(working_image& image, sample_rng&) const override {
    const auto window = center_window(image.size(), {output_.width, output_.height});
    if (auto* note = image.note())
      *note = text_of(window) + " of " + text_of(image.size());
    return cut_window(image, window, {});
  }

private:
  image_shape output_;
};

/// Half of the surplus, rounded to even; half of what lacks, rounded down.
int first_of(int extent, int size) noexcept {
  return size > extent ? -((size - extent) / 2) : static_cast<int>(std::nearbyint((extent - size) / 2.0));
}

} // namespace

cv::Rect center_window(cv::Size from, cv::Size size) noexcept {
  return {{first_of(from.width, size.width), first_of(from.height, size.height)}, size};
}

expected<std::unique_ptr<transform>> make_center_crop(const center_crop_config& config, const image_shape& input) {
  auto size = size_of("size", config.size);
  if (!size)
    return size.error();
  auto output = input;
  output.height = size->height;
  output.width = size->width;
  return std::unique_ptr<transform>(std::make_unique<center_crop>(output));
}

} // namespace troupe
