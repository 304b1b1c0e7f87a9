/// All that the tests of a plugin include: they call what it offers as a run would, without a run.
///
///     #include "actors/plugin/testing.hpp"
///     using namespace troupe::testing;
///
///     const auto mine = this_plugin();
///     const auto& invert = offered(mine.components.transforms, "invert");
///     CHECK(same_pixels(applied(invert, {{"strength", 0}}, picture), picture));
///     CHECK(is_deterministic(invert, {}, picture));
///
/// The test program is linked with the plugin's sources (`troupe_add_plugin(... TESTS ...)` does that).
#pragma once

#include "actors/plugin.hpp"
#include "actors/plugin/testing_components.hpp"
#include "actors/plugin/testing_listener.hpp"
#include "actors/plugin/testing_pipeline.hpp"
#include "actors/plugin/testing_samples.hpp"
#include "actors/plugin/testing_values.hpp"

extern "C" const troupe::plugin_entry troupe_plugin;

namespace troupe::testing {

/// What the plugin in this program offers: runs the body of its TROUPE_PLUGIN. Throws what that throws.
[[nodiscard]] inline plugin this_plugin() {
  plugin filled(troupe_plugin.name);
  troupe_plugin.fill(filled);
  return filled;
}

} // namespace troupe::testing
