/// What torchvision made of small images (tests/golden/make_transform_golden.py), and the images.
#pragma once

#include <cstdint>
#include <fstream>
#include <opencv2/core.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace troupe::testing {

/// Smooth waves with some noise: the pattern() of the script.
inline cv::Mat pattern_image(int channels, int height, int width, int bits = 8) {
  cv::Mat image(height, width, CV_MAKETYPE(bits == 8 ? CV_8U : CV_16U, channels));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < channels; ++c) {
        const int noise = (x * 7919 + y * 104729 + c * 1299709 + x * y * 31) % 41;
        const int wave = (x * (9 + 4 * c) + y * (7 - 2 * c) + 50 * c + 3 * noise) % 511;
        const int value = wave > 255 ? 510 - wave : wave;
        if (bits == 8)
          image.ptr<std::uint8_t>(y)[x * channels + c] = static_cast<std::uint8_t>(value);
        else
          image.ptr<std::uint16_t>(y)[x * channels + c] = static_cast<std::uint16_t>(value * 257 - value / 3);
      }
  return image;
}

struct golden_case {
  std::string name;
  std::vector<double> numbers; ///< The parameters, as the script says.
  cv::Mat input;
  cv::Mat result;
};

/// Returns the cases of tests/golden/transforms/`file`.txt.
inline std::vector<golden_case> golden_cases(const std::string& file) {
  std::ifstream in(std::string(TROUPE_SOURCE_DIR) + "/tests/golden/transforms/" + file + ".txt");
  std::vector<golden_case> cases;
  for (std::string line, hex; std::getline(in, line);) {
    if (line.rfind("case ", 0) != 0)
      continue;
    std::istringstream words(line.substr(5));
    golden_case x;
    int channels = 0;
    int height = 0;
    int width = 0;
    int bits = 0;
    cv::Size out;
    words >> x.name >> channels >> height >> width >> bits >> out.height >> out.width;
    for (double number = 0; words >> number;)
      x.numbers.push_back(number);
    x.input = pattern_image(channels, height, width, bits);
    std::getline(in, hex);
    const auto digits = static_cast<std::size_t>(bits / 4);
    if (hex.size() != digits * static_cast<std::size_t>(out.area() * channels))
      throw std::runtime_error(file + ": bad length of case " + x.name);
    x.result.create(out, x.input.type());
    for (std::size_t i = 0; i * digits < hex.size(); ++i) {
      const auto value = std::stoul(hex.substr(i * digits, digits), nullptr, 16);
      if (bits == 8)
        x.result.ptr<std::uint8_t>()[i] = static_cast<std::uint8_t>(value);
      else
        x.result.ptr<std::uint16_t>()[i] = static_cast<std::uint16_t>(value);
    }
    cases.push_back(std::move(x));
  }
  if (cases.empty())
    throw std::runtime_error(file + ": no golden cases");
  return cases;
}

/// How far two images of one shape are apart.
struct image_difference {
  double largest = 0;   ///< Between two values.
  double differing = 0; ///< Share of the values that differ at all.
};

inline image_difference difference(const cv::Mat& a, const cv::Mat& b) {
  if (a.size() != b.size() || a.type() != b.type())
    return {1e9, 1};
  cv::Mat apart;
  cv::absdiff(a, b, apart);
  apart = apart.reshape(1);
  return {cv::norm(apart, cv::NORM_INF), cv::countNonZero(apart) / static_cast<double>(apart.total())};
}

} // namespace troupe::testing
