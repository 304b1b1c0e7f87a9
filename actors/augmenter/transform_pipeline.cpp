#include "actors/augmenter/transform_pipeline.hpp"

#include "actors/augmenter/normalize.hpp"
#include "actors/augmenter/random_crop.hpp"
#include "actors/augmenter/random_erasing.hpp"
#include "actors/augmenter/random_horizontal_flip.hpp"

#include <string>
#include <utility>
#include <variant>

namespace troupe {

namespace {

constexpr std::int64_t max_side = 32767;

using made_transform = expected<std::unique_ptr<transform>>;

/// One overload per transform, each with the name that the config gives it.
struct maker {
  const image_shape& input;
  const char*& name;

  made_transform operator()(const random_crop_config& x) const {
    name = "random_crop";
    return make_random_crop(x, input);
  }
  made_transform operator()(const random_horizontal_flip_config& x) const {
    name = "random_horizontal_flip";
    return make_random_horizontal_flip(x, input);
  }
  made_transform operator()(const random_erasing_config& x) const {
    name = "random_erasing";
    return make_random_erasing(x, input);
  }
  made_transform operator()(const normalize_config&) const {
    name = "normalize";
    return failure{ec::bad_config, "not the last of the list, expected `normalize` at its end and at most once"};
  }
};

failure within_list(const failure& error, std::size_t place, const char* name) {
  return {error.code, "augmenter: transforms[" + std::to_string(place) + "], " + name + ": " + error.context};
}

expected<image_shape> checked_shape(std::int64_t channels, std::int64_t height, std::int64_t width) {
  const auto bad = [](const char* name, std::int64_t value, const std::string& range) {
    return failure{ec::bad_config, std::string("augmenter: ") + name + " of the samples is " + std::to_string(value)
                                     + ", expected " + range};
  };
  if (channels < 1 || channels > 4)
    return bad("number of channels", channels, "1..4");
  if (height < 1 || height > max_side)
    return bad("height", height, "1.." + std::to_string(max_side));
  if (width < 1 || width > max_side)
    return bad("width", width, "1.." + std::to_string(max_side));
  return image_shape{static_cast<int>(channels), static_cast<int>(height), static_cast<int>(width)};
}

failure sample_failure(const encoded_sample& sample, ec code, const std::string& what) {
  return {code, "augmenter: sample " + std::to_string(sample.id) + ": " + what};
}

std::string shape_of(const encoded_sample& sample) {
  return std::to_string(sample.channels) + "x" + std::to_string(sample.height) + "x" + std::to_string(sample.width);
}

/// Returns the interleaved pixels of the sample, decoding them where its format asks for it.
expected<std::span<const std::byte>> decode(const encoded_sample& sample, const image_shape& wanted) {
  switch (sample.format) {
  case sample_format::raw_u8:
    if (std::cmp_not_equal(sample.channels, wanted.channels) || std::cmp_not_equal(sample.height, wanted.height)
        || std::cmp_not_equal(sample.width, wanted.width))
      return sample_failure(sample, ec::bad_data, "shape is " + shape_of(sample) + ", expected " + to_string(wanted));
    if (sample.bytes.size() != wanted.num_elements())
      return sample_failure(sample, ec::bad_data,
                            std::to_string(sample.bytes.size()) + " bytes, expected "
                              + std::to_string(wanted.num_elements()) + " for raw pixels of " + to_string(wanted));
    return sample.bytes;
  }
  return sample_failure(sample, ec::unsupported,
                        "format " + std::to_string(static_cast<int>(sample.format)) + " has no decoder");
}

} // namespace

transform_pipeline::transform_pipeline(const image_shape& input, std::vector<std::unique_ptr<transform>> steps,
                                       std::unique_ptr<normalize> last)
  : input_(input), output_(steps.empty() ? input : steps.back()->output_shape()), steps_(std::move(steps)),
    normalize_(std::move(last)) {}

transform_pipeline::transform_pipeline(transform_pipeline&&) noexcept = default;
transform_pipeline& transform_pipeline::operator=(transform_pipeline&&) noexcept = default;
transform_pipeline::~transform_pipeline() = default;

expected<transform_pipeline> transform_pipeline::make(const std::vector<transform_config>& transforms,
                                                      std::int64_t channels, std::int64_t height, std::int64_t width) {
  auto input = checked_shape(channels, height, width);
  if (!input)
    return input.error();
  const bool ends_normalized = !transforms.empty() && std::holds_alternative<normalize_config>(transforms.back());
  const auto num_steps = transforms.size() - (ends_normalized ? 1 : 0);
  auto shape = *input;
  std::vector<std::unique_ptr<transform>> steps;
  for (std::size_t k = 0; k < num_steps; ++k) {
    const char* name = "";
    auto step = std::visit(maker{shape, name}, transforms[k]);
    if (!step)
      return within_list(step.error(), k, name);
    shape = (*step)->output_shape();
    steps.push_back(std::move(*step));
  }
  auto last = normalize::make(
    ends_normalized ? std::get<normalize_config>(transforms.back()) : normalize_config{.mean = {0}, .std = {1}}, shape);
  if (!last)
    return within_list(last.error(), num_steps, "normalize");
  return transform_pipeline(*input, std::move(steps), std::make_unique<normalize>(std::move(*last)));
}

expected<void> transform_pipeline::apply(const encoded_sample& sample, std::uint64_t seed, std::uint64_t epoch,
                                         float* out, bool channels_last) const {
  auto bytes = decode(sample, input_);
  if (!bytes)
    return bytes.error();
  thread_local working_image::buffers scratch;
  working_image image(*bytes, input_, scratch);
  for (std::size_t k = 0; k < steps_.size(); ++k) {
    sample_rng rng(seed, epoch, sample.id, static_cast<std::uint32_t>(k));
    steps_[k]->apply(image, rng);
  }
  normalize_->write(image.pixels(), out, channels_last);
  return {};
}

} // namespace troupe
