#include "actors/support/network/input_tensors.hpp"

#include <torch/torch.h>

#include <algorithm>

namespace troupe {

expected<input_tensors> wrap_batch(const batch_view& batch, const model_io& io) {
  const auto B = batch.num_samples, C = io.channels, H = io.height, W = io.width;
  if (B < 1 || !batch.pixels || !batch.labels)
    return failure{ec::bad_data,
                   "batch: " + std::to_string(B) + " samples, expected at least 1 with pixels and labels"};
  for (std::int64_t i = 0; i < B; ++i)
    if (batch.labels[i] < 0 || batch.labels[i] >= io.num_classes)
      return failure{ec::bad_data, "batch: slot " + std::to_string(i) + " has label " + std::to_string(batch.labels[i])
                                     + ", expected 0 to " + std::to_string(io.num_classes - 1)};
  const auto type = at::dtype(batch.type == pixel_type::float32 ? at::kFloat : at::kBFloat16);
  const auto x_BCHW = batch.channels_last ? at::from_blob(batch.pixels, {B, C, H, W}, {H * W * C, 1, W * C, C}, type)
                                          : at::from_blob(batch.pixels, {B, C, H, W}, type);
  input_tensors out{x_BCHW, at::from_blob(batch.labels, {B}, at::dtype(at::kLong)), {}};
  if (batch.weights && std::any_of(batch.weights, batch.weights + B, [](float x) { return x != 1; }))
    out.weights_B = at::from_blob(batch.weights, {B}, at::dtype(at::kFloat));
  return out;
}

} // namespace troupe
