#include "actors/augmenter/transforms/affine.hpp"
#include "actors/augmenter/transforms/augment_op.hpp"
#include "actors/augmenter/transforms/center_crop.hpp"
#include "actors/augmenter/transforms/colour.hpp"
#include "actors/augmenter/transforms/gaussian_blur.hpp"
#include "actors/augmenter/transforms/random_flip.hpp"
#include "actors/augmenter/transforms/resize.hpp"
#include "actors/augmenter/transforms/tone.hpp"
#include "actors/augmenter/transforms/transform_checks.hpp"

#include "tests/actors/augmenter/transforms/staged_image.hpp"
#include "tests/actors/augmenter/transforms/transform_golden.hpp"

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

/// Returns what the transform makes of the image.
cv::Mat result_of(const expected<std::unique_ptr<transform>>& step, const cv::Mat& pixels) {
  REQUIRE(step);
  return transformed(**step, pixels);
}

image_shape shape_of(const cv::Mat& pixels) {
  return {pixels.channels(), pixels.rows, pixels.cols};
}

/// Compares an in-place change with all cases of its name; every value at most `tolerance` off.
template <class Change>
void check_in_place(const std::string& file, const std::string& name, double tolerance, Change change) {
  int num_cases = 0;
  for (auto& x : golden_cases(file)) {
    if (x.name != name)
      continue;
    CAPTURE(x.name);
    CAPTURE(x.input.channels());
    CAPTURE((x.numbers.empty() ? 0 : x.numbers[0]));
    change(x.input, x.numbers);
    CHECK(difference(x.input, x.result).largest <= tolerance);
    ++num_cases;
  }
  CHECK(num_cases > 0);
}

using numbers = std::vector<double>;

interpolation filter_of(double mode) {
  return mode == 0 ? interpolation::nearest : mode == 1 ? interpolation::bilinear : interpolation::bicubic;
}

affine_map map_of(const golden_case& x) {
  const auto& n = x.numbers;
  return x.name == "rotate"
           ? rotation_map(n[0])
           : affine_map_of(
             {.degrees = n[0], .translate = {n[1], n[2]}, .scale = n[3], .shear = {n[4], n[5]}, .center = {}});
}

} // namespace

TEST_SUITE("actors/augmenter") {
  TEST_CASE("brightness, contrast, saturation and grayscale equal torchvision's") {
    const std::string file = "colours";
    check_in_place(file, "brightness", 0, [](cv::Mat& x, const numbers& n) { adjust_brightness(x, n[0]); });
    check_in_place(file, "contrast", 0, [](cv::Mat& x, const numbers& n) { adjust_contrast(x, n[0]); });
    check_in_place(file, "saturation", 0, [](cv::Mat& x, const numbers& n) { adjust_saturation(x, n[0]); });
    check_in_place(file, "grayscale", 0, [](cv::Mat& x, const numbers&) { to_grayscale(x); });
  }

  TEST_CASE("hue is within one level of torchvision's") {
    check_in_place("colours", "hue", 1, [](cv::Mat& x, const numbers& n) { adjust_hue(x, n[0]); });
  }

  TEST_CASE("posterize, solarize, autocontrast, equalize and sharpness equal torchvision's") {
    const std::string file = "tones";
    check_in_place(file, "posterize", 0, [](cv::Mat& x, const numbers& n) { posterize(x, static_cast<int>(n[0])); });
    check_in_place(file, "solarize", 0, [](cv::Mat& x, const numbers& n) { solarize(x, n[0]); });
    check_in_place(file, "autocontrast", 0, [](cv::Mat& x, const numbers&) { autocontrast(x); });
    check_in_place(file, "equalize", 0, [](cv::Mat& x, const numbers&) { equalize(x); });
    const auto halved = [](cv::Mat& x) {
      for (int i = 0; i < static_cast<int>(x.total()) * x.channels(); ++i)
        x.data[i] = static_cast<unsigned char>(x.data[i] / 2 + 40);
    };
    check_in_place(file, "half_autocontrast", 0, [&](cv::Mat& x, const numbers&) { halved(x), autocontrast(x); });
    check_in_place(file, "half_equalize", 0, [&](cv::Mat& x, const numbers&) { halved(x), equalize(x); });
    check_in_place(file, "sharpness", 0, [](cv::Mat& x, const numbers& n) {
      const auto before = x.clone();
      adjust_sharpness(before, x, n[0]);
    });
  }

  TEST_CASE("affine and rotate are torchvision's: bilinear within one level, nearest but for pixels between two") {
    for (const auto& x : golden_cases("geometry")) {
      const auto num_numbers = x.numbers.size();
      const auto filter = filter_of(x.numbers[num_numbers - 2]);
      const auto map = map_of(x);
      const bool expand = x.name == "rotate" && x.numbers[1] == 1;
      const auto size = expand ? expanded_size(map, x.input.size()) : x.input.size();
      CAPTURE(x.name);
      CAPTURE(text_of(x.numbers));
      REQUIRE(size == x.result.size());
      cv::Mat made(size, x.input.type());
      const double fill = x.numbers.back();
      warp(x.input, made, map, filter, fill);
      const auto apart = difference(made, x.result);
      if (filter == interpolation::nearest)
        CHECK(apart.differing <= 0.01);
      else
        CHECK(apart.largest <= 1);
    }
  }

  TEST_CASE("gaussian_blur is within one level of torchvision's") {
    check_in_place("blurs", "blur", 1, [](cv::Mat& x, const numbers& n) {
      const auto before = x.clone();
      gaussian_blur(before, x, {static_cast<int>(n[0]), static_cast<int>(n[1])}, n[2]);
    });
  }

  TEST_CASE("resize equals what torchvision makes of PIL images; crops and flips equal its results") {
    const std::array filters{"nearest", "bilinear", "bicubic"};
    for (const auto& x : golden_cases("sizes")) {
      CAPTURE(x.name);
      CAPTURE(text_of(x.numbers));
      const auto& n = x.numbers;
      const auto shape = shape_of(x.input);
      cv::Mat made;
      if (x.name == "center_crop")
        made = result_of(make_center_crop({.size = {std::int64_t(n[0]), std::int64_t(n[1])}}, shape), x.input);
      else if (x.name == "hflip")
        made = result_of(make_random_horizontal_flip({.p = 1}, shape), x.input);
      else if (x.name == "vflip")
        made = result_of(make_random_vertical_flip({.p = 1}, shape), x.input);
      else if (x.name == "resize2")
        made = result_of(make_resize({.size = {std::int64_t(n[0]), std::int64_t(n[1])},
                                      .interpolation = filters[static_cast<std::size_t>(n[2])]},
                                     shape),
                         x.input);
      else
        made = result_of(make_resize({.size = std::int64_t(n[0]),
                                      .interpolation = filters[static_cast<std::size_t>(n[1])],
                                      .max_size = std::int64_t(n[2])},
                                     shape),
                         x.input);
      CHECK(difference(made, x.result).largest == 0);
    }
  }

  TEST_CASE("the magnitudes of the automatic augmentations are torchvision's") {
    std::ifstream in(std::string(TROUPE_SOURCE_DIR) + "/tests/golden/transforms/magnitudes.txt");
    const augment_space wide{.shear = 0.99F, .translate = {32, 32}, .rotate = 135, .colour = 0.99F, .bits = 6};
    const augment_space rand{
      .shear = 0.3F, .translate = {150.0F / 331 * 333, 150.0F / 331 * 200}, .rotate = 30, .colour = 0.9F, .bits = 4};
    int num_lines = 0;
    for (std::string line; std::getline(in, line); ++num_lines) {
      CAPTURE(line);
      std::istringstream words(line);
      std::string policy;
      int num_bins = 0;
      int index = 0;
      int with_sign = 0;
      words >> policy >> num_bins >> index >> with_sign;
      const auto op = static_cast<augment_op>(index);
      CHECK(is_signed(op) == (with_sign == 1));
      double magnitude = 0;
      for (int bin = 0; words >> magnitude; ++bin)
        CHECK(magnitude_of(op, bin, num_bins, policy == "wide" ? wide : rand)
              == doctest::Approx(magnitude).epsilon(1e-6));
    }
    CHECK(num_lines == 3 * static_cast<int>(num_augment_ops));
  }

  TEST_CASE("every operation of the automatic augmentations does what torchvision's does") {
    for (const auto& x : golden_cases("augmentations")) {
      CAPTURE(text_of(x.numbers));
      staged_image staged(x.input);
      apply_augment_op(staged.image, static_cast<augment_op>(static_cast<int>(x.numbers[0])),
                       static_cast<float>(x.numbers[1]), interpolation::nearest, 9);
      CHECK(difference(staged.image.pixels(), x.result).differing <= 0.01);
    }
  }
}
