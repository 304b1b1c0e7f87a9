#include "app/trace_tools/report/sample_pictures.hpp"

#include "actors/support/imaging/thumbnail.hpp"
#include "app/trace_tools/remake/run_data.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

namespace {

constexpr std::uint32_t most_pixels = 192; ///< On the longer side.

void add_picture(const run_data& data, slow_sample& to) {
  const auto* from = data.set(to.in_validation);
  if (from == nullptr) {
    to.problem = data.validation_problem();
    return;
  }
  const auto made = data.remake(to.in_validation, to.sample.sample, to.sample.epoch);
  to.name = made.name;
  to.label = made.label;
  to.problem = made.problem;
  if (!made.problem.empty())
    return;
  auto png = draw_thumbnail(made.rgb, static_cast<std::uint32_t>(from->transforms->output_width()),
                            static_cast<std::uint32_t>(from->transforms->output_height()), most_pixels);
  if (png)
    to.png = std::move(png->bytes);
  else
    to.problem = to_string(png.error());
}

} // namespace

void add_pictures(report_data& report) {
  if (report.slow_samples.empty())
    return;
  const auto data = run_data::open(report.files.folder);
  if (!data) {
    report.no_pictures = to_string(data.error());
    return;
  }
  for (auto& sample : report.slow_samples)
    add_picture(*data, sample);
}

std::string base64_text(std::string_view bytes) {
  static constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned group = 0;
    const auto count = std::min<std::size_t>(bytes.size() - i, 3);
    for (std::size_t j = 0; j < 3; ++j)
      group = group << 8 | (j < count ? static_cast<unsigned char>(bytes[i + j]) : 0u);
    for (std::size_t j = 0; j < 4; ++j)
      text += j <= count ? digits[group >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

} // namespace troupe
