/// Elastic deformation (Simard, Steinkraus, Platt, "Best Practices for Convolutional Neural Networks", 2003).
///
/// Handwriting varies as if the paper were rubber: every pixel is shifted by a random field, smoothed so that neighbours
/// move together. `sigma` says how far "together" reaches, `alpha` how far pixels go: 34 and 4 suit digits of 28 x 28.
///
///     transforms:
///       train: [{elastic: {alpha: 34, sigma: 4}}, {normalize: {mean: [0.5], std: [0.5]}}]
#include "actors/plugin.hpp"

#include <opencv2/imgproc.hpp>

#include <cmath>
#include <cstdio>

namespace {

class elastic final : public troupe::sample_transform {
public:
  elastic(const troupe::parameters& values, const troupe::image_shape& input)
    : shape_(input), alpha_(values.number("alpha")), sigma_(values.number("sigma")) {}

  [[nodiscard]] troupe::image_shape output_shape() const override { return shape_; }

  void apply(cv::Mat& image, troupe::transform_context& context) const override {
    const cv::Mat2f shifts = smooth_field(image.size(), context.rng);
    cv::Mat2f sources(image.size());
    float largest = 0;
    for (int y = 0; y < image.rows; ++y)
      for (int x = 0; x < image.cols; ++x) {
        const cv::Vec2f shift = shifts(y, x);
        largest = std::max(largest, std::hypot(shift[0], shift[1]));
        sources(y, x) = cv::Vec2f(static_cast<float>(x), static_cast<float>(y)) + shift;
      }
    cv::Mat moved; // cv::remap cannot work in place.
    cv::remap(image, moved, sources, cv::noArray(), cv::INTER_LINEAR, cv::BORDER_REFLECT_101);
    image = moved;
    if (context.note != nullptr) { // Somebody looks at the trace: say what was drawn.
      char text[64];
      std::snprintf(text, sizeof(text), "up to %.2f pixels", static_cast<double>(largest));
      *context.note = text;
    }
  }

private:
  /// All randomness comes from `rng`, which belongs to the sample, epoch and place in the list: so the same sample is
  /// deformed in the same way on whichever thread, and in a resumed run.
  [[nodiscard]] cv::Mat2f smooth_field(cv::Size size, troupe::sample_rng& rng) const {
    cv::Mat2f field(size);
    for (auto& shift : field)
      for (int i = 0; i < 2; ++i)
        shift[i] = static_cast<float>(rng.uniform(-alpha_, alpha_));
    cv::GaussianBlur(field, field, {}, sigma_, sigma_, cv::BORDER_REFLECT_101);
    return field;
  }

  troupe::image_shape shape_;
  double alpha_;
  double sigma_;
};

} // namespace

TROUPE_PLUGIN(elastic, "1.0") {
  using namespace troupe;
  plugin.transform(
    "elastic", "Bends the picture like rubber.",
    {param::number("alpha", 34, 0, 1000, "How far pixels move, before smoothing.").in("pixels"),
     param::number("sigma", 4, 0.5, 100, "How far neighbours move together.").in("pixels")},
    [](const parameters& values, const image_shape& input) { return std::make_unique<elastic>(values, input); });
}
