#include "actors/augmenter/transforms/affine.hpp"
#include "actors/augmenter/transforms/colour.hpp"
#include "actors/augmenter/transforms/gaussian_blur.hpp"
#include "actors/augmenter/transforms/make_transform.hpp"
#include "actors/augmenter/transforms/note_text.hpp"

#include "tests/actors/augmenter/transforms/staged_image.hpp"
#include "tests/actors/augmenter/transforms/transform_golden.hpp"

#include <cctype>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

constexpr std::uint64_t num_draws = 60;

std::unique_ptr<transform> made(const transform_config& config, const cv::Mat& pixels) {
  auto step = make_transform(config, {pixels.channels(), pixels.rows, pixels.cols});
  REQUIRE(step);
  return std::move(*step);
}

/// All numbers in a text, in order.
std::vector<double> numbers_in(const std::string& text) {
  std::vector<double> out;
  for (const char* at = text.c_str(); *at != '\0';) {
    char* end = nullptr;
    const bool begins = std::isdigit(*at) != 0 || (*at == '-' && std::isdigit(at[1]) != 0);
    if (begins)
      out.push_back(std::strtod(at, &end));
    at = begins ? end : at + 1;
  }
  return out;
}

/// The rectangle of a note that begins with "H x W at (y Y, x X)".
cv::Rect rectangle_in(const std::string& note) {
  const auto n = numbers_in(note);
  REQUIRE(n.size() >= 4);
  return {static_cast<int>(n[3]), static_cast<int>(n[2]), static_cast<int>(n[1]), static_cast<int>(n[0])};
}

/// Calls `check(note, result)` for many draws of the transform; returns the notes.
std::set<std::string> check_draws(const transform_config& config, const cv::Mat& pixels,
                                  const std::function<void(const std::string&, const cv::Mat&)>& check) {
  const auto step = made(config, pixels);
  std::set<std::string> notes;
  for (std::uint64_t id = 0; id < num_draws; ++id) {
    std::string note;
    const auto result = transformed(*step, pixels, id, &note);
    CAPTURE(note);
    check(note, result);
    notes.insert(note);
  }
  return notes;
}

bool equal(const cv::Mat& a, const cv::Mat& b) {
  return difference(a, b).largest == 0;
}

/// Notes have six decimals, the draws have more: a value between two bytes may fall on the other side.
bool nearly_equal(const cv::Mat& a, const cv::Mat& b) {
  return difference(a, b).largest <= 1;
}

cv::Mat padded(const cv::Mat& image, int y, int x, int how) {
  cv::Mat result;
  cv::copyMakeBorder(image, result, y, y, x, x, how);
  return result;
}

cv::Mat warped(const cv::Mat& image, const affine_map& map, cv::Size size) {
  cv::Mat result(size, image.type());
  warp(image, result, map, interpolation::bilinear, 0);
  return result;
}

const cv::Mat colours = pattern_image(3, 20, 24);

} // namespace

TEST_SUITE("actors/augmenter") {
  TEST_CASE("numbers in notes are short and never a negative zero") {
    CHECK(text_of(-12.25) == "-12.25");
    CHECK(text_of(1.0 / 3) == "0.333333");
    CHECK(text_of(-0.0) == "0");
    CHECK(text_of(-1e-7) == "0");
    CHECK(text_of(-1e-6) == "-0.000001");
    CHECK(text_of(0.01F) == "0.01");
    CHECK(text_of(999'999'999.25) == "999999999.25");
    CHECK(text_of(cv::Rect(1, 3, 32, 28)) == "28 x 32 at (y 3, x 1)");
  }

  TEST_CASE("every transform says one short line, and what it makes and draws is the same without") {
    const std::vector<transform_config> all{resize_config{.size = 9},
                                            center_crop_config{.size = 9},
                                            random_crop_config{.size = 9, .padding = 2},
                                            random_resized_crop_config{.size = 9},
                                            random_horizontal_flip_config{},
                                            random_vertical_flip_config{},
                                            random_rotation_config{.degrees = {30}},
                                            random_affine_config{.degrees = {30}, .translate = {0.1, 0.1}},
                                            color_jitter_config{.brightness = {0.4}, .hue = {0.1}},
                                            grayscale_config{},
                                            random_grayscale_config{.p = 0.5},
                                            gaussian_blur_config{.kernel_size = 3},
                                            trivial_augment_wide_config{},
                                            rand_augment_config{},
                                            random_erasing_config{}};
    REQUIRE(all.size() + 2 == std::variant_size_v<transform_config>); // All but normalize and those of plugins.
    for (const auto& config : all) {
      CAPTURE(name_of(config));
      const auto step = made(config, colours);
      check_draws(config, colours, [&, id = std::uint64_t{0}](auto& note, auto& result) mutable {
        CHECK_FALSE(note.empty());
        CHECK(note.size() < 120);
        CHECK(note.find('\n') == std::string::npos);
        CHECK(equal(result, transformed(*step, colours, id++)));
      });
    }
  }

  TEST_CASE("the note of random_crop says where in the padded image the crop comes from") {
    const std::map<std::string, int> modes{
      {"constant", cv::BORDER_CONSTANT}, {"edge", cv::BORDER_REPLICATE}, {"reflect", cv::BORDER_REFLECT_101}};
    for (const auto& [mode, border] : modes) {
      const auto whole = padded(colours, 2, 2, border);
      const auto notes = check_draws(random_crop_config{.size = {20, 24}, .padding = 2, .padding_mode = mode}, colours,
                                     [&](auto& note, auto& result) {
                                       const auto window = rectangle_in(note);
                                       CHECK(note == text_of(window) + ", padded 2");
                                       CHECK(equal(result, whole(window)));
                                     });
      CHECK(notes.size() > 15);
    }
    check_draws(random_crop_config{.size = 8}, colours, [](auto& note, auto& result) {
      CHECK(note == text_of(rectangle_in(note)));
      CHECK(equal(result, colours(rectangle_in(note))));
    });
  }

  TEST_CASE("the note of random_crop counts what pad_if_needed adds") {
    const auto whole = padded(colours, 1 + 4, 1, cv::BORDER_CONSTANT);
    check_draws(random_crop_config{.size = 26, .padding = 1, .pad_if_needed = true}, colours,
                [&](auto& note, auto& result) {
                  CHECK(note == text_of(rectangle_in(note)) + ", padded 5 x 1");
                  CHECK(equal(result, whole(rectangle_in(note))));
                });
  }

  TEST_CASE("the note of random_resized_crop says which box became the picture") {
    const auto notes = check_draws(random_resized_crop_config{.size = {8, 10}}, colours, [](auto& note, auto& result) {
      const auto box = rectangle_in(note);
      CHECK(note == text_of(box) + " of 20 x 24, resized to 8 x 10");
      const cv::Mat part = colours(box).clone();
      CHECK(equal(result, transformed(*made(resize_config{.size = {8, 10}}, part), part)));
    });
    CHECK(notes.size() > num_draws / 2);
  }

  TEST_CASE("the notes of an undecoded image are those of its pixels") {
    for (const transform_config& config :
         {transform_config(random_crop_config{.size = 8, .padding = 2}),
          transform_config(random_resized_crop_config{.size = 8}), transform_config(resize_config{.size = 10}),
          transform_config(center_crop_config{.size = 30})}) {
      const auto step = made(config, colours);
      check_draws(config, colours, [&, id = std::uint64_t{0}](auto& note, auto&) mutable {
        std::string of_file;
        transformed<staged_file>(*step, colours, id++, &of_file);
        CHECK(of_file == note);
      });
    }
  }

  TEST_CASE("the notes of resize and center_crop say the sizes and the place") {
    std::string note;
    transformed(*made(resize_config{.size = 10}, colours), colours, 0, &note);
    CHECK(note == "20 x 24 to 10 x 12");
    transformed(*made(resize_config{.size = {20, 24}}, colours), colours, 0, &note);
    CHECK(note == "20 x 24 already");
    const auto middle = transformed(*made(center_crop_config{.size = 10}, colours), colours, 0, &note);
    CHECK(note == "10 x 10 at (y 5, x 7) of 20 x 24");
    CHECK(equal(middle, colours(cv::Rect(7, 5, 10, 10))));
    transformed(*made(center_crop_config{.size = {26, 24}}, colours), colours, 0, &note);
    CHECK(note == "26 x 24 at (y -3, x 0) of 20 x 24");
  }

  TEST_CASE("the note of a flip says whether the picture is mirrored") {
    const std::map<int, transform_config> flips{{1, random_horizontal_flip_config{}},
                                                {0, random_vertical_flip_config{}}};
    for (const auto& [axis, config] : flips) {
      cv::Mat mirrored;
      cv::flip(colours, mirrored, axis);
      const auto notes = check_draws(config, colours, [&](auto& note, auto& result) {
        CHECK(equal(result, note == "flipped" ? mirrored : colours));
      });
      CHECK(notes == std::set<std::string>{"flipped", "not flipped"});
    }
  }

  TEST_CASE("the note of random_rotation says how far the picture is turned") {
    const random_rotation_config config{.degrees = {40}, .interpolation = "bilinear"};
    check_draws(config, colours, [](auto& note, auto& result) {
      const auto degrees = numbers_in(note).at(0);
      CHECK(note == text_of(degrees) + " deg counter-clockwise");
      CHECK(nearly_equal(result, warped(colours, rotation_map(degrees), colours.size())));
    });
    const random_rotation_config expanding{.degrees = {90, 90}, .interpolation = "bilinear", .expand = true};
    check_draws(expanding, colours,
                [](auto& note, auto&) { CHECK(note == "90 deg counter-clockwise, enlarged to 24 x 20"); });
  }

  TEST_CASE("the note of random_affine says all that makes the map") {
    const random_affine_config config{.degrees = {20},
                                      .translate = {0.2, 0.1},
                                      .scale = {0.8, 1.2},
                                      .shear = {-10, 10, -5, 5},
                                      .interpolation = "bilinear"};
    check_draws(config, colours, [](auto& note, auto& result) {
      const auto n = numbers_in(note);
      REQUIRE(n.size() == 6);
      CHECK(note
            == text_of(n[0]) + " deg clockwise, moved by (y " + text_of(n[1]) + ", x " + text_of(n[2])
                 + ") px, scaled by " + text_of(n[3]) + ", sheared by (y " + text_of(n[4]) + ", x " + text_of(n[5])
                 + ") deg");
      const auto map =
        affine_map_of({.degrees = n[0], .translate = {n[2], n[1]}, .scale = n[3], .shear = {n[5], n[4]}, .center = {}});
      CHECK(nearly_equal(result, warped(colours, map, colours.size())));
    });
  }

  TEST_CASE("the note of color_jitter has the changes in the order in which they are made") {
    const std::map<std::string, void (*)(cv::Mat&, double)> changes{
      {"brightness", adjust_brightness}, {"contrast", adjust_contrast}, {"saturation", adjust_saturation}};
    const color_jitter_config config{.brightness = {0.5}, .contrast = {0.5}, .saturation = {0.5}};
    std::set<std::string> orders;
    check_draws(config, colours, [&](auto& note, auto& result) {
      auto pixels = colours.clone();
      std::istringstream words(note);
      std::string name;
      std::string value;
      std::string order;
      for (int i = 0; i < 3; ++i) {
        words >> name >> value;
        order += name;
        changes.at(name)(pixels, std::stod(value));
      }
      CHECK(difference(result, pixels).largest <= 2); // A step of one value, stretched by the next.
      CHECK(note.substr(note.size() - 9) == ", hue off");
      orders.insert(order);
    });
    CHECK(orders.size() == 6);
  }

  TEST_CASE("the note of color_jitter has the hue in turns, and says what is off") {
    check_draws(color_jitter_config{.hue = {0.25, 0.25}}, colours, [](auto& note, auto& result) {
      CHECK(note == "hue 0.25 turns, brightness off, contrast off, saturation off");
      auto pixels = colours.clone();
      adjust_hue(pixels, 0.25);
      CHECK(equal(result, pixels));
    });
    check_draws(color_jitter_config{}, colours,
                [](auto& note, auto&) { CHECK(note == "brightness off, contrast off, saturation off, hue off"); });
  }

  TEST_CASE("the note of random_grayscale says whether the colours are gone") {
    auto grey = colours.clone();
    to_grayscale(grey);
    const auto notes = check_draws(random_grayscale_config{.p = 0.5}, colours, [&](auto& note, auto& result) {
      CHECK(equal(result, note == "made grey" ? grey : colours));
    });
    CHECK(notes == std::set<std::string>{"made grey", "not made grey"});
    const auto plain = pattern_image(1, 5, 5);
    CHECK(check_draws(random_grayscale_config{.p = 1}, plain, [](auto&, auto&) {})
          == std::set<std::string>{"grey already"});
  }

  TEST_CASE("the note of gaussian_blur says the width and the kernel") {
    check_draws(gaussian_blur_config{.kernel_size = {5, 3}}, colours, [](auto& note, auto& result) {
      const auto sigma = numbers_in(note).at(0);
      CHECK(note == "sigma " + text_of(sigma) + " px, kernel 3 x 5 px");
      cv::Mat blurred(colours.size(), colours.type());
      gaussian_blur(colours, blurred, {5, 3}, sigma);
      CHECK(nearly_equal(result, blurred));
    });
  }

  TEST_CASE("the note of random_erasing has the rectangle that is overwritten") {
    const auto notes = check_draws(random_erasing_config{.value = 255}, colours, [](auto& note, auto& result) {
      auto pixels = colours.clone();
      if (note != "not erased") {
        CHECK(note == "erased " + text_of(rectangle_in(note)));
        pixels(rectangle_in(note)).setTo(cv::Scalar::all(255));
      }
      CHECK(equal(result, pixels));
    });
    CHECK(notes.count("not erased") == 1);
    CHECK(notes.size() > 10);
    check_draws(random_erasing_config{.p = 1, .scale = {1, 1}, .ratio = {1, 1}}, colours,
                [](auto& note, auto&) { CHECK(note == "not erased: no rectangle fits"); });
  }
}
