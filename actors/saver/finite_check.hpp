/// Keeps numbers that are no numbers out of checkpoints.
#pragma once

#include "actors/support/expected.hpp"
#include "messages/host_tensor.hpp"

#include <span>

namespace troupe {

/// `nonfinite` if an element of a floating-point tensor is NaN or infinite; the text names the tensor, the element's
/// index and what it is. Reads each byte once, at memory speed. Integer and boolean tensors always pass.
expected<void> check_finite(std::span<const named_tensor> tensors);

} // namespace troupe
