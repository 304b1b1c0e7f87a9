/// All that the author of a plugin includes.
///
///     #include "actors/plugin.hpp"
///
///     TROUPE_PLUGIN(my_plugin, "1.0") {
///       plugin.transform("invert", "Turns light into dark.", {}, [](const auto&, const auto& input) { ... });
///     }
///
/// A plugin that brings a model defines TROUPE_PLUGIN_TORCH first (`troupe_add_plugin(... TORCH)` does).
#pragma once

#ifdef TROUPE_PLUGIN_TORCH
#include "actors/support/network/image_model.hpp"

#include <torch/csrc/api/include/torch/version.h>
#endif

#include "actors/plugin/plugin.hpp"
#include "actors/plugin/plugin_entry.hpp"
#include "actors/plugin/slot_floats.hpp"

#include <opencv2/core.hpp>
