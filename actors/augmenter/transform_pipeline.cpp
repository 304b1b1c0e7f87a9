#include "actors/augmenter/transform_pipeline.hpp"

#include "actors/augmenter/transforms/make_transform.hpp"
#include "actors/augmenter/transforms/normalize.hpp"
#include "actors/support/imaging/opencv_settings.hpp"
#include "actors/support/imaging/pixel_hash.hpp"
#include "actors/support/imaging/plugin_decoders.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace troupe {

namespace {

failure within_list(const failure& error, std::size_t place, const char* name) {
  return {error.code, "augmenter: transforms[" + std::to_string(place) + "], " + name + ": " + error.context};
}

expected<image_shape> checked_shape(const pipeline_input& input) {
  const auto bad = [](const char* name, std::int64_t value, const std::string& range) {
    return failure{ec::bad_config, std::string("augmenter: ") + name + " of the samples is " + std::to_string(value)
                                     + ", expected " + range};
  };
  if (input.channels == 0 && input.height == 0 && input.width == 0)
    return image_shape{static_cast<int>(input.decode.channels), 0, 0, static_cast<int>(input.decode.bits)};
  if (input.channels < 1 || input.channels > 4)
    return bad("number of channels", input.channels, "1..4");
  if (input.height < 1 || input.height > max_image_side)
    return bad("height", input.height, "1.." + std::to_string(max_image_side));
  if (input.width < 1 || input.width > max_image_side)
    return bad("width", input.width, "1.." + std::to_string(max_image_side));
  return image_shape{static_cast<int>(input.channels), static_cast<int>(input.height), static_cast<int>(input.width)};
}

std::string shape_of(const encoded_sample& sample) {
  return std::to_string(sample.channels) + "x" + std::to_string(sample.height) + "x" + std::to_string(sample.width);
}

expected<void> check_raw(const encoded_sample& sample, const image_shape& wanted) {
  if (std::cmp_not_equal(sample.channels, wanted.channels)
      || (wanted.fixed()
          && (std::cmp_not_equal(sample.height, wanted.height) || std::cmp_not_equal(sample.width, wanted.width))))
    return failure{ec::bad_data, "shape is " + shape_of(sample) + ", expected " + to_string(wanted)};
  const auto num_bytes = std::size_t{sample.channels} * sample.height * sample.width;
  if (sample.bytes.size() != num_bytes)
    return failure{ec::bad_data, std::to_string(sample.bytes.size()) + " bytes, expected " + std::to_string(num_bytes)
                                   + " for raw pixels of " + shape_of(sample)};
  return {};
}

/// What a thread keeps from sample to sample.
struct thread_memory {
  working_image::scratch scratch;
  std::optional<decode_config> decodes;
  std::shared_ptr<const plugin_decoders> of_plugins;
  std::optional<image_decoder> decoder;

  image_decoder& decoder_for(const decode_config& config, const std::shared_ptr<const plugin_decoders>& plugins) {
    if (decodes != config || of_plugins != plugins) {
      decoder.emplace(config, plugins);
      decodes = config;
      of_plugins = plugins;
    }
    return *decoder;
  }
};

thread_memory& memory_of_this_thread() {
  thread_local thread_memory memory;
  return memory;
}

} // namespace

transform_pipeline::transform_pipeline(const pipeline_input& input, const image_shape& shape, std::vector<step> steps,
                                       std::unique_ptr<normalize> last, std::shared_ptr<const plugin_decoders> decoders)
  : input_(input), shape_(shape), output_(steps.empty() ? shape : steps.back().change->output_shape()),
    steps_(std::move(steps)), normalize_(std::move(last)), decoders_(std::move(decoders)) {}

transform_pipeline::transform_pipeline(transform_pipeline&&) noexcept = default;
transform_pipeline& transform_pipeline::operator=(transform_pipeline&&) noexcept = default;
transform_pipeline::~transform_pipeline() = default;

expected<transform_pipeline> transform_pipeline::make(const std::vector<transform_config>& transforms,
                                                      const pipeline_input& given) {
  settle_opencv();
  auto input = checked_shape(given);
  if (!input)
    return input.error();
  const bool ends_normalized = !transforms.empty() && std::holds_alternative<normalize_config>(transforms.back());
  const auto num_steps = transforms.size() - (ends_normalized ? 1 : 0);
  auto shape = *input;
  std::vector<step> steps;
  for (std::size_t k = 0; k < num_steps; ++k) {
    const auto* name = name_of(transforms[k]);
    auto change = make_transform(transforms[k], shape);
    if (!change)
      return within_list(change.error(), k, name);
    shape = (*change)->output_shape();
    steps.push_back({name, std::move(*change)});
  }
  if (!shape.fixed())
    return failure{ec::bad_config,
                   "augmenter: samples differ in size after the transforms, expected one that gives them "
                   "all the same: random_resized_crop, center_crop, random_crop, or resize to [h, w]"};
  auto last = normalize::make(
    ends_normalized ? std::get<normalize_config>(transforms.back()) : normalize_config{.mean = {0}, .std = {1}}, shape);
  if (!last)
    return within_list(last.error(), num_steps, "normalize");
  auto decoders = plugin_decoders::make(given.decode.formats);
  if (!decoders)
    return failure{ec::bad_config, "augmenter: decoders: " + decoders.error().context};
  return transform_pipeline(given, *input, std::move(steps), std::make_unique<normalize>(std::move(*last)),
                            std::move(*decoders));
}

expected<void> transform_pipeline::apply(const encoded_sample& sample, std::uint64_t seed, std::uint64_t epoch,
                                         const sample_slot& out, const sample_extras& extras) const {
  switch (sample.format) {
  case sample_format::raw_u8:
  case sample_format::cached_u8:
    return apply_to_pixels(sample, seed, epoch, out, extras);
  case sample_format::image_file:
    return apply_to_file(sample, seed, epoch, out, extras);
  }
  return failure{ec::unsupported, "format " + std::to_string(static_cast<int>(sample.format)) + " has no decoder"};
}

expected<void> transform_pipeline::apply_to_pixels(const encoded_sample& sample, std::uint64_t seed,
                                                   std::uint64_t epoch, const sample_slot& out,
                                                   const sample_extras& extras) const {
  if (auto ok = check_raw(sample, shape_); !ok)
    return ok.error();
  const image_shape shape{shape_.channels, static_cast<int>(sample.height), static_cast<int>(sample.width)};
  working_image image(sample.bytes, shape, memory_of_this_thread().scratch);
  return transform_into(image, sample.id, seed, epoch, out, extras);
}

expected<void> transform_pipeline::apply_to_file(const encoded_sample& sample, std::uint64_t seed, std::uint64_t epoch,
                                                 const sample_slot& out, const sample_extras& extras) const {
  auto& memory = memory_of_this_thread();
  auto& decoder = memory.decoder_for(input_.decode, decoders_);
  auto header = decoder.read_header(sample.bytes);
  if (!header)
    return header.error();
  if (!input_.decode.apply_orientation)
    header->orientation = 1;
  if (auto ok = decoder.check_limits(*header, sample.bytes.size()); !ok)
    return ok.error();
  working_image image(sample.bytes, *header, decoder, memory.scratch);
  if (input_.cache_side > 0)
    if (auto shrunk = shrink_for_cache(image, sample, extras.keep); !shrunk)
      return shrunk.error();
  return transform_into(image, sample.id, seed, epoch, out, extras);
}

expected<void> transform_pipeline::shrink_for_cache(working_image& image, const encoded_sample& sample,
                                                    decoded_sample* keep) const {
  const auto size = image.size();
  const auto shorter = std::min(size.width, size.height);
  const auto side = std::min(static_cast<int>(input_.cache_side), shorter);
  const auto scaled = [&](int extent) { return static_cast<int>(std::int64_t{extent} * side / shorter); };
  const cv::Size target(scaled(size.width), scaled(size.height));
  if (auto ok = image.resize({{}, size}, target, interpolation::bilinear, /*antialias=*/true); !ok)
    return ok;
  if (keep == nullptr)
    return {};
  const auto& pixels = image.pixels();
  keep->id = sample.id;
  keep->channels = static_cast<std::uint32_t>(pixels.channels());
  keep->height = static_cast<std::uint32_t>(pixels.rows);
  keep->width = static_cast<std::uint32_t>(pixels.cols);
  const auto row_bytes = static_cast<std::size_t>(pixels.cols) * pixels.elemSize();
  keep->bytes.resize(row_bytes * keep->height);
  for (int y = 0; y < pixels.rows; ++y)
    std::memcpy(keep->bytes.data() + static_cast<std::size_t>(y) * row_bytes, pixels.ptr(y), row_bytes);
  return {};
}

expected<void> transform_pipeline::transform_into(working_image& image, std::uint64_t id, std::uint64_t seed,
                                                  std::uint64_t epoch, const sample_slot& out,
                                                  const sample_extras& extras) const {
  if (auto ok = take_steps(image, id, seed, epoch, extras.notes); !ok)
    return ok;
  if (auto ok = image.decode(); !ok)
    return ok;
  if (extras.pixel_hash != nullptr)
    *extras.pixel_hash = pixel_hash(image.pixels());
  if (extras.picture != nullptr)
    *extras.picture = image.pixels().clone();
  else
    write(image.pixels(), out);
  return {};
}

expected<void> transform_pipeline::make_picture(const encoded_sample& sample, std::uint64_t seed, std::uint64_t epoch,
                                                cv::Mat& picture) const {
  sample_extras extras;
  extras.picture = &picture;
  return apply(sample, seed, epoch, {}, extras);
}

void transform_pipeline::write(const cv::Mat& picture, const sample_slot& out) const {
  normalize_->write(picture, out.type, out.pixels, out.channels_last);
}

expected<void> transform_pipeline::take_steps(working_image& image, std::uint64_t id, std::uint64_t seed,
                                              std::uint64_t epoch, std::vector<std::string>* notes) const {
  image.belongs_to(id, epoch);
  for (std::size_t k = 0; k < steps_.size(); ++k) {
    const auto& [name, change] = steps_[k];
    if (!change->takes_undecoded())
      if (auto ok = image.decode(); !ok)
        return ok;
    if (notes != nullptr)
      image.begin_note();
    sample_rng rng(seed, epoch, id, static_cast<std::uint32_t>(k));
    auto ok = change->apply(image, rng);
    if (notes != nullptr && !image.note()->empty())
      notes->push_back(name + ": " + *image.note());
    if (!ok)
      return ok;
  }
  return {};
}

} // namespace troupe
