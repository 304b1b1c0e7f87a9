#include "actors/augmenter/transforms/plugin_transform.hpp"

#include "actors/support/components/component_registry.hpp"
#include "actors/support/components/plugin_guard.hpp"
#include "actors/support/imaging/lent_pixels.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace troupe {

namespace {

std::string described(const image_shape& x) {
  return to_string(x) + " of " + std::to_string(x.bits) + " bits";
}

bool can_exist(const image_shape& x) noexcept {
  const bool sized = x.fixed() && x.height <= max_image_side && x.width <= max_image_side;
  return x.channels >= 1 && x.channels <= 4 && (x.bits == 8 || x.bits == 16)
         && (sized || (x.height == 0 && x.width == 0));
}

/// The pixels, to be changed in place, without a gap between rows.
const cv::Mat& continuous(working_image& image) {
  const auto& pixels = image.writable();
  if (!pixels.isContinuous())
    image.replace(image.size(), [](const cv::Mat& from, cv::Mat& to) { from.copyTo(to); });
  return image.pixels();
}

class plugin_step final : public transform {
public:
  plugin_step(std::unique_ptr<sample_transform> step, std::unique_ptr<plugin_guard> guard, const image_shape& input,
              const image_shape& output)
    : step_(std::move(step)), guard_(std::move(guard)), input_(input), output_(output) {}

  [[nodiscard]] image_shape output_shape() const noexcept override { return output_; }

  [[nodiscard]] expected<void> apply(working_image& image, sample_rng& rng) const override {
    if (!guard_->enabled())
      return pass(image);
    lent_pixels lent(continuous(image));
    transform_context context{rng, image.sample(), image.epoch(), image.note()};
    if (auto ok = guard_->call(image.sample(), [&] { step_->apply(lent.mat(), context); }); !ok)
      return ok;
    if (context.note != nullptr) // One line, whatever it is told.
      std::replace(context.note->begin(), context.note->end(), '\n', ' ');
    if (!lent.intact())
      return guard_->failed(image.sample(), "wrote beside the image, which is " + described(shape_of(image)));
    if (const auto wrong = misfit_of(lent.mat(), output_); !wrong.empty())
      return guard_->failed(image.sample(), "made " + wrong);
    if (lent.in_place()) {
      lent.give_back();
      return {};
    }
    const auto& made = lent.mat();
    image.replace(made.size(), made.type(), [&](const cv::Mat&, cv::Mat& to) { made.copyTo(to); });
    return {};
  }

private:
  [[nodiscard]] expected<void> pass(working_image& image) const {
    if (input_ != output_)
      return failure{ec::plugin_failed, guard_->component()
                                          + ": is disabled, but the run needs the shape that it makes, "
                                          + described(output_) + ", of " + described(input_)};
    if (auto* note = image.note())
      *note = "is disabled";
    return {};
  }

  [[nodiscard]] static image_shape shape_of(const working_image& image) {
    const auto& x = image.pixels();
    return {x.channels(), x.rows, x.cols, x.depth() == CV_16U ? 16 : 8};
  }

  std::unique_ptr<sample_transform> step_;
  std::unique_ptr<plugin_guard> guard_;
  image_shape input_;
  image_shape output_;
};

std::string known_names() {
  std::string names;
  for (const auto& each : component_registry::instance().transforms)
    names.append(names.empty() ? "" : ", ").append(each.name);
  return names.empty() ? "plugins have brought none" : "plugins have brought " + names;
}

} // namespace

expected<std::unique_ptr<transform>> make_plugin_transform(const plugin_transform_config& config,
                                                           const image_shape& input) {
  const auto* kind = find_component(component_registry::instance().transforms, config.name);
  if (kind == nullptr)
    return failure{ec::bad_config, "unknown transform \"" + config.name + "\"; " + known_names()};
  auto guard = std::make_unique<plugin_guard>(kind->plugin, "transform " + kind->name);
  std::unique_ptr<sample_transform> step;
  image_shape output;
  const auto made = guard->call(no_sample, [&] {
    step = kind->make(config.values, input);
    if (!step)
      throw std::runtime_error("made no transform");
    output = step->output_shape();
  });
  if (!made)
    return failure{ec::bad_config, made.error().context};
  if (!can_exist(output))
    return failure{ec::bad_config, kind->name + " (plugin " + kind->plugin + "): its output's shape is "
                                     + described(output)
                                     + ", expected 1..4 channels, sides of 1..32767 or both 0, 8 or 16 bits"};
  return std::unique_ptr<transform>(std::make_unique<plugin_step>(std::move(step), std::move(guard), input, output));
}

} // namespace troupe
