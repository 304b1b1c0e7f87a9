/// From an encoded sample to the numbers of its slot in the batch.
#pragma once

#include "actors/augmenter/transforms/transform_config.hpp"
#include "actors/support/expected.hpp"
#include "actors/support/image_shape.hpp"
#include "actors/support/imaging/decode_config.hpp"
#include "messages/pixel_type.hpp"
#include "messages/sample.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace cv {
class Mat;
}

namespace troupe {

class normalize;
class plugin_decoders;
class transform;
class working_image;

/// What a pipeline is made for.
struct pipeline_input {
  std::int64_t channels = 0; ///< Shape of raw samples, 1..4 channels and sides of 1..32767 pixels; all 0: image files.
  std::int64_t height = 0;
  std::int64_t width = 0;
  decode_config decode = {};   ///< Of image files.
  std::int64_t cache_side = 0; ///< Shrink image files to this shorter side before everything else; 0: do not.
};

/// Where the numbers of a sample go.
struct sample_slot {
  void* pixels = nullptr; ///< Room for C x H x W numbers, [H, W, C] if `channels_last`, else [C, H, W].
  pixel_type type = pixel_type::float32;
  bool channels_last = false;
};

/// What a caller wants besides the numbers; nullptr: nothing of it, and it costs nothing. The numbers are the same.
struct sample_extras {
  decoded_sample* keep = nullptr; ///< Gets an image file's shrunk pixels, if there is a `cache_side`.
  /// Gets `pixel_hash` of what `normalize`, the last of the list, is given.
  std::uint64_t* pixel_hash = nullptr;
  /// Each transform adds a line: its name and what it drew or did, as in "random_horizontal_flip: not flipped". Where one
  /// fails, the lines end with it or with the one before it.
  std::vector<std::string>* notes = nullptr;
  /// Gets the pixels that `normalize` would be given, in memory of its own; the slot is not written to and may have none.
  cv::Mat* picture = nullptr;
};

/// The transforms of a config, ready to be applied. Immutable; any number of threads may apply it at the same time. After
/// a thread's largest sample nothing is allocated.
class transform_pipeline {
public:
  /// Returns the pipeline for such samples. `normalize` comes last, at most once; without it, x / 255. Errors: bad_config,
  /// naming the place in the list, the value and what was expected; also for samples that still differ in size at the end,
  /// and for transforms and decoders of plugins that cannot be made.
  static expected<transform_pipeline> make(const std::vector<transform_config>& transforms,
                                           const pipeline_input& input);

  transform_pipeline(transform_pipeline&&) noexcept;
  transform_pipeline& operator=(transform_pipeline&&) noexcept;
  ~transform_pipeline();

  [[nodiscard]] std::int64_t output_channels() const noexcept { return output_.channels; }
  [[nodiscard]] std::int64_t output_height() const noexcept { return output_.height; }
  [[nodiscard]] std::int64_t output_width() const noexcept { return output_.width; }
  [[nodiscard]] const image_shape& output_shape() const noexcept { return output_; }

  /// Fills the slot. The k-th transform of the list draws from `sample_rng(seed, epoch, sample.id, k)`: the result depends
  /// on nothing but the arguments.
  /// Errors: bad_data, corrupt, unsupported for a sample that is not what it says, cannot be decoded, or does not fit a
  /// transform, without saying which; plugin_failed, with the component's name. The slot is then untouched.
  expected<void> apply(const encoded_sample& sample, std::uint64_t seed, std::uint64_t epoch, const sample_slot& out,
                       const sample_extras& extras = {}) const;

  /// Does all of `apply` but `normalize`: gives the pixels, in memory of their own. Errors as there.
  expected<void> make_picture(const encoded_sample& sample, std::uint64_t seed, std::uint64_t epoch,
                              cv::Mat& picture) const;

  /// Does `normalize` alone. @pre `picture` has `output_shape()`
  void write(const cv::Mat& picture, const sample_slot& out) const;

private:
  struct step {
    std::string name; ///< In a config.
    std::unique_ptr<transform> change;
  };

  transform_pipeline(const pipeline_input& input, const image_shape& shape, std::vector<step> steps,
                     std::unique_ptr<normalize> last, std::shared_ptr<const plugin_decoders> decoders);
  expected<void> apply_to_pixels(const encoded_sample& sample, std::uint64_t seed, std::uint64_t epoch,
                                 const sample_slot& out, const sample_extras& extras) const;
  expected<void> apply_to_file(const encoded_sample& sample, std::uint64_t seed, std::uint64_t epoch,
                               const sample_slot& out, const sample_extras& extras) const;
  expected<void> shrink_for_cache(working_image& image, const encoded_sample& sample, decoded_sample* keep) const;
  expected<void> transform_into(working_image& image, std::uint64_t id, std::uint64_t seed, std::uint64_t epoch,
                                const sample_slot& out, const sample_extras& extras) const;
  expected<void> take_steps(working_image& image, std::uint64_t id, std::uint64_t seed, std::uint64_t epoch,
                            std::vector<std::string>* notes) const;

  pipeline_input input_;
  image_shape shape_; ///< Of raw samples; not fixed for image files.
  image_shape output_;
  std::vector<step> steps_; ///< By place in the config's list.
  std::unique_ptr<normalize> normalize_;
  std::shared_ptr<const plugin_decoders> decoders_; ///< Null: there are none.
};

} // namespace troupe
