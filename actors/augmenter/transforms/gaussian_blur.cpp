#include "actors/augmenter/transforms/gaussian_blur.hpp"

#include "actors/augmenter/transforms/note_text.hpp"
#include "actors/augmenter/transforms/transform_checks.hpp"

#include <array>
#include <cassert>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <string>

namespace troupe {

namespace {

constexpr int max_size = 255;
constexpr value_range sigma_limits{0.001, 1000};

using weights = std::array<float, max_size>;

/// Returns the kernel's `size` weights as a row, in `memory`.
cv::Mat kernel_of(int size, double sigma, weights& memory) {
  assert(size % 2 == 1 && size <= max_size);
  double sum = 0;
  const auto weight = [&](int i) {
    const double x = (i - (size - 1) * 0.5) / sigma;
    return std::exp(-0.5 * x * x);
  };
  for (int i = 0; i < size; ++i)
    sum += weight(i);
  for (int i = 0; i < size; ++i)
    memory[static_cast<std::size_t>(i)] = static_cast<float>(weight(i) / sum);
  return {1, size, CV_32F, memory.data()};
}

class gaussian_blur_step final : public transform {
public:
  gaussian_blur_step(const image_shape& shape, cv::Size size, const value_range& sigma)
    : shape_(shape), size_(size), sigma_(sigma) {}

  [[nodiscard]] image_shape output_shape() const noexcept override { return shape_; }

  [[nodiscard]] expected<void> apply(working_image& image, sample_rng& rng) const override {
    const double sigma = rng.uniform(sigma_.low, sigma_.high);
    if (auto* note = image.note())
      *note = "sigma " + text_of(sigma) + " px, kernel " + text_of(size_) + " px";
    image.replace(image.size(), [&](const cv::Mat& from, cv::Mat& to) { gaussian_blur(from, to, size_, sigma); });
    return {};
  }

private:
  image_shape shape_;
  cv::Size size_;
  value_range sigma_;
};

expected<void> check_kernel(std::int64_t x) {
  if (x < 1 || x > max_size || x % 2 == 0)
    return bad_parameter("kernel_size", std::to_string(x), "an odd number of 1.." + std::to_string(max_size));
  return {};
}

} // namespace

void gaussian_blur(const cv::Mat& from, cv::Mat& to, cv::Size size, double sigma) {
  weights x;
  weights y;
  const auto kernel_x = kernel_of(size.width, sigma, x);
  const auto kernel_y = kernel_of(size.height, sigma, y);
  cv::sepFilter2D(from, to, -1, kernel_x, kernel_y, {-1, -1}, 0, cv::BORDER_REFLECT_101 | cv::BORDER_ISOLATED);
}

expected<std::unique_ptr<transform>> make_gaussian_blur(const gaussian_blur_config& config, const image_shape& input) {
  if (!config.kernel_size.given())
    return failure{ec::bad_config, "kernel_size is missing, expected an odd number of pixels or [width, height]"};
  const auto width = config.kernel_size.height; // The first number, as in torchvision.
  const auto height = config.kernel_size.is_pair() ? config.kernel_size.width : width;
  for (const auto x : {width, height})
    if (auto ok = check_kernel(x); !ok)
      return ok.error();
  auto sigma = config.sigma.size() == 1 ? range_of("sigma", {config.sigma[0], config.sigma[0]}, sigma_limits)
                                        : range_of("sigma", config.sigma, sigma_limits);
  if (!sigma)
    return sigma.error();
  const cv::Size size(static_cast<int>(width), static_cast<int>(height));
  return std::unique_ptr<transform>(std::make_unique<gaussian_blur_step>(input, size, *sigma));
}

} // namespace troupe
