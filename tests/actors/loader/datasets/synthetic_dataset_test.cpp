#include "actors/loader/datasets/synthetic_dataset.hpp"

#include <algorithm>
#include <set>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

dataset_config config_of(std::uint64_t size = 200, std::vector<std::int64_t> shape = {1, 28, 28},
                         std::int64_t num_classes = 10, std::uint64_t seed = 1) {
  dataset_config config;
  config.dataset = "synthetic";
  config.size = size;
  config.shape = std::move(shape);
  config.num_classes = num_classes;
  config.seed = seed;
  return config;
}

std::unique_ptr<dataset> open(const dataset_config& config) {
  auto set = open_synthetic_dataset(config, {});
  REQUIRE(set);
  return std::move(*set);
}

std::vector<double> pixels_of(const dataset& set, std::uint64_t id) {
  std::vector<double> result;
  const auto sample = set.read(id);
  REQUIRE(sample);
  for (auto byte : sample->bytes)
    result.push_back(std::to_integer<int>(byte));
  return result;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double result = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    result += (a[i] - b[i]) * (a[i] - b[i]);
  return result;
}

/// Share of the samples of `test` whose nearest neighbour in `train` has their label.
double nearest_neighbour_accuracy(const dataset& train, const dataset& test) {
  std::vector<std::vector<double>> known;
  for (std::uint64_t id = 0; id < train.num_samples(); ++id)
    known.push_back(pixels_of(train, id));
  double num_correct = 0;
  for (std::uint64_t id = 0; id < test.num_samples(); ++id) {
    const auto pixels = pixels_of(test, id);
    const auto nearest = std::min_element(known.begin(), known.end(), [&](const auto& a, const auto& b) {
      return distance(a, pixels) < distance(b, pixels);
    });
    num_correct += train.read(static_cast<std::uint64_t>(nearest - known.begin()))->label == test.read(id)->label;
  }
  return num_correct / static_cast<double>(test.num_samples());
}

void check_refused(const dataset_config& config, const std::string& part, ec code = ec::bad_config,
                   const std::vector<std::string>& classes = {}) {
  auto set = open_synthetic_dataset(config, classes);
  REQUIRE_FALSE(set);
  CAPTURE(set.error().context);
  CHECK(set.error().code == code);
  CHECK(set.error().context.find(part) != std::string::npos);
}

} // namespace

TEST_SUITE("actors/loader") {
  TEST_CASE("a synthetic data set has the shape that was asked for") {
    for (const auto& shape : {std::vector<std::int64_t>{1, 8, 256}, std::vector<std::int64_t>{3, 33, 8}}) {
      const auto set = open(config_of(7, shape, 5));
      CHECK(set->num_samples() == 7);
      CHECK(set->channels() == shape[0]);
      CHECK(set->height() == shape[1]);
      CHECK(set->width() == shape[2]);
      CHECK(set->num_classes() == 5);
      auto sample = set->read(6);
      REQUIRE(sample);
      CHECK(sample->id == 6);
      CHECK(sample->channels == shape[0]);
      CHECK(sample->height == shape[1]);
      CHECK(sample->width == shape[2]);
      CHECK(sample->bytes.size() == static_cast<std::size_t>(shape[0] * shape[1] * shape[2]));
      CHECK(set->encoded_bytes(6) == sample->bytes.size());
    }
  }

  TEST_CASE("a synthetic sample is a function of seed and id") {
    const auto set = open(config_of());
    const auto same = open(config_of(1000));
    const auto other = open(config_of(200, {1, 28, 28}, 10, 2));
    const auto late = pixels_of(*set, 150); // Read out of order: no state.
    CHECK(late == pixels_of(*same, 150));
    CHECK(late != pixels_of(*other, 150));
    CHECK(late != pixels_of(*set, 149));
    CHECK(set->read(150)->label == same->read(150)->label);
  }

  TEST_CASE("synthetic labels are balanced to within one for every number of samples") {
    for (std::int64_t num_classes : {2, 3, 10, 1000}) {
      const auto set = open(config_of(2500, {1, 8, 8}, num_classes));
      std::vector<int> counts(static_cast<std::size_t>(num_classes));
      for (std::uint64_t id = 0; id < 2500; ++id) {
        ++counts.at(static_cast<std::size_t>(set->read(id)->label));
        const auto [low, high] = std::minmax_element(counts.begin(), counts.end());
        REQUIRE(*high - *low <= 1);
      }
    }
  }

  TEST_CASE("synthetic labels do not repeat the same order") {
    const auto set = open(config_of(200));
    std::set<std::vector<std::int64_t>> orders;
    for (std::uint64_t first = 0; first < 200; first += 10) {
      std::vector<std::int64_t> order;
      for (std::uint64_t id = first; id < first + 10; ++id)
        order.push_back(set->read(id)->label);
      orders.insert(order);
    }
    CHECK(orders.size() > 10);
  }

  TEST_CASE("synthetic classes can be learnt and are the same for every seed") {
    const auto train = open(config_of(500, {1, 28, 28}, 10, 1));
    const auto test = open(config_of(200, {1, 28, 28}, 10, 99));
    CHECK(nearest_neighbour_accuracy(*train, *test) > 0.9);
  }

  TEST_CASE("small and coloured synthetic classes can be learnt as well") {
    const auto train = open(config_of(400, {3, 8, 8}, 20, 1));
    const auto test = open(config_of(100, {3, 8, 8}, 20, 99));
    CHECK(nearest_neighbour_accuracy(*train, *test) > 0.9);
  }

  TEST_CASE("limit shortens a synthetic data set") {
    auto config = config_of(200);
    config.limit = 30;
    const auto set = open(config);
    CHECK(set->num_samples() == 30);
    CHECK(pixels_of(*set, 29) == pixels_of(*open(config_of(200)), 29));
    auto sample = set->read(30);
    REQUIRE_FALSE(sample);
    CHECK(sample.error().context.find("synthetic[30]") != std::string::npos);
  }

  TEST_CASE("synthetic fingerprints tell all settings apart") {
    std::set<std::string> prints;
    for (const auto& config :
         {config_of(), config_of(201), config_of(200, {3, 28, 28}), config_of(200, {1, 29, 28}),
          config_of(200, {1, 28, 29}), config_of(200, {1, 28, 28}, 11), config_of(200, {1, 28, 28}, 10, 2)})
      prints.insert(open(config)->fingerprint());
    CHECK(prints.size() == 7);
    CHECK(open(config_of())->fingerprint() == open(config_of())->fingerprint());
  }

  TEST_CASE("synthetic settings out of range are refused by name and value") {
    check_refused(config_of(0), "size is 0");
    check_refused(config_of(std::uint64_t{1} << 32), "size is 4294967296");
    check_refused(config_of(10, {28, 28}), "is 2, expected 3");
    check_refused(config_of(10, {2, 28, 28}), "channels) is 2");
    check_refused(config_of(10, {1, 7, 28}), "height) is 7");
    check_refused(config_of(10, {1, 28, 257}), "width) is 257");
    check_refused(config_of(10, {1, -28, 28}), "height) is -28");
    check_refused(config_of(10, {1, 28, 28}, 1), "num_classes is 1");
    check_refused(config_of(10, {1, 28, 28}, 1001), "num_classes is 1001");
  }

  TEST_CASE("class names must be as many as the synthetic classes") {
    check_refused(config_of(10, {1, 28, 28}, 3), "2 class names", ec::mismatch, {"a", "b"});
    auto set = open_synthetic_dataset(config_of(10, {1, 28, 28}, 2), {"a", "b"});
    REQUIRE(set);
    CHECK((*set)->class_names() == std::vector<std::string>{"a", "b"});
  }
}
