/// Components and actors as a plugin would bring them, one of each kind, for as long as an object lives.
#pragma once

#include "actors/plugin/plugin_roles.hpp"
#include "app/config/schema.hpp"

#include <utility>

namespace troupe::test {

/// Puts them into the process's tables, and what was there before back.
class offered {
public:
  offered() : components_(component_registry::instance()), actors_(actor_registry::instance()) {
    auto& parts = component_registry::instance();
    parts.transforms.push_back({{"clahe", "Evens out the contrast", clahe_parameters(), "vision"}, {}});
    parts.batch_transforms.push_back(
      {{"smear", "Smears.", {param::number("width", 0.5, 0, 1, "How far.")}, "vision"}, {}});
    parts.data_sources.push_back({{"shapes", "Drawn shapes.", shapes_parameters(), "vision"}, {}});
    parts.decoders.push_back({{"qoi", "QOI files.", {param::flag("strict", true, "Check.")}, "vision"}, {}});
    parts.models.push_back({{"tiny_net", "Small.", {param::whole("width", 8, 1, 512, "Channels.")}, "nets"}, {}});
    parts.metrics.push_back({{"macro_f1", "F1.", {param::number("beta", 1, 0, 10, "Weight.")}, "figures"}, {}});
    parts.metrics.push_back({{"ece", "Calibration error.", {}, "figures"}, {}});
    parts.log_sinks.push_back({{"json_lines", "A file.", {param::text("file", "log.jsonl", "Where.")}, "figures"}, {}});
    auto& actors = actor_registry::instance();
    actors.augmenters.push_back(augmenter("mosaic", instances::stateless));
    actors.augmenters.push_back(augmenter("collage", instances::ordered));
    actors.stages.push_back({{"blender", "Blends.", {}, "actors"}, instances::stateless, false, false, {}});
    actors.stages.push_back({{"carry", "Carries over.", {}, "actors"}, instances::ordered, false, false, {}});
    actors.listeners.push_back({{"hard_examples", "Weighs.", {}, "actors"}, instances::ordered, false, true, {}});
    actors.listeners.push_back({{"curriculum", "Weighs.", {}, "actors"}, instances::ordered, false, true, {}});
    actors.listeners.push_back({{"early_stop", "Stops.", {}, "actors"}, instances::ordered, false, false, {}});
  }
  offered(const offered&) = delete;
  offered& operator=(const offered&) = delete;
  ~offered() {
    component_registry::instance() = std::move(components_);
    actor_registry::instance() = std::move(actors_);
    (void)schema(); // tables only grow in a program: the next object's would be taken for this one's
  }

  /// One parameter of every kind.
  static parameter_list clahe_parameters() {
    return {param::number("clip", 2, 0.1, 100, "Bound on the contrast.").in("grey levels"),
            param::whole("tiles", 8, 1, 64, "Tiles along a side"),
            param::flag("colour", false, "Each channel."),
            param::choice("space", "lab", {"lab", "hsv"}, "Colour space."),
            param::text("tag", "", "Any text."),
            param::numbers("gains", {1, 0.5}, 0, 4, "Per channel.")};
  }
  static parameter_list shapes_parameters() {
    return {param::whole("count", 100, 1, 1'000'000, "How many."),
            param::choice("kind", "disc", {"disc", "square"}, "Of what.")};
  }

private:
  static augmenter_kind augmenter(const char* name, instances how_many) {
    return {
      {name, "Mixes four.", {param::number("p", 0.5, 0, 1, "Probability.")}, "actors"}, how_many, false, false, {}};
  }

  component_registry components_;
  actor_registry actors_;
};

} // namespace troupe::test
