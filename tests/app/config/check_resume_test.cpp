#include "app/config/check_resume.hpp"
#include "tests/app/config/key_values.hpp"

#include <set>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

/// The keys that a resumed run may change; everything else shapes it.
const std::set<std::string> changeable{"plugins",
                                       "pipeline.on_plugin_failure",
                                       "data.cache.dir",
                                       "data.cache.max_bytes",
                                       "run.name",
                                       "run.dir",
                                       "run.device",
                                       "train.epochs",
                                       "train.torch_threads",
                                       "pipeline.augmenters",
                                       "pipeline.prefetch_batches",
                                       "pipeline.chunk_size",
                                       "pipeline.max_encoded_bytes",
                                       "pipeline.readers",
                                       "pipeline.read_ahead",
                                       "pipeline.stall_timeout",
                                       "pipeline.bad_samples.max",
                                       "pipeline.bad_samples.max_share"};

bool may_change(const std::string& path) {
  const auto section = path.substr(0, path.find('.'));
  return changeable.count(path) > 0 || section == "log" || section == "trace" || section == "checkpoint"
         || section == "validation";
}

} // namespace

TEST_SUITE("app/config") {

  TEST_CASE("the same config resumes without a word") {
    const auto notices = check_resume({}, {});
    REQUIRE(notices);
    CHECK(notices->empty());
  }

  TEST_CASE("every key is either accepted with a notice or refused with both values") {
    const offered all;
    for (const auto& key : schema().keys) {
      CAPTURE(key.path);
      problem_list problems;
      auto stored = read_overrides(set_key(key, key.default_text), problems);
      auto now = read_overrides(set_key(key, other_value(key)), problems);
      REQUIRE(problems.empty());
      const auto before = key.write(stored).value();
      const auto after = key.write(now).value();
      const auto result = check_resume(stored, now);
      if (may_change(key.path)) {
        REQUIRE_MESSAGE(result, result.error().context);
        REQUIRE(result->size() == 1);
        CHECK(result->front().rfind(key.path + " changed from " + before + " to " + after, 0) == 0);
      } else {
        REQUIRE_FALSE(result);
        CHECK(result.error().code == ec::mismatch);
        CHECK(result.error().context.find("\n  " + key.path + ": stored " + before + ", now " + after)
              != std::string::npos);
      }
    }
  }

  TEST_CASE("another number of threads or device is told to end bit-exactness") {
    run_config stored;
    stored.train.torch_threads = 1;
    auto now = stored;
    now.train.torch_threads = 2;
    now.run.device = "cuda:0";
    const auto notices = check_resume(stored, now);
    REQUIRE(notices);
    CHECK(*notices
          == std::vector<std::string>{"run.device changed from auto to cuda:0: the run is no longer bit-exact",
                                      "train.torch_threads changed from 1 to 2: the run is no longer bit-exact"});
  }

  TEST_CASE("all refused keys are listed together") {
    run_config now;
    now.optimizer.lr = 0.1;
    now.model.name = "mlp";
    now.train.epochs = 20;
    now.transforms.train = {random_crop_config{28, 2}};
    const auto result = check_resume({}, now);
    REQUIRE_FALSE(result);
    const auto& text = result.error().context;
    CHECK(text.find("\n  optimizer.lr: stored 0.05, now 0.1") != std::string::npos);
    CHECK(text.find("\n  model.name: stored lenet, now mlp") != std::string::npos);
    CHECK(text.find("\n  transforms.train: stored [], now [{random_crop: {size: 28, padding: 2, pad_if_needed: "
                    "false, fill: 0, padding_mode: constant}}]")
          != std::string::npos);
    CHECK(text.find("train.epochs") == std::string::npos);
  }

  TEST_CASE("a validation set that comes or goes is refused") {
    run_config now;
    now.data.validation.emplace();
    const auto result = check_resume({}, now);
    REQUIRE_FALSE(result);
    CHECK(result.error().context.find("data.validation.dataset: stored (none), now idx") != std::string::npos);
  }

  TEST_CASE("keys of another kind of data set do not count") {
    run_config stored;
    auto now = stored;
    now.data.train.size = 99; // means nothing to an idx data set
    const auto result = check_resume(stored, now);
    REQUIRE(result);
    CHECK(result->empty());
  }

} // TEST_SUITE
