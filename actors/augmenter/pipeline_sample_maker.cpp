#include "actors/augmenter/pipeline_sample_maker.hpp"

#include "actors/augmenter/transform_pipeline.hpp"
#include "actors/support/imaging/lent_pixels.hpp"

#include <stdexcept>
#include <utility>

namespace troupe {

namespace {

sample_slot slot_of(const batch_slice& slice, std::uint32_t i) {
  return {slice.pixels(i), slice.layout().type, slice.layout().channels_last};
}

class pipeline_sample_maker final : public sample_maker {
public:
  pipeline_sample_maker(std::shared_ptr<const transform_pipeline> transforms, std::uint64_t seed)
    : transforms_(std::move(transforms)), seed_(seed) {}

  [[nodiscard]] image_shape shape() const override { return transforms_->output_shape(); }

  [[nodiscard]] expected<void> make(const encoded_sample& sample, std::uint64_t epoch,
                                    cv::Mat& picture) const override {
    return transforms_->make_picture(sample, seed_, epoch, picture);
  }

  void write(const cv::Mat& picture, const batch_slice& slice, std::uint32_t i) const override {
    if (const auto wrong = misfit_of(picture, shape()); !wrong.empty())
      throw std::invalid_argument("cannot write " + wrong);
    transforms_->write(picture, slot_of(slice, i));
  }

  [[nodiscard]] expected<void> fill(const encoded_sample& sample, std::uint64_t epoch, const batch_slice& slice,
                                    std::uint32_t i) const override {
    return transforms_->apply(sample, seed_, epoch, slot_of(slice, i));
  }

private:
  std::shared_ptr<const transform_pipeline> transforms_;
  std::uint64_t seed_;
};

} // namespace

std::shared_ptr<const sample_maker> make_pipeline_sample_maker(std::shared_ptr<const transform_pipeline> transforms,
                                                               std::uint64_t seed) {
  return std::make_shared<pipeline_sample_maker>(std::move(transforms), seed);
}

} // namespace troupe
