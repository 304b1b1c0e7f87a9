#include "actors/augmenter/transform_pipeline.hpp"
#include "actors/augmenter/transforms/make_transform.hpp"
#include "actors/support/components/component_registry.hpp"
#include "actors/support/components/guarded_block.hpp"
#include "actors/support/imaging/pixel_hash.hpp"

#include "tests/actors/augmenter/transforms/raw_sample.hpp"
#include "tests/actors/augmenter/transforms/staged_image.hpp"
#include "tests/actors/augmenter/transforms/transform_golden.hpp"
#include "tests/support/plugin_failure_log.hpp"

#include <opencv2/imgproc.hpp>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

using work = std::function<void(cv::Mat&, transform_context&)>;

class tested_transform final : public sample_transform {
public:
  tested_transform(const image_shape& output, work what) : output_(output), what_(std::move(what)) {}
  [[nodiscard]] image_shape output_shape() const override { return output_; }
  void apply(cv::Mat& image, transform_context& context) const override { what_(image, context); }

private:
  image_shape output_;
  work what_;
};

/// Offers `what` under that name; the output's shape is the input's, changed by `promise`.
void offer(
  const std::string& name, work what, std::function<void(image_shape&)> promise = [](image_shape&) {}) {
  const auto make = [what, promise](const parameters&, const image_shape& input) {
    auto output = input;
    promise(output);
    return std::make_unique<tested_transform>(output, what);
  };
  component_registry::instance().transforms.push_back({{name, "", {}, "tested"}, make});
}

const cv::Mat colours = pattern_image(3, 20, 24);

std::unique_ptr<transform> made(const std::string& name, const image_shape& input = {3, 20, 24}) {
  auto step = make_transform(plugin_transform_config{name, {}}, input);
  REQUIRE_MESSAGE(step, (step ? "" : step.error().context));
  return std::move(*step);
}

failure failure_of(const transform& step, const cv::Mat& pixels, std::uint64_t id = 0) {
  staged_image staged(pixels);
  staged.image.belongs_to(id, 0);
  sample_rng rng(1, 0, id, 0);
  const auto ok = step.apply(staged.image, rng);
  REQUIRE_FALSE(ok);
  return ok.error();
}

bool contains(const failure& x, const std::string& part) {
  return x.context.find(part) != std::string::npos;
}

encoded_sample sample_of(const cv::Mat& pixels, std::uint64_t id) {
  const auto* first = pixels.data;
  return raw_sample(id, static_cast<std::uint32_t>(pixels.channels()), static_cast<std::uint32_t>(pixels.rows),
                    static_cast<std::uint32_t>(pixels.cols), {first, first + pixels.total() * pixels.elemSize()});
}

} // namespace

TEST_SUITE("actors/augmenter/transforms") {
  TEST_CASE("a plugin's transform changes the pixels in place, and the sample's bytes stay as they are") {
    offer("in_place", [](cv::Mat& image, transform_context&) { cv::bitwise_not(image, image); });
    const auto before = colours.clone();
    CHECK(pixel_hash(transformed(*made("in_place"), colours)) == pixel_hash(~colours));
    CHECK(pixel_hash(colours) == pixel_hash(before));
  }

  TEST_CASE("a plugin's transform may give another image of the shape that it promised") {
    offer(
      "grey_and_small",
      [](cv::Mat& image, transform_context&) {
        cv::Mat grey;
        cv::cvtColor(image, grey, cv::COLOR_RGB2GRAY);
        image = grey(cv::Rect(3, 2, 6, 5));
      },
      [](image_shape& x) {
        x = {1, 5, 6};
      });
    const auto step = made("grey_and_small");
    CHECK(step->output_shape() == image_shape{1, 5, 6});
    cv::Mat grey;
    cv::cvtColor(colours, grey, cv::COLOR_RGB2GRAY);
    CHECK(pixel_hash(transformed(*step, colours)) == pixel_hash(grey(cv::Rect(3, 2, 6, 5))));
  }

  TEST_CASE("a plugin's transform may change the bits, and the numbers fit them") {
    offer(
      "deep", [](cv::Mat& image, transform_context&) { image.convertTo(image, CV_16U, 257); },
      [](image_shape& x) { x.bits = 16; });
    const auto deep = transform_pipeline::make({plugin_transform_config{"deep", {}}}, {3, 20, 24});
    const auto plain = transform_pipeline::make({}, {3, 20, 24});
    REQUIRE((deep && plain));
    std::vector<float> a(3 * 20 * 24), b(a.size());
    REQUIRE(deep->apply(sample_of(colours, 1), 1, 0, {a.data()}));
    REQUIRE(plain->apply(sample_of(colours, 1), 1, 0, {b.data()}));
    for (std::size_t i = 0; i < a.size(); ++i)
      CHECK(a[i] == doctest::Approx(b[i]));
  }

  TEST_CASE("a part of the image that was given is as good as another image") {
    offer(
      "window", [](cv::Mat& image, transform_context&) { image = image(cv::Rect(2, 1, 4, 3)); },
      [](image_shape& x) { x.height = 3, x.width = 4; });
    CHECK(pixel_hash(transformed(*made("window"), colours)) == pixel_hash(colours(cv::Rect(2, 1, 4, 3))));
  }

  TEST_CASE("a plugin's transform behind a crop sees rows without gaps and nothing beyond them") {
    bool good = false;
    offer("looks", [&good](cv::Mat& image, transform_context&) {
      cv::Size whole;
      cv::Point at;
      image.locateROI(whole, at);
      good = image.isContinuous() && whole == cv::Size(10, 10);
    });
    const auto pipeline = transform_pipeline::make(
      {random_horizontal_flip_config{.p = 1}, center_crop_config{.size = 10}, plugin_transform_config{"looks", {}}},
      {3, 20, 24});
    REQUIRE(pipeline);
    std::vector<float> numbers(3 * 10 * 10);
    REQUIRE(pipeline->apply(sample_of(colours, 1), 1, 0, {numbers.data()}));
    CHECK(good);
  }

  TEST_CASE("whatever a plugin's transform throws is the sample's failure, by name, and told") {
    for (const std::string word : {"error", "number", "own"}) {
      plugin_failure_log log;
      offer("throws_" + word, [word](cv::Mat&, transform_context&) { throw_as(word); });
      const auto why = failure_of(*made("throws_" + word), colours, 5);
      CHECK(why.code == ec::plugin_failed);
      CHECK(contains(why, "throws_" + word));
      REQUIRE(log.all().size() == 1);
      CHECK(log.all()[0].sample == 5);
      CHECK(log.all()[0].plugin == "tested");
    }
  }

  TEST_CASE("an image of another shape than promised is refused") {
    plugin_failure_log log;
    offer("empty", [](cv::Mat& image, transform_context&) { image = cv::Mat(); });
    offer("floats", [](cv::Mat& image, transform_context&) { image.convertTo(image, CV_32F); });
    offer("grows", [](cv::Mat& image, transform_context&) { image = cv::Mat::zeros(21, 24, CV_8UC3); });
    offer("loses", [](cv::Mat& image, transform_context&) { image = cv::Mat::zeros(20, 24, CV_8UC1); });
    offer(
      "forgets", [](cv::Mat&, transform_context&) {}, [](image_shape& x) { x.width = 5; });
    for (const char* name : {"empty", "floats", "grows", "loses", "forgets"}) {
      const auto why = failure_of(*made(name), colours);
      CHECK(why.code == ec::plugin_failed);
      CHECK_MESSAGE(contains(why, "expected 3x20x"), why.context);
    }
    CHECK(log.all().size() == 5);
  }

  TEST_CASE("where the size depends on the image, any size will do") {
    offer(
      "halves", [](cv::Mat& image, transform_context&) { image = image.rowRange(0, image.rows / 2); },
      [](image_shape& x) { x.height = x.width = 0; });
    CHECK(transformed(*made("halves", {3, 0, 0}), colours).rows == 10);
  }

  TEST_CASE("a transform that writes beside its image is found out in a checked build") {
    offer("spills", [](cv::Mat& image, transform_context&) {
      if (checked_build)
        image.data[image.total() * image.elemSize()] ^= 1;
    });
#ifndef __SANITIZE_ADDRESS__
    if (checked_build)
      CHECK(contains(failure_of(*made("spills"), colours), "beside the image"));
#endif
  }

  TEST_CASE("a transform that cannot be made, or promises what cannot be, is a bad config") {
    const auto make_error = [](const std::string& name) {
      const auto step = make_transform(plugin_transform_config{name, {}}, {3, 20, 24});
      REQUIRE_FALSE(step);
      CHECK(step.error().code == ec::bad_config);
      return step.error();
    };
    for (const std::string word : {"error", "number", "own"}) {
      component_registry::instance().transforms.push_back(
        {{"unmade_" + word, "", {}, "tested"}, [word](const parameters&, const image_shape&) {
           throw_as(word);
           return std::unique_ptr<sample_transform>();
         }});
      CHECK(contains(make_error("unmade_" + word), "unmade_" + word));
      offer("unsaid_" + word, {}, [word](image_shape&) { throw_as(word); });
      CHECK(contains(make_error("unsaid_" + word), "unsaid_" + word));
    }
    component_registry::instance().transforms.push_back(
      {{"nothing", "", {}, "tested"}, [](const auto&, const auto&) { return std::unique_ptr<sample_transform>(); }});
    CHECK(contains(make_error("nothing"), "made no transform"));
    for (const image_shape& wrong : {image_shape{0, 1, 1}, image_shape{5, 1, 1}, image_shape{3, 0, 1},
                                     image_shape{3, 32768, 1}, image_shape{3, -1, 1}, image_shape{3, 1, 1, 12}}) {
      const auto name = "promises " + to_string(wrong) + "/" + std::to_string(wrong.bits);
      offer(name, {}, [wrong](image_shape& x) { x = wrong; });
      CHECK(contains(make_error(name), "1..4 channels"));
    }
    CHECK(contains(make_error("unheard_of"), "\"unheard_of\""));
    const auto pipeline = transform_pipeline::make({plugin_transform_config{"unheard_of", {}}}, {3, 20, 24});
    REQUIRE_FALSE(pipeline);
    CHECK(contains(pipeline.error(), "transforms[0], unheard_of"));
  }

  TEST_CASE("a disabled transform lets images pass, unless the run needs the shape that it makes") {
    plugin_failure_log log(plugin_policy::disable);
    offer("fails", [](cv::Mat&, transform_context&) { throw_as("error"); });
    offer(
      "shrinks", [](cv::Mat&, transform_context&) { throw_as("error"); }, [](image_shape& x) { x.height = 3; });
    const auto same = made("fails"), other = made("shrinks");
    CHECK(contains(failure_of(*same, colours), "went wrong"));
    CHECK(pixel_hash(transformed(*same, colours)) == pixel_hash(colours));
    CHECK(contains(failure_of(*other, colours), "went wrong"));
    CHECK(contains(failure_of(*other, colours), "is disabled, but the run needs the shape that it makes"));
    REQUIRE(log.all().size() == 2);
    CHECK(log.all()[0].disabled);
  }

  TEST_CASE("a transform is told the sample and the epoch, and what it notes is kept") {
    offer("tells", [](cv::Mat&, transform_context& context) {
      if (context.note != nullptr)
        *context.note = std::to_string(context.sample) + " in\n" + std::to_string(context.epoch);
    });
    const auto pipeline = transform_pipeline::make({plugin_transform_config{"tells", {}}}, {3, 20, 24});
    REQUIRE(pipeline);
    std::vector<float> numbers(3 * 20 * 24);
    std::uint64_t hash = 0;
    std::vector<std::string> notes;
    REQUIRE(pipeline->apply(sample_of(colours, 77), 1, 4, {numbers.data()}, {nullptr, &hash, &notes}));
    CHECK(notes == std::vector<std::string>{"tells: 77 in 4"});
    CHECK(hash == pixel_hash(colours));
  }

  TEST_CASE("one, two and eight threads get the same of seed, epoch and id") {
    offer("noise", [](cv::Mat& image, transform_context& context) {
      for (auto& value : cv::Mat_<cv::Vec3b>(image))
        value[0] = static_cast<unsigned char>(context.rng.below(256));
    });
    const auto pipeline = transform_pipeline::make({plugin_transform_config{"noise", {}}}, {3, 20, 24});
    REQUIRE(pipeline);
    const auto hashes = [&](std::size_t num_threads) {
      std::vector<std::uint64_t> out(64);
      std::vector<std::thread> threads;
      for (std::size_t first = 0; first < num_threads; ++first)
        threads.emplace_back([&, first] {
          std::vector<float> numbers(3 * 20 * 24);
          for (auto id = first; id < out.size(); id += num_threads)
            (void)pipeline->apply(sample_of(colours, id), 1, 2, {numbers.data()}, {nullptr, &out[id], nullptr});
        });
      for (auto& each : threads)
        each.join();
      return out;
    };
    const auto one = hashes(1);
    CHECK(one[0] != one[1]);
    CHECK(hashes(2) == one);
    CHECK(hashes(8) == one);
  }
}
