#include "actors/loader/datasets/open_dataset.hpp"
#include "actors/loader/datasets/subset_dataset.hpp"

#include "tests/actors/loader/datasets/data_files.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

using strings = std::vector<std::string>;

/// A manifest with `counts[c]` samples of class c, mixed.
struct counted {
  scratch_folder folder;
  dataset_config config;

  explicit counted(std::vector<int> counts) {
    std::string text = "path,label,weight\n";
    for (bool left = true; std::exchange(left, false);)
      for (std::size_t label = 0; label < counts.size(); ++label)
        if (counts[label] > 0) {
          left = true;
          text += std::to_string(label) + "-" + std::to_string(counts[label]--) + ".jpg," + std::to_string(label) + ","
                  + std::to_string(label + 1) + "\n";
        }
    config.dataset = "manifest";
    config.file = add_file(folder, "list.csv", text);
  }
  [[nodiscard]] std::unique_ptr<dataset> open(data_part part = data_part::whole, double share = 0,
                                              std::uint64_t seed = 1, std::uint64_t limit = 0) const {
    auto x = config;
    x.part = part;
    x.held_out_share = share;
    x.held_out_seed = seed;
    x.limit = limit;
    return take(open_dataset(x, {}));
  }
  [[nodiscard]] strings names(data_part part, double share, std::uint64_t seed = 1, std::uint64_t limit = 0) const {
    return names_of(*open(part, share, seed, limit), folder.path());
  }
};

std::vector<int> count_labels(const dataset& data) {
  std::vector<int> out(data.num_classes());
  for (auto label : labels_of(data))
    ++out[static_cast<std::size_t>(label)];
  return out;
}

} // namespace

TEST_SUITE("actors/loader") {
  TEST_CASE("a limit keeps the first samples and all that is known of them") {
    const counted set({3, 3});
    const auto data = set.open(data_part::whole, 0, 1, 4);
    CHECK(data->num_samples() == 4);
    CHECK(data->num_classes() == 2);
    CHECK(names_of(*data, set.folder.path()) == strings{"0-3.jpg", "1-3.jpg", "0-2.jpg", "1-2.jpg"});
    CHECK(data->weight(1) == 2);
    CHECK(data->reads_files());
    CHECK(data->notices() == set.open()->notices());
    CHECK(data->fingerprint() == set.open()->fingerprint() + ":first=4");
    CHECK(set.open(data_part::whole, 0, 1, 6)->fingerprint() == set.open()->fingerprint());
    check_failed(data->read(4), ec::bad_data, {"below 4"});
  }

  TEST_CASE("a sample of a part has the part's id") {
    const counted set({2, 2});
    for (const char* name : {"0-1.jpg", "0-2.jpg", "1-1.jpg", "1-2.jpg"})
      add_file(set.folder, name, name);
    const auto data = set.open(data_part::held_out, 0.5);
    for (std::uint64_t id = 0; id < data->num_samples(); ++id) {
      const auto sample = take(data->read(id));
      CHECK(sample.id == id);
      CHECK(sample.label == data->label(id));
      CHECK(data->sample_name(id) == set.folder / text_of(sample));
      CHECK(data->encoded_bytes(id) == sample.bytes.size());
    }
  }

  TEST_CASE("kept and held-out samples are the whole, once each, in its order") {
    const counted set({50, 7, 2, 1, 0, 10});
    const auto whole = names_of(*set.open(), set.folder.path());
    const auto kept = set.names(data_part::kept, 0.2);
    const auto held_out = set.names(data_part::held_out, 0.2);
    auto both = kept;
    both.insert(both.end(), held_out.begin(), held_out.end());
    CHECK(std::set<std::string>(both.begin(), both.end()) == std::set<std::string>(whole.begin(), whole.end()));
    CHECK(both.size() == whole.size());
    const auto place = [&](const std::string& x) { return std::find(whole.begin(), whole.end(), x); };
    for (const auto& part : {kept, held_out})
      CHECK(
        std::is_sorted(part.begin(), part.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); }));
  }

  TEST_CASE("of every class the share is held out, at least one of two, never all") {
    const counted set({50, 7, 2, 1, 0, 10});
    CHECK(count_labels(*set.open(data_part::held_out, 0.2)) == std::vector<int>{10, 1, 1, 0, 0, 2});
    CHECK(count_labels(*set.open(data_part::held_out, 0.01)) == std::vector<int>{1, 1, 1, 0, 0, 1});
    CHECK(count_labels(*set.open(data_part::held_out, 0.9)) == std::vector<int>{45, 6, 1, 0, 0, 9});
    CHECK(count_labels(*set.open(data_part::kept, 0.9)) == std::vector<int>{5, 1, 1, 1, 0, 1});
  }

  TEST_CASE("a split is a function of its seed, and the seed matters") {
    const counted set({40, 40});
    CHECK(set.names(data_part::held_out, 0.25, 1) == set.names(data_part::held_out, 0.25, 1));
    CHECK(set.names(data_part::held_out, 0.25, 1) != set.names(data_part::held_out, 0.25, 2));
    // Not the same places in every class.
    std::vector<std::string> places[2];
    for (const auto& name : set.names(data_part::held_out, 0.25))
      places[name[0] - '0'].push_back(name.substr(2));
    CHECK(places[0] != places[1]);
  }

  TEST_CASE("a class is split the same whatever other classes have") {
    const auto of_first = [](const counted& set) {
      auto names = set.names(data_part::held_out, 0.25);
      names.erase(std::remove_if(names.begin(), names.end(), [](const auto& x) { return x[0] != '0'; }), names.end());
      return names;
    };
    CHECK(of_first(counted({40, 40})) == of_first(counted({40, 12, 3})));
  }

  TEST_CASE("a limit counts within the part") {
    const counted set({20, 20});
    auto held_out = set.names(data_part::held_out, 0.5);
    held_out.resize(5);
    CHECK(set.names(data_part::held_out, 0.5, 1, 5) == held_out);
    dataset_config synthetic;
    synthetic.dataset = "synthetic";
    synthetic.size = 100;
    synthetic.part = data_part::kept;
    synthetic.held_out_share = 0.1;
    CHECK(take(open_dataset(synthetic, {}))->num_samples() == 90);
    synthetic.limit = 60;
    CHECK(take(open_dataset(synthetic, {}))->num_samples() == 60);
  }

  TEST_CASE("the fingerprints of parts differ") {
    const counted set({20, 20});
    std::set<std::string> all{set.open()->fingerprint()};
    for (auto part : {data_part::kept, data_part::held_out})
      for (double share : {0.1, 0.2})
        for (std::uint64_t seed : {1, 2})
          for (std::uint64_t limit : {0, 3})
            all.insert(set.open(part, share, seed, limit)->fingerprint());
    CHECK(all.size() == 17);
  }

  TEST_CASE("a split that cannot be is refused") {
    const counted set({1, 1});
    auto config = set.config;
    config.part = data_part::held_out;
    check_failed(open_dataset(config, {}), ec::bad_config, {"share", "is 0"});
    config.held_out_share = 1;
    check_failed(open_dataset(config, {}), ec::bad_config, {"share", "is 1"});
    config.held_out_share = 0.5;
    check_failed(open_dataset(config, {}), ec::bad_data, {"no class has two samples"});
    config.part = data_part::kept;
    CHECK(take(open_dataset(config, {}))->num_samples() == 2);
    config.held_out_share = 0;
    CHECK(take(open_dataset(config, {}))->num_samples() == 2);
  }
}
