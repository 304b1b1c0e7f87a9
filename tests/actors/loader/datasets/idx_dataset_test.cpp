#include "actors/loader/datasets/idx_dataset.hpp"

#include "tests/actors/loader/datasets/idx_files.hpp"

#include <algorithm>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

/// Four images of 2 x 3 with labels 2, 0, 1, 2.
class tiny_set {
public:
  explicit tiny_set(const std::string& images = idx_images(4, 2, 3),
                    const std::string& labels = idx_labels({2, 0, 1, 2})) {
    write(folder_, "images.gz", images);
    write(folder_, "labels.gz", labels);
    config.root = folder_.path();
    config.images = "images.gz";
    config.labels = "labels.gz";
  }

  [[nodiscard]] std::unique_ptr<dataset> open(const std::vector<std::string>& classes = {}) const {
    auto set = open_idx_dataset(config, classes);
    REQUIRE(set);
    return std::move(*set);
  }

  dataset_config config;

private:
  scratch_folder folder_;
};

void check_refused(const dataset_config& config, ec code, std::initializer_list<const char*> parts,
                   const std::vector<std::string>& classes = {}) {
  auto set = open_idx_dataset(config, classes);
  REQUIRE_FALSE(set);
  const auto& text = set.error().context;
  CAPTURE(text);
  CHECK(set.error().code == code);
  for (const auto* part : parts) {
    CAPTURE(part);
    CHECK(text.find(part) != std::string::npos);
  }
}

} // namespace

TEST_SUITE("actors/loader") {
  TEST_CASE("an idx data set tells its shape and classes") {
    const auto set = tiny_set().open();
    CHECK(set->num_samples() == 4);
    CHECK(set->channels() == 1);
    CHECK(set->height() == 2);
    CHECK(set->width() == 3);
    CHECK(set->num_classes() == 3);
    CHECK(set->class_names().empty());
    CHECK(set->sample_name(3) == "images.gz[3]");
    CHECK(set->encoded_bytes(0) == 6);
    CHECK(set->label(3) == 2);
    CHECK_FALSE(set->reads_files());
    CHECK(set->notices().empty());
    CHECK(tiny_set().open({"a", "b", "c", "d"})->num_classes() == 4);
    CHECK(tiny_set().open({"a", "b", "c", "d"})->class_names()[3] == "d");
  }

  TEST_CASE("an idx sample is the image's bytes and its label") {
    auto sample = tiny_set().open()->read(2);
    REQUIRE(sample);
    CHECK(sample->id == 2);
    CHECK(sample->label == 1);
    CHECK(sample->format == sample_format::raw_u8);
    CHECK(sample->channels == 1);
    CHECK(sample->height == 2);
    CHECK(sample->width == 3);
    REQUIRE(sample->bytes.size() == 6);
    for (unsigned i = 0; i < 6; ++i) // The data set is gone: the sample's owner keeps the bytes.
      CHECK(sample->bytes[i] == static_cast<std::byte>((12 + i) * 7));
  }

  TEST_CASE("idx samples are views of one memory") {
    const auto set = tiny_set().open();
    CHECK(set->read(0)->bytes.data() + 6 == set->read(1)->bytes.data());
  }

  TEST_CASE("an idx data set refuses an id that it does not have") {
    auto sample = tiny_set().open()->read(4);
    REQUIRE_FALSE(sample);
    CHECK(sample.error().context.find("images.gz[4]") != std::string::npos);
    CHECK(sample.error().context.find("below 4") != std::string::npos);
  }

  TEST_CASE("an absolute path ignores the root") {
    tiny_set set;
    set.config.images = set.config.root + "/images.gz";
    set.config.labels = set.config.root + "/labels.gz";
    set.config.root = "/nowhere";
    CHECK(set.open()->num_samples() == 4);
  }

  TEST_CASE("limit keeps the first samples and all classes") {
    tiny_set set;
    set.config.limit = 2;
    CHECK(set.open()->num_samples() == 2);
    CHECK(set.open()->num_classes() == 3);
    CHECK(set.open()->read(1)->bytes[0] == std::byte{42});
    CHECK_FALSE(set.open()->read(2));
    set.config.limit = 100;
    CHECK(set.open()->num_samples() == 4);
  }

  TEST_CASE("limit counts after the checks") {
    tiny_set set(idx_images(4, 2, 3), idx_labels({0, 1, 0, 9}));
    set.config.limit = 2;
    check_refused(set.config, ec::bad_data, {"sample 3"}, {"a", "b"});
  }

  TEST_CASE("the fingerprint is the same for the same data and another for any other") {
    const auto fingerprint = tiny_set().open()->fingerprint();
    CHECK(fingerprint == tiny_set().open()->fingerprint());
    CHECK(fingerprint == tiny_set(gzip(idx_images(4, 2, 3))).open()->fingerprint());
    CHECK(fingerprint.find(' ') == std::string::npos);
    auto other_pixel = idx_images(4, 2, 3);
    other_pixel.back() ^= 1;
    CHECK(fingerprint != tiny_set(other_pixel).open()->fingerprint());
    CHECK(fingerprint != tiny_set(idx_images(4, 2, 3), idx_labels({2, 0, 2, 1})).open()->fingerprint());
    CHECK(fingerprint != tiny_set(idx_images(4, 3, 2)).open()->fingerprint());
    CHECK(fingerprint != tiny_set().open({"a", "b", "c", "d"})->fingerprint());
    tiny_set limited;
    limited.config.limit = 3;
    CHECK(fingerprint != limited.open()->fingerprint());
  }

  TEST_CASE("images and labels of different number are refused") {
    check_refused(tiny_set(idx_images(4, 2, 3), idx_labels({0, 1, 0})).config, ec::mismatch,
                  {"images.gz has 4 images", "labels.gz has 3 labels"});
  }

  TEST_CASE("a label that no class has is refused with sample, label and number of classes") {
    const tiny_set set;
    check_refused(set.config, ec::bad_data, {"labels.gz", "sample 0", "label 2", "below 2"}, {"a", "b"});
    CHECK(open_idx_dataset(set.config, {"a", "b", "c"}));
  }

  TEST_CASE("a config without images or labels is refused") {
    tiny_set set;
    set.config.images.clear();
    check_refused(set.config, ec::bad_config, {"no `images`"});
    set.config.images = "images.gz";
    set.config.labels.clear();
    check_refused(set.config, ec::bad_config, {"no `labels`"});
  }

  TEST_CASE("swapped files and missing files are refused by name") {
    tiny_set set;
    std::swap(set.config.images, set.config.labels);
    check_refused(set.config, ec::bad_data, {"labels.gz", "swapped"});
    std::swap(set.config.images, set.config.labels);
    set.config.labels = "none.gz";
    check_refused(set.config, ec::not_found, {"none.gz"});
  }
}
