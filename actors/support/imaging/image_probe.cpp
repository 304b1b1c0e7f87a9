#include "actors/support/imaging/image_probe.hpp"

#include "actors/support/imaging/image_decoder.hpp"

#include <opencv2/core.hpp>
#include <string>

namespace troupe {

namespace {

pixel_moments moments_of(const cv::Mat& pixels) {
  const double full_scale = pixels.depth() == CV_16U ? 65535 : 255;
  cv::Scalar mean, deviation;
  cv::meanStdDev(pixels, mean, deviation);
  pixel_moments out;
  out.channels = static_cast<std::uint8_t>(pixels.channels());
  for (int c = 0; c < pixels.channels(); ++c) {
    const auto at = static_cast<std::size_t>(c);
    out.mean[at] = mean[c] / full_scale;
    const auto spread = deviation[c] / full_scale;
    out.mean_square[at] = out.mean[at] * out.mean[at] + spread * spread;
  }
  return out;
}

expected<image_probe> probe_raw(const encoded_sample& sample) {
  const auto num_bytes = std::size_t{sample.channels} * sample.height * sample.width;
  if (num_bytes == 0 || sample.channels > 4 || sample.bytes.size() != num_bytes)
    return failure{ec::bad_data, std::to_string(sample.bytes.size()) + " bytes of raw pixels of "
                                   + std::to_string(sample.channels) + "x" + std::to_string(sample.height) + "x"
                                   + std::to_string(sample.width) + ", expected as many as the shape says"};
  const cv::Mat pixels(static_cast<int>(sample.height), static_cast<int>(sample.width),
                       CV_8UC(static_cast<int>(sample.channels)), const_cast<std::byte*>(sample.bytes.data()));
  image_facts facts;
  facts.channels = static_cast<std::uint8_t>(sample.channels);
  facts.width = sample.width;
  facts.height = sample.height;
  return image_probe{facts, moments_of(pixels)};
}

} // namespace

struct image_prober::state {
  explicit state(const decode_config& config) : decoder(config) {}

  image_decoder decoder;
};

image_prober::image_prober(const decode_config& config) : state_(std::make_unique<state>(config)) {}
image_prober::image_prober(image_prober&&) noexcept = default;
image_prober& image_prober::operator=(image_prober&&) noexcept = default;
image_prober::~image_prober() = default;

expected<image_probe> image_prober::probe(const encoded_sample& sample) {
  if (sample.format != sample_format::image_file)
    return probe_raw(sample);
  auto header = state_->decoder.read_header(sample.bytes);
  if (!header)
    return header.error();
  const auto pixels = state_->decoder.decode(sample.bytes, *header); // Checks the limits first.
  if (!pixels)
    return pixels.error();
  image_facts facts;
  facts.format = header->format;
  facts.channels = header->channels;
  facts.bits = header->bits;
  facts.orientation = header->orientation;
  facts.width = static_cast<std::uint32_t>(pixels->cols);
  facts.height = static_cast<std::uint32_t>(pixels->rows);
  return image_probe{facts, moments_of(*pixels)};
}

} // namespace troupe
