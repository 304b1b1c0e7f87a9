// What does nothing, so that what is left is the cost of being a plugin.
#include "actors/plugin.hpp"

namespace {

using namespace troupe;

class idle final : public sample_transform {
public:
  explicit idle(const image_shape& input) : shape_(input) {}
  [[nodiscard]] image_shape output_shape() const override { return shape_; }
  void apply(cv::Mat&, transform_context&) const override {}

private:
  image_shape shape_;
};

struct no_state {
  static inline const char* name = "idle";
};

stage_actor::behavior_type pass(plugin_pointer<stage_actor, no_state> self, stage_role role) {
  return {[self, role](slice_filled& filled) { self->send(role.next, std::move(filled)); },
          [](status_atom) {
            return actor_status{"waits for a slice", 0, true};
          }};
}

augmenter_actor::behavior_type fill(plugin_pointer<augmenter_actor, no_state> self, augmenter_role role) {
  self->send(role.loader, next_atom_v, augmenter_actor{self});
  return {[self, role](chunk_ready& work) {
            auto slice = take_slice(work, role);
            if (!slice)
              return;
            auto bad = fill_slots(role, *work.chunk, *slice);
            finish_chunk(self, role, *work.chunk, std::move(*slice), std::move(bad));
          },
          [](status_atom) {
            return actor_status{"waits for a chunk", 0, true};
          }};
}

} // namespace

TROUPE_PLUGIN(idle, "1.0") {
  plugin.transform("idle", "Does nothing.", {},
                   [](const auto&, const auto& input) { return std::make_unique<idle>(input); });
  plugin.stage("pass", "Lets slices pass.", {}, {}, pass);
  plugin.augmenter("fill", "Fills as the built-in augmenter does.", {}, {}, fill);
}
