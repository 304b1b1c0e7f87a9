/// Samples for tests of whole actors: raw pictures, and the way in which a bench makes them.
#pragma once

#include "actors/plugin/slot_floats.hpp"
#include "actors/plugin/testing_pipeline.hpp"
#include "actors/support/components/sample_maker.hpp"
#include "actors/support/rng.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <opencv2/core/mat.hpp>
#include <utility>
#include <vector>

namespace troupe::testing {

/// A sample of 8 bits, ready to be served.
[[nodiscard]] inline encoded_sample sample_of(std::uint64_t id, std::int64_t label, const cv::Mat& picture) {
  const cv::Mat whole = picture.isContinuous() ? picture : picture.clone();
  auto bytes = std::make_shared<std::vector<std::byte>>(whole.total() * whole.elemSize());
  std::memcpy(bytes->data(), whole.data, bytes->size());
  encoded_sample sample;
  sample.id = id;
  sample.label = label;
  sample.channels = static_cast<std::uint32_t>(whole.channels());
  sample.height = static_cast<std::uint32_t>(whole.rows);
  sample.width = static_cast<std::uint32_t>(whole.cols);
  sample.bytes = *bytes;
  sample.owner = std::move(bytes);
  return sample;
}

/// One that a loader cannot read.
[[nodiscard]] inline encoded_sample unreadable_sample(std::uint64_t id) {
  encoded_sample sample;
  sample.id = id;
  return sample;
}

/// Samples 0, 1, ...: noise, labels 0..9 in turn. No two are alike.
[[nodiscard]] inline std::vector<encoded_sample> noise_samples(std::uint64_t num, const image_shape& shape) {
  std::vector<encoded_sample> all;
  for (std::uint64_t id = 0; id < num; ++id) {
    cv::Mat picture(shape.height, shape.width, CV_8UC(shape.channels));
    sample_rng rng(1, 0, id, 0);
    std::generate_n(picture.data, shape.num_elements(), [&rng] { return static_cast<std::uint8_t>(rng.below(256)); });
    all.push_back(sample_of(id, static_cast<std::int64_t>(id % 10), picture));
  }
  return all;
}

/// Samples 0, 1, ...: all pixels of sample i are `values[i]`; its label is i.
[[nodiscard]] inline std::vector<encoded_sample> plain_samples(const std::vector<std::uint8_t>& values,
                                                               const image_shape& shape) {
  std::vector<encoded_sample> all;
  for (std::uint64_t id = 0; id < values.size(); ++id)
    all.push_back(sample_of(id, static_cast<std::int64_t>(id),
                            cv::Mat(shape.height, shape.width, CV_8UC(shape.channels), cv::Scalar::all(values[id]))));
  return all;
}

/// Raw pictures of one shape, no transforms; a pixel of 0..255 becomes 0..1.
class raw_sample_maker final : public sample_maker {
public:
  explicit raw_sample_maker(const image_shape& shape) : shape_(shape) {}

  [[nodiscard]] image_shape shape() const override { return shape_; }

  [[nodiscard]] expected<void> make(const encoded_sample& sample, std::uint64_t, cv::Mat& picture) const override {
    if (sample.bytes.size() != shape_.num_elements())
      return failure{ec::bad_data, "has " + std::to_string(sample.bytes.size()) + " bytes, expected "
                                     + std::to_string(shape_.num_elements())};
    picture.create(shape_.height, shape_.width, CV_8UC(shape_.channels));
    std::memcpy(picture.data, sample.bytes.data(), sample.bytes.size());
    return {};
  }

  void write(const cv::Mat& picture, const batch_slice& slice, std::uint32_t i) const override {
    slot_floats slot(slice, i);
    const auto area = picture.total();
    const auto num_channels = static_cast<std::size_t>(picture.channels());
    for (std::size_t k = 0; k < area; ++k)
      for (std::size_t c = 0; c < num_channels; ++c) {
        const auto from = k * num_channels + c;
        slot.values()[slice.layout().channels_last ? from : c * area + k] =
          static_cast<float>(picture.data[from]) / 255;
      }
    slot.commit();
  }

  [[nodiscard]] expected<void> fill(const encoded_sample& sample, std::uint64_t epoch, const batch_slice& slice,
                                    std::uint32_t i) const override {
    cv::Mat picture;
    auto done = make(sample, epoch, picture);
    if (done)
      write(picture, slice, i);
    return done;
  }

private:
  image_shape shape_;
};

/// A bench for these samples, all of one shape, by id; those without bytes cannot be read.
[[nodiscard]] inline pipeline_bench bench_of(std::vector<encoded_sample> samples) {
  pipeline_bench bench;
  const auto first = std::find_if(samples.begin(), samples.end(), [](const auto& x) { return !x.bytes.empty(); });
  image_shape shape;
  if (first != samples.end())
    shape = {static_cast<int>(first->channels), static_cast<int>(first->height), static_cast<int>(first->width)};
  bench.samples = std::make_shared<raw_sample_maker>(shape);
  bench.data = std::move(samples);
  return bench;
}

} // namespace troupe::testing
