/// What training has to remember besides the model, as tensors of a snapshot.
#pragma once

#include "actors/support/expected.hpp"
#include "messages/flow.hpp"
#include "messages/host_tensor.hpp"

#include <map>
#include <string>
#include <vector>

namespace troupe {

/// The tensors of these weights and of what the listeners keep, by their names: "sampling.<version>.<from_epoch>" and
/// "listener.<name>". They share the weights' memory.
/// @pre each `sample_weights::weights` is there
[[nodiscard]] std::vector<named_tensor> attachments_of(const std::vector<sample_weights>& sampling,
                                                       const std::map<std::string, std::string>& listeners);

/// What `attachments_of` was given.
struct kept_attachments {
  std::vector<sample_weights> sampling;         ///< By version, ascending.
  std::map<std::string, std::string> listeners; ///< What each keeps, by name.
};

/// Reads them back, in memory of their own. corrupt: a name of neither form, or a tensor that is not what its name says.
[[nodiscard]] expected<kept_attachments> read_attachments(const std::vector<named_tensor>& attachments);

} // namespace troupe
