#include "actors/loader/datasets/cifar_dataset.hpp"

#include "tests/actors/loader/datasets/data_files.hpp"
#include "tests/actors/loader/datasets/idx_files.hpp"

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

using strings = std::vector<std::string>;
using labels = std::vector<std::int64_t>;

/// A record: the label bytes, then red, green and blue planes; byte i of plane p is (i + 50 * p + shift) modulo 256.
std::string record(const std::string& label_bytes, int shift = 0) {
  auto out = label_bytes;
  for (int plane = 0; plane < 3; ++plane)
    for (int i = 0; i < 1024; ++i)
      out += static_cast<char>(i + 50 * plane + shift);
  return out;
}

std::string ten_names() {
  std::string out;
  for (int i = 0; i < 10; ++i)
    out += "name" + std::to_string(i) + "\n";
  return out + "\n";
}

struct cifar {
  scratch_folder folder;
  dataset_config config;

  explicit cifar(const char* kind = "cifar10") {
    config.dataset = kind;
    config.root = folder.path();
  }
  [[nodiscard]] std::unique_ptr<dataset> open(const strings& classes = {}) const {
    return take(open_cifar_dataset(config, classes));
  }
};

const std::string nine(1, '\x09');
const std::string two(1, '\x02');

} // namespace

TEST_SUITE("actors/loader") {
  TEST_CASE("CIFAR-10 is its five training files, planes turned into pixels") {
    cifar set;
    for (int i = 1; i <= 5; ++i)
      add_file(set.folder, "data_batch_" + std::to_string(i) + ".bin", record(nine, i) + record(two, 10 * i));
    const auto data = set.open();
    CHECK(data->num_samples() == 10);
    CHECK(data->channels() == 3);
    CHECK(data->height() == 32);
    CHECK(data->width() == 32);
    CHECK(data->num_classes() == 10);
    CHECK(data->class_names().empty());
    CHECK_FALSE(data->reads_files());
    CHECK(data->sample_name(3) == "data_batch_2.bin[1]");
    const auto sample = take(data->read(3));
    CHECK(sample.label == 2);
    CHECK(sample.format == sample_format::raw_u8);
    REQUIRE(sample.bytes.size() == 3072);
    for (int i : {0, 1, 31, 32, 1023})
      for (int channel = 0; channel < 3; ++channel)
        CHECK(sample.bytes[static_cast<std::size_t>(3 * i + channel)] == static_cast<std::byte>(i + 50 * channel + 20));
  }

  TEST_CASE("CIFAR-100 takes the second, fine label") {
    cifar set("cifar100");
    add_file(set.folder, "train.bin", record("\x05\x63") + record(std::string("\x13\x00", 2)));
    const auto data = set.open();
    CHECK(data->num_classes() == 100);
    CHECK(labels_of(*data) == labels{99, 0});
  }

  TEST_CASE("files that are named replace the training files; they may be gzip") {
    cifar set;
    set.config.files = {"test_batch.bin.gz", "more.bin"};
    add_file(set.folder, "test_batch.bin.gz", gzip(record(two)));
    add_file(set.folder, "more.bin", record(nine));
    CHECK(labels_of(*set.open()) == labels{2, 9});
    CHECK(set.open()->sample_name(1) == "more.bin[0]");
  }

  TEST_CASE("class names come from the file beside, and a table of classes goes by them") {
    cifar set;
    set.config.files = {"test_batch.bin"};
    add_file(set.folder, "test_batch.bin", record(two) + record(nine));
    add_file(set.folder, "batches.meta.txt", ten_names());
    CHECK(set.open()->class_names().at(9) == "name9");
    CHECK(labels_of(*set.open()) == labels{2, 9});
    CHECK(labels_of(*set.open({"name9", "name2", "other"})) == labels{1, 0});
    CHECK(labels_of(*set.open(strings{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"})) == labels{2, 9});
    check_failed(open_cifar_dataset(set.config, {"name2", "b"}), ec::mismatch, {"test_batch.bin[1]", "\"name9\""});
    check_failed(open_cifar_dataset(set.config, {"a", "b", "c"}), ec::bad_data,
                 {"test_batch.bin[1]", "label 9", "3 classes"});
    add_file(set.folder, "batches.meta.txt", "a\nb\n");
    check_failed(open_cifar_dataset(set.config, {}), ec::bad_data, {"batches.meta.txt", "2 names", "expected 10"});
  }

  TEST_CASE("a file that is no multiple of a sample, empty or missing is refused with figures") {
    cifar set;
    set.config.files = {"x.bin"};
    check_failed(open_cifar_dataset(set.config, {}), ec::not_found, {set.folder / "x.bin"});
    add_file(set.folder, "x.bin", record(two) + "tail");
    check_failed(open_cifar_dataset(set.config, {}), ec::bad_data, {"x.bin", "3077 bytes", "multiple of 3073"});
    add_file(set.folder, "x.bin", "");
    check_failed(open_cifar_dataset(set.config, {}), ec::bad_data, {"x.bin", "0 bytes", "multiple of 3073"});
  }

  TEST_CASE("a label above the classes of CIFAR is refused with sample and label") {
    cifar set;
    set.config.files = {"x.bin"};
    add_file(set.folder, "x.bin", record(two) + record("\x0a"));
    check_failed(open_cifar_dataset(set.config, {}), ec::bad_data, {"x.bin", "sample 1", "label 10", "below 10"});
  }

  TEST_CASE("the fingerprint of CIFAR changes with pixels and labels") {
    const auto of = [](const std::string& bytes) {
      cifar set;
      set.config.files = {"x.bin"};
      add_file(set.folder, "x.bin", bytes);
      return set.open()->fingerprint();
    };
    CHECK(of(record(two)) == of(record(two)));
    CHECK(of(record(two)) != of(record(two, 1)));
    CHECK(of(record(two)) != of(record(nine)));
  }
}
