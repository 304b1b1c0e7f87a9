#include "app/plugins/check_parts.hpp"
#include "app/plugins/check_pictures.hpp"
#include "app/plugins/check_support.hpp"

#include <array>
#include <span>

namespace troupe {

namespace {

/// Channels, height and width as a camera and a benchmark have them; the deeper ones only where the others are refused.
constexpr std::array<image_shape, 2> common_shapes{{{1, 28, 28, 8}, {3, 64, 48, 8}}};
constexpr std::array<image_shape, 2> deep_shapes{{{1, 28, 28, 16}, {3, 64, 48, 16}}};

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

void try_shape(const sample_transform& transform, const image_shape& input, std::uint64_t num_samples, check_log& log) {
  const auto prefix = to_string(input) + (input.bits == 16 ? " of 16 bits: " : ": ");
  const auto declared = transform.output_shape();
  if (!is_sensible(declared)) {
    log.bad(prefix + "shape and type as declared",
            fmt::format("it declares {}, expected 1..4 channels of 8 or 16 bits, sides of 1..{} or both 0",
                        shape_text(declared), max_image_side));
    return;
  }
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

/// Returns whether one of the shapes was accepted; else `why` says why not.
bool try_shapes(const transform_component& what, const parameters& values, std::span<const image_shape> shapes,
                std::uint64_t num_samples, check_log& log, std::string& why) {
  bool accepted = false;
  for (const auto& shape : shapes) {
    std::unique_ptr<sample_transform> made;
    try {
      made = what.make(values, shape);
      why = made ? why : "nothing was made for " + shape_text(shape);
    } catch (...) {
      why = "for " + shape_text(shape) + ": " + text_of(std::current_exception());
    }
    if (made)
      try_shape(*made, shape, num_samples, log);
    accepted = accepted || made;
  }
  return accepted;
}

} // namespace

void check_transform(const transform_component& what, const parameters& values, const check_options& options,
                     check_log& log) {
  std::string why;
  if (try_shapes(what, values, common_shapes, options.num_samples, log, why)
      || try_shapes(what, values, deep_shapes, options.num_samples, log, why)) {
    if (!why.empty())
      log.not_checked("works on every shape that was tried", why);
    return;
  }
  log.bad("is made for some shape", why);
}

} // namespace troupe
