/// STAGE changes filled slices on their way from the augmenters to the collator.
///   augmenter, or the stage before -- slice_filled --> stage
///   stage -- slice_filled --> the next stage, or the collator
/// Holds slices only as long as it works on them: each is a part of a batch buffer, and buffers are the credit. A slice
/// that dies with it goes home to the loader and is filled again.
#pragma once

#include "messages/collator_protocol.hpp"

namespace troupe {

/// Speaks as the collator does, so that nobody needs to know how many stages there are.
using stage_actor = collator_actor;

} // namespace troupe
