#include "app/plugins/check_parts.hpp"
#include "app/plugins/check_pictures.hpp"
#include "app/plugins/check_support.hpp"

#include <array>
#include <memory>
#include <optional>
#include <span>

namespace troupe {

namespace {

/// Channels, height and width as a camera, a benchmark and a photo have them, the largest last; the deeper ones only where
/// the others are refused.
constexpr std::array<image_shape, 3> common_shapes{{{1, 28, 28, 8}, {3, 64, 48, 8}, {3, 256, 256, 8}}};
constexpr std::array<image_shape, 3> deep_shapes{{{1, 28, 28, 16}, {3, 64, 48, 16}, {3, 256, 256, 16}}};

/// What the transform made of one picture.
struct outcome {
  picture made;
  bool intact = true;
  friend bool operator==(const outcome&, const outcome&) = default;
};

struct tried_transform {
  const sample_transform& transform;
  image_shape input;

  outcome operator()(std::uint64_t id) const {
    call_timer timer;
    std::string note;
    return apply(id, &note, timer);
  }

  /// Whether somebody asks for a note must make no difference.
  outcome apply(std::uint64_t id, std::string* note, call_timer& timer) const {
    guarded_picture memory{input};
    memory.draw(id);
    auto image = memory.image();
    sample_rng rng{1, 0, id, 0};
    transform_context context{rng, id, 0, note};
    timer.time([&] { transform.apply(image, context); });
    return {picture_of(image), memory.intact()};
  }
};

bool is_sensible(const image_shape& shape) {
  const bool sides = shape.fixed() ? shape.height <= max_image_side && shape.width <= max_image_side
                                   : shape.height == 0 && shape.width == 0;
  return sides && shape.channels >= 1 && shape.channels <= 4 && (shape.bits == 8 || shape.bits == 16);
}

void check_outcomes(const std::vector<outcome>& outcomes, const image_shape& declared, const std::string& prefix,
                    check_log& log) {
  std::string problem;
  bool intact = true;
  for (const auto& each : outcomes) {
    intact = intact && each.intact;
    if (problem.empty())
      problem = shape_problem(each.made.shape, declared);
  }
  log.say(prefix + "shape and type as declared", problem.empty(), problem);
  log.say(prefix + "writes nothing beside the image", intact, "bytes before or behind the pixels were changed");
}

std::string prefix_of(const image_shape& input) {
  const auto text = input.fixed() ? to_string(input) : fmt::format("{}x?x?", input.channels);
  return text + (input.bits == 16 ? " of 16 bits: " : ": ");
}

/// Returns whether what it says about its output can be used.
bool check_declared(const image_shape& declared, const std::string& prefix, check_log& log) {
  if (is_sensible(declared))
    return true;
  log.bad(prefix + "shape and type as declared",
          fmt::format("it declares {}, expected 1..4 channels of 8 or 16 bits, sides of 1..{} or both 0",
                      shape_text(declared), max_image_side));
  return false;
}

void try_shape(const sample_transform& transform, const image_shape& input, std::uint64_t num_samples, check_log& log) {
  const auto prefix = prefix_of(input);
  const auto declared = transform.output_shape();
  if (!check_declared(declared, prefix, log))
    return;
  const tried_transform tried{transform, input};
  std::vector<outcome> first;
  call_timer timer;
  if (!log.survives(prefix + "does not throw", [&] {
        for (std::uint64_t id = 0; id < num_samples; ++id)
          first.push_back(tried.apply(id, nullptr, timer));
      }))
    return;
  check_outcomes(first, declared, prefix, log);
  check_sameness(log, prefix, first, tried);
  const auto input_bytes = input.num_elements() * static_cast<std::size_t>(input.bits / 8);
  log.good(prefix + "speed", timer.text("sample", input_bytes));
}

/// Makes a transform for each shape that it is not refused for.
class shape_trial {
public:
  shape_trial(const transform_component& what, const parameters& values, std::uint64_t num_samples, check_log& log)
    : what_(what), values_(values), num_samples_(num_samples), log_(log) {}

  void try_all(std::span<const image_shape> shapes) {
    for (const auto& shape : shapes)
      if (const auto made = make(shape)) {
        accepted_ = shape;
        try_shape(*made, shape, num_samples_, log_);
      }
  }

  /// Where the size of pictures is known only when they are there, nothing but the declaration is asked for.
  void try_unknown_size(image_shape shape) {
    shape.height = shape.width = 0;
    if (const auto made = make(shape))
      if (const auto prefix = prefix_of(shape); check_declared(made->output_shape(), prefix, log_))
        log_.good(prefix + "says what it makes");
  }

  /// The last that was.
  [[nodiscard]] const std::optional<image_shape>& accepted() const noexcept { return accepted_; }
  /// Why the last shape was refused; empty: it was not.
  [[nodiscard]] const std::string& refusal() const noexcept { return refusal_; }
  [[nodiscard]] bool made_nothing() const noexcept { return made_nothing_; }

private:
  std::unique_ptr<sample_transform> make(const image_shape& shape) {
    refusal_.clear();
    try {
      if (auto made = what_.make(values_, shape))
        return made;
      made_nothing_ = true;
      log_.bad("is made, or says why not", "nothing was made for " + shape_text(shape));
    } catch (...) {
      refusal_ = "for " + shape_text(shape) + ": " + text_of(std::current_exception());
    }
    return nullptr;
  }

  const transform_component& what_;
  const parameters& values_;
  std::uint64_t num_samples_;
  check_log& log_;
  std::optional<image_shape> accepted_;
  std::string refusal_;
  bool made_nothing_ = false;
};

} // namespace

void check_transform(const transform_component& what, const parameters& values, const check_options& options,
                     check_log& log) {
  shape_trial trial{what, values, options.num_samples, log};
  trial.try_all(common_shapes);
  if (!trial.accepted())
    trial.try_all(deep_shapes);
  if (!trial.accepted()) {
    if (!trial.made_nothing())
      log.not_checked("is made for some shape", trial.refusal());
    return;
  }
  if (!trial.refusal().empty()) // Of small ones alone it says nothing: some transforms need room.
    log.not_checked("works on large pictures", trial.refusal());
  trial.try_unknown_size(*trial.accepted());
}

} // namespace troupe
