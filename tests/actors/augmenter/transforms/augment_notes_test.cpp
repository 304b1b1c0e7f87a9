#include "actors/augmenter/transforms/augment_op.hpp"
#include "actors/augmenter/transforms/auto_augment.hpp"

#include "tests/actors/augmenter/transforms/staged_image.hpp"
#include "tests/actors/augmenter/transforms/transform_golden.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

const cv::Mat colours = pattern_image(3, 40, 48);

constexpr int num_bins = 31;

/// Does to the image what a part of a note says, with the magnitude of whose text it is.
void redo(working_image& image, const std::string& part, const augment_space& space) {
  for (std::uint64_t i = 0; i < num_augment_ops; ++i)
    for (int bin = 0; bin < num_bins; ++bin)
      for (const float sign : {1.0F, -1.0F}) {
        const auto op = static_cast<augment_op>(i);
        const float magnitude = sign * magnitude_of(op, bin, num_bins, space);
        if (text_of(op, magnitude) == part) {
          apply_augment_op(image, op, magnitude, interpolation::nearest, 0);
          return;
        }
      }
  FAIL("no operation has the text ", part);
}

/// Applies the transform many times, each checked to be what its note says; returns how often each operation came.
std::map<std::string, int> check_draws(const transform& step, const augment_space& space) {
  std::map<std::string, int> counts;
  for (std::uint64_t id = 0; id < 300; ++id) {
    std::string note;
    const auto result = transformed(step, colours, id, &note);
    CAPTURE(note);
    staged_image again(colours);
    const std::string separator = ", then ";
    for (std::size_t begin = 0; begin < note.size();) {
      const auto end = std::min(note.find(separator, begin), note.size());
      const auto part = note.substr(begin, end - begin);
      redo(again.image, part, space);
      ++counts[part.substr(0, part.find(' '))];
      begin = end + separator.size();
    }
    CHECK(difference(result, again.image.pixels()).largest == 0);
  }
  return counts;
}

} // namespace

TEST_SUITE("actors/augmenter") {
  TEST_CASE("an operation is told in its own unit") {
    CHECK(text_of(augment_op::identity, 0) == "identity");
    CHECK(text_of(augment_op::shear_x, -0.33F) == "shear_x -0.33");
    CHECK(text_of(augment_op::translate_y, -12.8F) == "translate_y -12 px");
    CHECK(text_of(augment_op::translate_x, -0.5F) == "translate_x 0 px");
    CHECK(text_of(augment_op::rotate, -13.5F) == "rotate -13.5 deg");
    CHECK(text_of(augment_op::rotate, -0.0F) == "rotate 0 deg");
    CHECK(text_of(augment_op::brightness, 0.33F) == "brightness 1.33");
    CHECK(text_of(augment_op::sharpness, -0.99F) == "sharpness 0.01");
    CHECK(text_of(augment_op::posterize, 6) == "posterize to 6 bits");
    CHECK(text_of(augment_op::solarize, 127.5F) == "solarize from 127.5");
    CHECK(text_of(augment_op::equalize, 0) == "equalize");
  }

  TEST_CASE("the note of trivial_augment_wide says which operation made the picture, and how strong it was") {
    auto step = make_trivial_augment_wide({}, {3, 40, 48});
    REQUIRE(step);
    const auto counts =
      check_draws(**step, {.shear = 0.99F, .translate = {32, 32}, .rotate = 135, .colour = 0.99F, .bits = 6});
    CHECK(counts.size() == num_augment_ops);
  }

  TEST_CASE("the note of rand_augment says all operations in their order") {
    auto step = make_rand_augment({.num_ops = 3}, {3, 40, 48});
    REQUIRE(step);
    int num_ops = 0;
    const cv::Point2f farthest(static_cast<float>(150.0 / 331.0 * 48), static_cast<float>(150.0 / 331.0 * 40));
    const augment_space space{.shear = 0.3F, .translate = farthest, .rotate = 30, .colour = 0.9F, .bits = 4};
    for (const auto& [op, count] : check_draws(**step, space))
      num_ops += count;
    CHECK(num_ops == 3 * 300);
  }
}
