#include "app/data_report/image_statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

namespace troupe {

namespace {

constexpr std::size_t max_frequent_sizes = 5;

auto by_area(const image_size& size) {
  return std::tuple(std::uint64_t{size.width} * size.height, size.width);
}

void sum_up_sizes(const sample_survey& survey, image_statistics& out) {
  std::map<std::tuple<std::uint64_t, std::uint32_t>, size_count> by_size;
  for (const auto& each : survey.samples)
    if (each.good) {
      const image_size size{each.image.width, each.image.height};
      auto& count = by_size[by_area(size)];
      count.size = size;
      ++count.num_samples;
    }
  out.num_sizes = by_size.size();
  if (by_size.empty())
    return;
  out.smallest = by_size.begin()->second.size;
  out.largest = by_size.rbegin()->second.size;
  std::uint64_t num_passed = 0;
  for (const auto& [area, count] : by_size) {
    if (num_passed <= (out.num_samples - 1) / 2)
      out.median = count.size;
    num_passed += count.num_samples;
    out.frequent.push_back(count);
  }
  std::stable_sort(out.frequent.begin(), out.frequent.end(),
                   [](auto& a, auto& b) { return a.num_samples > b.num_samples; });
  out.frequent.resize(std::min(out.frequent.size(), max_frequent_sizes));
}

void count_kind(const image_facts& image, image_statistics& out) {
  out.num_single_channel += image.channels <= 2;
  out.num_alpha += image.has_alpha();
  out.num_cmyk += image.is_cmyk();
  out.num_deep += image.bits > 8;
  out.num_turned += image.orientation != 1;
}

void check_name(const dataset& data, std::uint64_t id, image_format found, image_statistics& out) {
  if (found == image_format::unknown)
    return;
  const auto name = data.sample_name(id);
  const auto promised = promised_format(name);
  if (promised == image_format::unknown || promised == found)
    return;
  if (out.num_misnamed++ == 0)
    out.misnamed_example = name + " (" + std::string(name_of(found)) + ")";
}

} // namespace

image_statistics sum_up_images(const dataset& data, const sample_survey& survey) {
  image_statistics out;
  std::map<image_format, std::uint64_t> formats;
  for (std::uint64_t id = 0; id < survey.samples.size(); ++id) {
    const auto& [image, num_bytes, checksum, good] = survey.samples[id];
    if (!good)
      continue;
    ++out.num_samples;
    ++formats[image.format];
    count_kind(image, out);
    check_name(data, id, image.format, out);
  }
  for (const auto& [format, count] : formats)
    out.formats.push_back({format == image_format::unknown ? "raw pixels" : std::string(name_of(format)), count});
  std::stable_sort(out.formats.begin(), out.formats.end(),
                   [](auto& a, auto& b) { return a.num_samples > b.num_samples; });
  sum_up_sizes(survey, out);
  return out;
}

channel_statistics sum_up_channels(const std::vector<pixel_moments>& moments) {
  std::array<double, 4> mean{}, mean_square{};
  std::size_t num_channels = 0;
  double count = 0;
  for (const auto& each : moments) { // In order of ids: sums of doubles depend on it.
    if (each.channels == 0)
      continue;
    num_channels = each.channels;
    ++count;
    for (std::size_t c = 0; c < num_channels; ++c) {
      mean[c] += each.mean[c];
      mean_square[c] += each.mean_square[c];
    }
  }
  channel_statistics out;
  for (std::size_t c = 0; c < num_channels; ++c) {
    const auto middle = mean[c] / count;
    out.mean.push_back(middle);
    out.std.push_back(std::sqrt(std::max(0.0, mean_square[c] / count - middle * middle)));
  }
  return out;
}

} // namespace troupe
