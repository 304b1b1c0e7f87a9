#include "actors/loader/datasets/open_dataset.hpp"
#include "actors/loader/datasets/read_sample.hpp"
#include "actors/support/components/component_registry.hpp"

#include "tests/actors/loader/datasets/data_files.hpp"
#include "tests/support/plugin_failure_log.hpp"

#include <cmath>
#include <string>
#include <thread>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

/// What the source says; the tests change it.
struct script {
  std::uint64_t num_samples = 6;
  image_shape shape{1, 2, 3};
  std::vector<std::string> names{"a", "b"};
  std::int64_t label = -1; ///< Of sample 4; -1: a good one.
  float weight = 1;        ///< Of sample 4.
  std::string fingerprint = "v1";
  std::string throws_at = {}; ///< Name of a function.
  std::string throws = "error";
  std::size_t num_bytes = 6; ///< That `read` gives.
};
script now;

void may_throw(const std::string& where) {
  if (now.throws_at == where)
    throw_as(now.throws);
}

class tested_source final : public data_source {
public:
  [[nodiscard]] std::uint64_t num_samples() const override { return may_throw("num_samples"), now.num_samples; }
  [[nodiscard]] image_shape shape() const override { return may_throw("shape"), now.shape; }
  [[nodiscard]] std::vector<std::string> class_names() const override { return may_throw("class_names"), now.names; }
  [[nodiscard]] std::int64_t label(std::uint64_t id) const override {
    may_throw("label");
    return id == 4 && now.label != -1 ? now.label : static_cast<std::int64_t>(id % 2);
  }
  [[nodiscard]] float weight(std::uint64_t id) const override {
    may_throw("weight");
    return id == 4 ? now.weight : 1;
  }
  [[nodiscard]] std::string sample_name(std::uint64_t id) const override {
    may_throw("sample_name");
    return "s" + std::to_string(id);
  }
  [[nodiscard]] std::string fingerprint() const override { return may_throw("fingerprint"), now.fingerprint; }
  [[nodiscard]] bool reads_files() const override { return may_throw("reads_files"), true; }
  [[nodiscard]] std::vector<std::byte> read(std::uint64_t id) const override {
    may_throw("read");
    return std::vector<std::byte>(now.num_bytes, static_cast<std::byte>(id));
  }
};

class tst_decoder final : public sample_decoder {
public:
  [[nodiscard]] std::vector<std::string> extensions() const override { return {"tst"}; }
  [[nodiscard]] bool recognises(std::span<const std::byte>) const override { return false; }
  [[nodiscard]] image_shape shape(std::span<const std::byte>) const override { return {}; }
  void decode(std::span<const std::byte>, cv::Mat&) const override {}
};

// Before the first question for extensions, which may be that of any test.
const bool registered = [] {
  component_registry::instance().data_sources.push_back(
    {{"tested_source", "", {}, "tested"}, [](const parameters&, const std::vector<std::string>&) {
       may_throw("make");
       return std::make_unique<tested_source>();
     }});
  component_registry::instance().decoders.push_back(
    {{"tst_format", "", {}, "tested"}, [](const parameters&) { return std::make_unique<tst_decoder>(); }});
  return true;
}();

expected<std::unique_ptr<dataset>> opened(const std::vector<std::string>& classes = {}, std::uint64_t limit = 0) {
  dataset_config config;
  config.dataset = "tested_source";
  config.limit = limit;
  return open_dataset(config, classes);
}

} // namespace

TEST_SUITE("actors/loader/datasets") {
  TEST_CASE("a plugin's data set is what the plugin says") {
    now = {};
    now.weight = 2.5f;
    const auto data = take(opened());
    CHECK(data->num_samples() == 6);
    CHECK(data->channels() == 1);
    CHECK(data->height() == 2);
    CHECK(data->width() == 3);
    CHECK(data->num_classes() == 2);
    CHECK(data->class_names() == now.names);
    CHECK(data->fingerprint() == "tested_source:v1");
    CHECK(labels_of(*data) == std::vector<std::int64_t>{0, 1, 0, 1, 0, 1});
    CHECK(data->weight(4) == 2.5f);
    CHECK(data->weight(5) == 1);
    CHECK(data->reads_files());
    CHECK(data->sample_name(3) == "s3");
    CHECK(data->encoded_bytes(3) == 6);
    const auto sample = take(data->read(3));
    CHECK(sample.id == 3);
    CHECK(sample.label == 1);
    CHECK(sample.format == sample_format::raw_u8);
    CHECK(text_of(sample) == std::string(6, '\3'));
    CHECK_FALSE(data->read(6));
  }

  TEST_CASE("a plugin's data set may give image files") {
    now = {};
    now.shape = {0, 0, 0};
    now.num_bytes = 11;
    const auto data = take(opened());
    const auto sample = take(data->read(1));
    CHECK(sample.format == sample_format::image_file);
    CHECK(sample.bytes.size() == 11);
    CHECK(sample.channels == 0);
    CHECK(data->encoded_bytes(1) > 0);
    now.num_bytes = 0;
    check_failed(data->read(1), ec::plugin_failed, {"tested_source", "0 bytes"});
  }

  TEST_CASE("limits and parts work as with other data sets") {
    now = {};
    CHECK(take(opened({}, 4))->num_samples() == 4);
    dataset_config config;
    config.dataset = "tested_source";
    config.part = data_part::held_out;
    config.held_out_share = 0.34;
    const auto part = take(open_dataset(config, {}));
    CHECK(part->num_samples() == 2);
    CHECK(part->fingerprint().starts_with("tested_source:v1:held_out=0.34"));
  }

  TEST_CASE("whatever a plugin throws while its data set is opened is told, by name") {
    for (const char* where :
         {"make", "num_samples", "shape", "class_names", "label", "weight", "fingerprint", "reads_files"})
      for (const char* what : {"error", "number", "own"}) {
        now = {.throws_at = where, .throws = what};
        check_failed(opened(), ec::bad_data, {"loader: ", "tested_source", "plugin tested"});
      }
  }

  TEST_CASE("values that cannot be are refused, with the value and what was expected") {
    const auto refused = [](const script& said, std::initializer_list<std::string_view> parts) {
      now = said;
      check_failed(opened(), ec::bad_data, parts);
    };
    refused({.num_samples = 0}, {"tested_source", "number of samples is 0"});
    refused({.num_samples = std::uint64_t{1} << 32}, {"4294967296"});
    refused({.shape = {5, 2, 3}}, {"5x2x3"});
    refused({.shape = {1, 2, 0}}, {"1x2x0"});
    refused({.shape = {1, 2, 3, 16}}, {"16 bits"});
    refused({.shape = {1, 32768, 3}}, {"32768"});
    refused({.names = {"a"}}, {"class names is 1"});
    refused({.label = 2}, {"label of sample 4 is 2", "0..1"});
    refused({.label = -2}, {"label of sample 4 is -2"});
    refused({.weight = 0}, {"weight of sample 4 is 0"});
    refused({.weight = NAN}, {"weight of sample 4 is nan"});
    refused({.fingerprint = ""}, {"fingerprint is \"\""});
    refused({.fingerprint = "two words"}, {"two words"});
    now = {};
    check_failed(opened({"a", "c"}), ec::bad_data, {"\"b\""});
    CHECK(opened({"a", "b"}));
  }

  TEST_CASE("whatever a plugin throws while it reads is that sample's failure") {
    plugin_failure_log log;
    now = {};
    const auto data = take(opened());
    for (const char* what : {"error", "number", "own"}) {
      now = {.throws_at = "read", .throws = what};
      check_failed(read_sample(*data, 2), ec::plugin_failed, {"tested_source"});
    }
    now = {.num_bytes = 7};
    check_failed(data->read(2), ec::plugin_failed, {"7 bytes", "6 for 1x2x3"});
    now = {};
    CHECK(data->read(2));
    REQUIRE(log.all().size() == 4);
    CHECK(log.all()[3].sample == 2);
  }

  TEST_CASE("a name that the plugin does not give is made of the data set's") {
    plugin_failure_log log;
    now = {};
    const auto data = take(opened());
    for (const char* what : {"error", "number", "own"}) {
      now = {.throws_at = "sample_name", .throws = what};
      CHECK(data->sample_name(3) == "tested_source[3]");
    }
  }

  TEST_CASE("a disabled data set reads nothing more") {
    plugin_failure_log log(plugin_policy::disable);
    now = {};
    const auto data = take(opened());
    now.throws_at = "read";
    CHECK_FALSE(data->read(2));
    now = {};
    check_failed(data->read(2), ec::plugin_failed, {"tested_source is disabled"});
    CHECK(log.all().size() == 1);
  }

  TEST_CASE("eight threads read the same") {
    now = {};
    const auto data = take(opened());
    std::vector<int> num_good(8);
    std::vector<std::thread> threads;
    for (auto& count : num_good)
      threads.emplace_back([&count, &data] {
        for (std::uint64_t i = 0; i < 600; ++i) {
          const auto sample = data->read(i % 6);
          count += sample && sample->bytes[5] == static_cast<std::byte>(i % 6) ? 1 : 0;
        }
      });
    for (auto& each : threads)
      each.join();
    CHECK(num_good == std::vector<int>(8, 600));
  }

  TEST_CASE("an unknown data set's message names those of plugins") {
    dataset_config config;
    config.dataset = "unheard_of";
    check_failed(open_dataset(config, {}), ec::bad_config, {"tar, tested_source"});
  }

  TEST_CASE("a folder is searched for the files that plugins decode") {
    scratch_folder folder;
    add_file(folder, "data/cat/1.tst");
    add_file(folder, "data/cat/2.TST");
    add_file(folder, "data/dog/3.png");
    add_file(folder, "data/dog/4.txt");
    dataset_config config;
    config.dataset = "image_folder";
    config.root = folder / "data";
    const auto data = take(open_dataset(config, {}));
    CHECK(names_of(*data, folder / "data") == std::vector<std::string>{"cat/1.tst", "cat/2.TST", "dog/3.png"});
  }
}
