#include "tests/bench/data_path/photo_maker.hpp"

#include "actors/augmenter/transforms/random_resized_crop.hpp"
#include "actors/loader/datasets/open_dataset.hpp"
#include "actors/support/file_io.hpp"
#include "actors/support/imaging/image_header.hpp"
#include "actors/support/imaging/mirror.hpp"
#include "actors/support/rng.hpp"
#include "tests/bench/data_path/value_or_exit.hpp"

#include <opencv2/core.hpp>

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <variant>

namespace troupe::bench {

namespace {

/// Places in the list of transforms, which their random numbers depend on.
enum : std::uint32_t { crop_place, flip_place, normalize_place };

template <class Config>
Config config_at(std::size_t place, bool antialias) {
  return std::get<Config>(photo_transforms(antialias)[place]);
}

} // namespace

std::vector<transform_config> photo_transforms(bool antialias) {
  return {random_resized_crop_config{.size = photo_side, .antialias = antialias}, random_horizontal_flip_config{},
          normalize_config{{0.485, 0.456, 0.406}, {0.229, 0.224, 0.225}}};
}

photo_files photo_files::find(const std::string& root) {
  dataset_config config;
  config.dataset = "image_folder";
  config.root = root;
  const auto data = value_or_exit(open_dataset(config, {}));
  photo_files out;
  for (std::uint64_t id = 0; id < data->num_samples(); ++id) {
    out.paths.push_back(data->sample_name(id));
    out.labels.push_back(data->label(id));
  }
  return out;
}

photo_maker::photo_maker(bool antialias)
  : crop_(config_at<random_resized_crop_config>(crop_place, antialias)),
    flip_p_(config_at<random_horizontal_flip_config>(flip_place, antialias).p),
    normalize_(value_or_exit(normalize::make(config_at<normalize_config>(normalize_place, antialias),
                                             {photo_channels, photo_side, photo_side}))),
    resized_(photo_side, photo_side, CV_8UC(photo_channels)), flipped_(photo_side, photo_side, CV_8UC(photo_channels)) {
}

expected<std::span<const std::byte>> photo_maker::read(const std::string& path) {
  const file_descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat about = {};
  if (file.number() < 0 || ::fstat(file.number(), &about) != 0)
    return failure{ec::io_error, path + ": cannot open: " + std::generic_category().message(errno)};
  const auto size = static_cast<std::size_t>(about.st_size);
  if (file_.size() < size)
    file_.resize(size);
  if (::read(file.number(), file_.data(), size) != about.st_size)
    return failure{ec::io_error, path + ": cannot read all of its " + std::to_string(size) + " bytes at once"};
  return std::span<const std::byte>{file_.data(), size};
}

expected<void> photo_maker::make(const std::string& path, std::uint64_t id, std::uint64_t epoch, bool channels_last,
                                 float* out) {
  const auto bytes = read(path);
  if (!bytes)
    return bytes.error();
  const auto header = read_image_header(*bytes);
  if (!header)
    return header.error();
  sample_rng crop_rng(run_seed, epoch, id, crop_place);
  const auto box = random_resized_crop_box(header->oriented_size(), {crop_.scale[0], crop_.scale[1]},
                                           {crop_.ratio[0], crop_.ratio[1]}, crop_rng);
  const auto decoded = decoder_.decode_region(*bytes, *header, box, resized_.size());
  if (!decoded)
    return decoded.error();
  resize(decoded->pixels, decoded->region, resized_, interpolation::bilinear, crop_.antialias, scratch_);
  sample_rng flip_rng(run_seed, epoch, id, flip_place);
  const bool flips = flip_rng.uniform() < flip_p_;
  if (flips)
    mirror(resized_, flipped_);
  normalize_.write(flips ? flipped_ : resized_, pixel_type::float32, out, channels_last);
  return {};
}

} // namespace troupe::bench
