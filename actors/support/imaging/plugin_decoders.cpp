#include "actors/support/imaging/plugin_decoders.hpp"

#include "actors/support/components/component_registry.hpp"
#include "actors/support/imaging/lent_pixels.hpp"

#include <algorithm>
#include <opencv2/imgproc.hpp>
#include <stdexcept>
#include <string>
#include <utility>

namespace troupe {

namespace {

failure bad_config(const failure& why) {
  return {ec::bad_config, why.context};
}

expected<void> check_names(const std::vector<component_use>& formats) {
  const auto& known = component_registry::instance().decoders;
  for (const auto& each : formats)
    if (find_component(known, each.name) == nullptr)
      return failure{ec::bad_config, "unknown decoder \"" + each.name + "\", expected one that a plugin has brought"};
  return {};
}

bool is_good(const image_shape& x) noexcept {
  return (x.channels == 1 || x.channels == 3) && (x.bits == 8 || x.bits == 16) && x.fixed();
}

cv::Mat laid_out(cv::Mat pixels, const pixel_layout& wanted) {
  const auto depth = wanted.bits == 16 ? CV_16U : CV_8U;
  if (pixels.depth() != depth) {
    cv::Mat spread;
    pixels.convertTo(spread, depth, depth == CV_16U ? 257.0 : 1 / 257.0);
    pixels = spread;
  }
  if (pixels.channels() == wanted.channels)
    return pixels;
  cv::Mat coloured;
  cv::cvtColor(pixels, coloured, wanted.channels == 1 ? cv::COLOR_RGB2GRAY : cv::COLOR_GRAY2RGB);
  return coloured;
}

} // namespace

expected<std::shared_ptr<const plugin_decoders>> plugin_decoders::make(const std::vector<component_use>& formats) {
  if (auto ok = check_names(formats); !ok)
    return ok.error();
  const auto num_decoders = std::min(component_registry::instance().decoders.size(), max_plugin_formats);
  if (num_decoders == 0)
    return std::shared_ptr<const plugin_decoders>();
  auto out = std::make_shared<plugin_decoders>();
  for (std::size_t place = 0; place < num_decoders; ++place) {
    auto made = make_entry(place, formats);
    if (!made)
      return bad_config(made.error());
    out->entries_.push_back(std::move(*made));
  }
  return std::shared_ptr<const plugin_decoders>(std::move(out));
}

expected<plugin_decoders::entry> plugin_decoders::make_entry(std::size_t place,
                                                             const std::vector<component_use>& formats) {
  const auto& kind = component_registry::instance().decoders[place];
  const auto use = std::find_if(formats.begin(), formats.end(), [&](const auto& x) { return x.name == kind.name; });
  entry out{plugin_format(place), nullptr, std::make_unique<plugin_guard>(kind.plugin, "decoder " + kind.name)};
  const auto made = out.guard->call(no_sample, [&] {
    out.decoder = kind.make(use == formats.end() ? parameters(kind.parameters) : use->values);
    if (!out.decoder)
      throw std::runtime_error("made no decoder");
  });
  if (!made)
    return made.error();
  return out;
}

expected<std::optional<image_header>> plugin_decoders::read_header(std::span<const std::byte> bytes) const {
  for (const auto& each : entries_) {
    if (!each.guard->enabled())
      continue;
    bool recognised = false;
    if (auto ok = each.guard->call(no_sample, [&] { recognised = each.decoder->recognises(bytes); }); !ok)
      return ok.error();
    if (!recognised)
      continue;
    auto header = header_of(each, bytes);
    if (!header)
      return header.error();
    return std::optional(*header);
  }
  return std::optional<image_header>();
}

expected<image_header> plugin_decoders::header_of(const entry& which, std::span<const std::byte> bytes) {
  image_shape shape;
  if (auto ok = which.guard->call(no_sample, [&] { shape = which.decoder->shape(bytes); }); !ok)
    return ok.error();
  if (!is_good(shape))
    return which.guard->failed(no_sample,
                               "the file's shape is " + to_string(shape) + " of " + std::to_string(shape.bits)
                                 + " bits, expected 1 or 3 channels of 8 or 16 bits and sides of at least 1");
  image_header header;
  header.format = which.format;
  header.width = static_cast<std::uint32_t>(shape.width);
  header.height = static_cast<std::uint32_t>(shape.height);
  header.channels = static_cast<std::uint8_t>(shape.channels);
  header.bits = static_cast<std::uint8_t>(shape.bits);
  return header;
}

expected<cv::Mat> plugin_decoders::decode(std::span<const std::byte> bytes, const image_header& header,
                                          const pixel_layout& wanted) const try {
  const auto& which = entries_.at(place_of(header.format));
  if (!which.guard->enabled())
    return failure{ec::plugin_failed, which.guard->component() + " is disabled, expected a decoder for the file"};
  const image_shape shape{header.channels, static_cast<int>(header.height), static_cast<int>(header.width),
                          header.bits};
  cv::Mat pixels = cv::Mat::zeros(shape.height, shape.width, mat_type_of(shape));
  lent_pixels lent(pixels);
  if (auto ok = which.guard->call(no_sample, [&] { which.decoder->decode(bytes, lent.mat()); }); !ok)
    return ok.error();
  if (!lent.intact())
    return which.guard->failed(no_sample, "wrote beside the image");
  if (const auto wrong = misfit_of(lent.mat(), shape); !wrong.empty())
    return which.guard->failed(no_sample, "decoded " + wrong);
  if (lent.in_place())
    lent.give_back();
  else
    pixels = lent.mat().clone();
  return laid_out(pixels, wanted);
} catch (const cv::Exception& error) { // Most likely there is no memory left.
  return failure{ec::unsupported, "cannot be decoded (" + std::string(name_of(header.format)) + "): " + error.err};
}

} // namespace troupe
