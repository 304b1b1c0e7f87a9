/// A batch as the tensors that a model takes.
#pragma once

#include "actors/support/expected.hpp"
#include "actors/support/network/batch_view.hpp"
#include "actors/support/network/network_config.hpp"

#include <ATen/core/Tensor.h>

namespace troupe {

struct input_tensors {
  at::Tensor x_BCHW;    ///< float or bfloat16; NHWC memory is a channels_last tensor.
  at::Tensor labels_B;  ///< int64
  at::Tensor weights_B; ///< float; undefined where all are 1.
};

/// The batch's own memory as tensors, without a copy: they are valid as long as that memory is.
/// bad_data: no samples, or a label that is not a class.
expected<input_tensors> wrap_batch(const batch_view& batch, const model_io& io);

} // namespace troupe
