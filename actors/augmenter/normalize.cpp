#include "actors/augmenter/normalize.hpp"

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

namespace troupe {

namespace {

using table = std::array<float, 256>;

expected<void> check(const std::string& name, const std::vector<double>& x, const image_shape& input) {
  if (x.size() != 1 && x.size() != static_cast<std::size_t>(input.channels))
    return failure{ec::bad_config, name + " has " + std::to_string(x.size()) + " numbers, expected 1 or "
                                     + std::to_string(input.channels) + " (channels)"};
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!std::isfinite(x[i]) || (name == "std" && x[i] <= 0))
      return failure{ec::bad_config, name + "[" + std::to_string(i) + "] is " + std::to_string(x[i]) + ", expected a "
                                       + (name == "std" ? "number above 0" : "finite number")};
  return {};
}

/// Where the elements of a row go in `out`.
struct layout {
  std::ptrdiff_t pixel;   ///< Step from a pixel to the next in its row.
  std::ptrdiff_t channel; ///< Step from a channel to the next.
};

void write_grey(const unsigned char* row, int width, const table& values, float* out) {
  for (int x = 0; x < width; ++x)
    out[x] = values[row[x]];
}

void write_rgb(const unsigned char* row, int width, const table* values, float* out, layout to) {
  auto* green = out + to.channel;
  auto* blue = green + to.channel;
  for (std::ptrdiff_t x = 0; x < width; ++x, row += 3) {
    out[x * to.pixel] = values[0][row[0]];
    green[x * to.pixel] = values[1][row[1]];
    blue[x * to.pixel] = values[2][row[2]];
  }
}

void write_any(const unsigned char* row, int width, const std::vector<table>& values, float* out, layout to) {
  for (std::ptrdiff_t x = 0; x < width; ++x)
    for (std::size_t c = 0; c < values.size(); ++c)
      out[x * to.pixel + static_cast<std::ptrdiff_t>(c) * to.channel] = values[c][*row++];
}

} // namespace

expected<normalize> normalize::make(const normalize_config& config, const image_shape& input) {
  if (auto ok = check("mean", config.mean, input); !ok)
    return ok.error();
  if (auto ok = check("std", config.std, input); !ok)
    return ok.error();
  std::vector<table> tables(static_cast<std::size_t>(input.channels));
  for (std::size_t c = 0; c < tables.size(); ++c) {
    const double mean = config.mean[config.mean.size() == 1 ? 0 : c];
    const double std = config.std[config.std.size() == 1 ? 0 : c];
    for (std::size_t x = 0; x < 256; ++x)
      tables[c][x] = static_cast<float>((static_cast<double>(x) / 255 - mean) / std);
  }
  return normalize(std::move(tables));
}

void normalize::write(const cv::Mat& pixels, float* out, bool channels_last) const {
  const auto num_channels = static_cast<std::ptrdiff_t>(tables_.size());
  const auto area = static_cast<std::ptrdiff_t>(pixels.rows) * pixels.cols;
  const layout to = channels_last ? layout{num_channels, 1} : layout{1, area};
  const int num_rows = pixels.isContinuous() ? 1 : pixels.rows;
  const int width = pixels.isContinuous() ? static_cast<int>(area) : pixels.cols;
  for (int y = 0; y < num_rows; ++y, out += width * to.pixel) {
    const auto* row = pixels.ptr<unsigned char>(y);
    switch (num_channels) {
    case 1:
      write_grey(row, width, tables_[0], out);
      break;
    case 3:
      write_rgb(row, width, tables_.data(), out, to);
      break;
    default:
      write_any(row, width, tables_, out, to);
    }
  }
}

} // namespace troupe
