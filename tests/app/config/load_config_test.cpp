#include "app/config/load_config.hpp"
#include "app/config/write_config.hpp"

#include <filesystem>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace std::chrono_literals;

namespace {

constexpr const char* small = "data:\n  train: {dataset: synthetic}\n";

std::string failure_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  const auto config = parse_config(text, "f.yaml", overrides);
  return config ? "" : config.error().context;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_SUITE("app/config") {

  TEST_CASE("a whole config lands in the members that it names") {
    const auto config = parse_config(R"(
run:         {name: fm, dir: out, seed: 18446744073709551615, device: "cuda:1"}
data:
  train:       {dataset: idx, images: ti.gz, labels: tl.gz, root: /d, limit: 5000}
  validation:  {dataset: idx, images: vi.gz, labels: vl.gz, root: /v}
  classes: [t-shirt, "ankle boot", 7]
transforms:
  train:       [{random_crop: {size: 28, padding: 2}}, {random_horizontal_flip: {p: 0.25}}, {random_erasing: {p: 0.1, scale: [0.1, 0.2], ratio: [0.5, 2], value: 3}}, {normalize: {mean: [0.2860], std: [0.3530]}}]
  validation:  [{normalize: {mean: [0.1], std: [0.2]}}]
pipeline:    {batch_size: 96, augmenters: 5, chunk_size: 12, prefetch_batches: 4, drop_last: true, max_encoded_bytes: 64MiB, stall_timeout: 90s, bad_samples: {policy: fail, max: 11, max_share: 0.02}}
model:       {name: mlp, dropout: 0.125, hidden: 64}
optimizer:   {name: adamw, lr: 0.01, momentum: 0.8, nesterov: false, weight_decay: 5.0e-4, beta1: 0.7, beta2: 0.6, eps: 1e-6}
lr_schedule: {name: step, warmup_steps: 200, min_lr: 0.001, gamma: 0.3, step_epochs: 4}
train:       {epochs: 12, accumulate: 2, clip_norm: 1.5, label_smoothing: 0.1, precision: bf16, channels_last: false, torch_threads: 3, on_nonfinite: skip_step}
validation:  {every: 500, policy: latest, batch_size: 33, device: auto, torch_threads: 2, precision: auto}
checkpoint:  {every: 2ep, keep_last: 6, monitor: loss, mode: min}
log:         {console: plain, csv: false, tensorboard: false, every_steps: 9}
trace:       {mode: full}
)",
                                     "f.yaml");
    REQUIRE_MESSAGE(config, config.error().context);
    const auto& c = *config;
    CHECK(c.run.name == "fm");
    CHECK(c.run.dir == "out");
    CHECK(c.run.seed == 18446744073709551615u);
    CHECK(c.run.device == "cuda:1");
    CHECK(c.data.train.images == "ti.gz");
    CHECK(c.data.train.labels == "tl.gz");
    CHECK(c.data.train.root == "/d");
    CHECK(c.data.train.limit == 5000);
    REQUIRE(c.data.validation);
    CHECK(c.data.validation->images == "vi.gz");
    CHECK(c.data.validation->labels == "vl.gz");
    CHECK(c.data.validation->root == "/v");
    CHECK(c.data.classes == std::vector<std::string>{"t-shirt", "ankle boot", "7"});
    REQUIRE(c.transforms.train.size() == 4);
    CHECK(std::get<random_crop_config>(c.transforms.train[0]).size == 28);
    CHECK(std::get<random_crop_config>(c.transforms.train[0]).padding == 2);
    CHECK(std::get<random_horizontal_flip_config>(c.transforms.train[1]).p == 0.25);
    const auto& erasing = std::get<random_erasing_config>(c.transforms.train[2]);
    CHECK(erasing.p == 0.1);
    CHECK(erasing.scale == std::vector<double>{0.1, 0.2});
    CHECK(erasing.ratio == std::vector<double>{0.5, 2});
    CHECK(erasing.value == 3);
    CHECK(std::get<normalize_config>(c.transforms.train[3]).mean == std::vector<double>{0.286});
    CHECK(std::get<normalize_config>(c.transforms.train[3]).std == std::vector<double>{0.353});
    REQUIRE(c.transforms.validation.size() == 1);
    CHECK(c.pipeline.batch_size == 96);
    CHECK(c.pipeline.augmenters == 5);
    CHECK(c.pipeline.chunk_size == 12);
    CHECK(c.pipeline.prefetch_batches == 4);
    CHECK(c.pipeline.drop_last);
    CHECK(c.pipeline.max_encoded_bytes == 64u << 20);
    CHECK(c.pipeline.stall_timeout == 90s);
    CHECK(c.pipeline.bad_samples == bad_sample_policy::fail);
    CHECK(c.pipeline.max_bad_samples == 11);
    CHECK(c.pipeline.max_bad_share == 0.02);
    CHECK(c.model.name == "mlp");
    CHECK(c.model.dropout == 0.125);
    CHECK(c.model.hidden == 64);
    CHECK(c.optimizer.name == "adamw");
    CHECK(c.optimizer.lr == 0.01);
    CHECK(c.optimizer.momentum == 0.8);
    CHECK_FALSE(c.optimizer.nesterov);
    CHECK(c.optimizer.weight_decay == 5e-4);
    CHECK(c.optimizer.beta1 == 0.7);
    CHECK(c.optimizer.beta2 == 0.6);
    CHECK(c.optimizer.eps == 1e-6);
    CHECK(c.lr_schedule.name == "step");
    CHECK(c.lr_schedule.warmup_steps == 200);
    CHECK(c.lr_schedule.min_lr == 0.001);
    CHECK(c.lr_schedule.gamma == 0.3);
    CHECK(c.lr_schedule.step_epochs == 4);
    CHECK(c.train.epochs == 12);
    CHECK(c.train.accumulate == 2);
    CHECK(c.train.clip_norm == 1.5);
    CHECK(c.train.label_smoothing == 0.1);
    CHECK(c.train.number_format == precision::bf16);
    CHECK_FALSE(c.train.channels_last);
    CHECK(c.train.torch_threads == 3);
    CHECK(c.train.nonfinite == on_nonfinite::skip_step);
    CHECK(c.validation.every.count == 500);
    CHECK_FALSE(c.validation.every.in_epochs);
    CHECK(c.validation.policy == validation_policy::latest);
    CHECK(c.validation.batch_size == 33);
    CHECK(c.validation.device == "auto");
    CHECK(c.validation.torch_threads == 2);
    CHECK(c.validation.number_format == precision::automatic);
    CHECK(c.checkpoint.every.count == 2);
    CHECK(c.checkpoint.every.in_epochs);
    CHECK(c.checkpoint.keep_last == 6);
    CHECK(c.checkpoint.monitor == "loss");
    CHECK(c.checkpoint.mode == monitor_mode::min);
    CHECK(c.log.console == console_mode::plain);
    CHECK_FALSE(c.log.csv);
    CHECK_FALSE(c.log.tensorboard);
    CHECK(c.log.every_steps == 9);
    CHECK(c.trace.mode == trace_mode::full);
    CHECK(c.plugins.empty());
  }

  TEST_CASE("the keys of image files land in the members that they name") {
    const auto config = parse_config(R"(
data:
  train: {dataset: image_folder, root: /photos}
  split: 0.125
  split_seed: 9
  decode: {channels: 1, bits: 16, apply_orientation: false, scaled_jpeg: false, max_pixels: 1000, max_pixels_per_byte: 50}
)",
                                     "f.yaml");
    REQUIRE_MESSAGE(config, config.error().context);
    const auto& data = config->data;
    CHECK(data.train.dataset == "image_folder");
    CHECK(data.train.root == "/photos");
    CHECK(data.held_out == 0.125);
    CHECK(data.split_seed == 9);
    CHECK(data.decode.channels == 1);
    CHECK(data.decode.bits == 16);
    CHECK_FALSE(data.decode.apply_orientation);
    CHECK_FALSE(data.decode.scaled_jpeg);
    CHECK(data.decode.max_pixels == 1000);
    CHECK(data.decode.max_pixels_per_byte == 50);
    const auto cached = parse_config("data: {train: {dataset: image_folder, root: /photos}, "
                                     "cache: {mode: disk, side: 128, max_bytes: 1GiB, dir: /cache}}",
                                     "f");
    REQUIRE_MESSAGE(cached, cached.error().context);
    CHECK(cached->data.cache.mode == cache_mode::disk);
    CHECK(cached->data.cache.side == 128);
    CHECK(cached->data.cache.max_bytes == 1u << 30);
    CHECK(cached->data.cache.dir == "/cache");
    const auto manifest = parse_config("data: {train: {dataset: manifest, root: /d, file: l.csv, split: train}}", "f");
    REQUIRE_MESSAGE(manifest, manifest.error().context);
    CHECK(manifest->data.train.file == "l.csv");
    CHECK(manifest->data.train.split == "train");
    const auto tar = parse_config("data: {train: {dataset: tar, files: [\"s-{00..12}.tar\", t.tar]}}", "f");
    REQUIRE_MESSAGE(tar, tar.error().context);
    CHECK(tar->data.train.files == std::vector<std::string>{"s-{00..12}.tar", "t.tar"});
  }

  TEST_CASE("what is left out has the default of its struct") {
    const auto config = parse_config(small, "f.yaml");
    REQUIRE_MESSAGE(config, config.error().context);
    run_config expected_config;
    expected_config.data.train.dataset = "synthetic";
    CHECK(write_config(*config) == write_config(expected_config));
    CHECK_FALSE(config->data.validation);
  }

  TEST_CASE("a section without keys and one of comments only are left out") {
    const auto config = parse_config(std::string{small} + "pipeline:\nmodel: {}\noptimizer:\n  # lr: 3\n", "f.yaml");
    REQUIRE_MESSAGE(config, config.error().context);
    CHECK(config->pipeline.batch_size == 128);
  }

  TEST_CASE("auto and numbers are told apart") {
    const auto of = [](const std::string& override) { return parse_config(small, "f.yaml", {override}); };
    CHECK(of("pipeline.augmenters=auto")->pipeline.augmenters == 0);
    CHECK(of("pipeline.augmenters=3")->pipeline.augmenters == 3);
    CHECK(of("train.torch_threads=auto")->train.torch_threads == 0);
    CHECK(contains(of("train.torch_threads=0").error().context, "expected auto or a whole number from 1"));
    CHECK(of("validation.every=0")->validation.every.count == 0);
    CHECK(of("pipeline.stall_timeout=2min")->pipeline.stall_timeout == 2min);
    CHECK(of("trace.mode=off")->trace.mode == trace_mode::off);
    CHECK(of("train.precision=auto")->train.number_format == precision::automatic);
  }

  TEST_CASE("a transform's plain name stands for its defaults") {
    const auto config = parse_config(std::string{small}
                                       + "transforms:\n  train:\n    - random_horizontal_flip\n"
                                         "    - random_erasing:\n    - random_crop: {}\n",
                                     "f.yaml");
    REQUIRE_MESSAGE(config, config.error().context);
    REQUIRE(config->transforms.train.size() == 3);
    CHECK(std::get<random_horizontal_flip_config>(config->transforms.train[0]).p == 0.5);
    CHECK(std::get<random_erasing_config>(config->transforms.train[1]).ratio == std::vector<double>{0.3, 3.3});
    CHECK(std::get<random_crop_config>(config->transforms.train[2]).size == 0);
  }

  TEST_CASE("transforms that are not one known name are refused with their place in the list") {
    const auto of = [](const std::string& list) {
      return failure_of(std::string{small} + "transforms: {train: " + list + "}");
    };
    CHECK(contains(of("[random_crp]"), "transforms.train[0]: no transform is called \"random_crp\""));
    CHECK(contains(of("[random_crp]"), "did you mean random_crop?"));
    CHECK(contains(of("[random_crop, {random_crop: {sise: 3}}]"),
                   "transforms.train[1].random_crop.sise: unknown key; did you mean size?"));
    CHECK(contains(of("[{random_crop: {size: 3}, normalize: {}}]"), "found 2 keys, expected one transform"));
    CHECK(contains(of("[{random_crop: 28}]"), "expected a map of parameters"));
    CHECK(contains(of("[[random_crop]]"), "expected one transform"));
    CHECK(contains(of("[null]"), "found nothing, expected one transform"));
    CHECK(contains(of("[{}]"), "found 0 keys"));
    CHECK(contains(of("random_crop"), "write it in brackets"));
  }

  TEST_CASE("keys of another kind of data set are refused with what to do") {
    const auto report = failure_of("data: {train: {dataset: synthetic, images: x}}");
    CHECK(
      contains(report, "f.yaml:1:36: data.train.images: belongs to dataset: idx, but data.train.dataset is synthetic"));
    CHECK(contains(report, "data.train={dataset: ...}"));
    CHECK(contains(failure_of("data: {train: {dataset: synthetic, files: [x]}}"),
                   "data.train.files: belongs to dataset: cifar10, cifar100, tar, but"));
    CHECK(contains(failure_of("data: {train: {images: x, labels: y, size: 5}}"),
                   "data.train.size: belongs to dataset: synthetic"));
    CHECK(contains(failure_of(std::string{small} + "  validation: {shape: [1, 2, 3]}"),
                   "data.validation.shape: belongs to"));
  }

  TEST_CASE("the kind of data set may come after the keys that depend on it") {
    const auto config = parse_config("data: {train: {size: 5, dataset: synthetic}}", "f.yaml");
    REQUIRE_MESSAGE(config, config.error().context);
    CHECK(config->data.train.size == 5);
  }

  TEST_CASE("one wrong kind of data set is one problem, not one per key") {
    CHECK(failure_of("data: {train: {dataset: idxx, images: x, labels: y}}")
          == "f.yaml:1:25: data.train.dataset: found \"idxx\", expected one of idx, synthetic, "
             "image_folder, manifest, cifar10, cifar100, tar; did you mean idx?");
  }

  TEST_CASE("all problems of a file and its overrides are reported together, in order of place") {
    const auto report = failure_of("data:\n  train: {dataset: synthetic}\noptimizer:\n  lr: fast\n  nestrov: true\n"
                                   "train:\n  epochs: 1e3\n  channels_last: yes\n",
                                   {"train.epoch=3", "log.csv=maybe"});
    CHECK(report
          == "f.yaml:4:7: optimizer.lr: found \"fast\", expected a number > 0\n"
             "f.yaml:5:3: optimizer.nestrov: unknown key; did you mean optimizer.nesterov?\n"
             "f.yaml:7:11: train.epochs: found \"1e3\", expected a whole number from 1 to 1000000; write 1000\n"
             "f.yaml:8:18: train.channels_last: found \"yes\", expected true or false; write true\n"
             "override \"train.epoch=3\": train.epoch: unknown key; did you mean train.epochs?\n"
             "override \"log.csv=maybe\": log.csv: found \"maybe\", expected true or false");
  }

  TEST_CASE("more than twenty problems are counted") {
    std::string text = small;
    for (int i = 0; i < 30; ++i)
      text += "zzzzzzzz" + std::to_string(i) + ": 1\n";
    CHECK(contains(failure_of(text), "(10 more errors)"));
  }

  TEST_CASE("rules between keys are reported with the place of the key, and not on top of its own problem") {
    CHECK(failure_of(std::string{small} + "pipeline:\n  batch_size: 8\n  chunk_size: 9\n")
          == "f.yaml:5:3: pipeline.chunk_size: 9 is more than pipeline.batch_size, 8");
    CHECK(failure_of(std::string{small} + "optimizer: {momentum: 0, nesterov: maybe}")
          == "f.yaml:3:36: optimizer.nesterov: found \"maybe\", expected true or false");
    CHECK(contains(failure_of("data:\n  train: {dataset: idx}"), "f.yaml:2:3: data.train.images: is missing"));
    CHECK(contains(failure_of("run: {seed: 2}"), "data.train.labels: is missing"));
  }

  TEST_CASE("a list, a scalar or nothing at the top is refused") {
    CHECK(contains(failure_of("- a\n- b\n"), "f.yaml:1:1: found a list, expected sections"));
    CHECK(contains(failure_of("just text"), "found \"just text\", expected sections"));
    CHECK(contains(failure_of(""), "is empty"));
    CHECK(contains(failure_of("~"), "found nothing, expected sections"));
    CHECK(contains(failure_of("# only\n# comments\n"), "found nothing, expected sections"));
  }

  TEST_CASE("a section that is no map is refused") {
    CHECK(contains(failure_of("optimizer: sgd\n" + std::string{small}),
                   "optimizer: found \"sgd\", expected a map of keys"));
    CHECK(
      contains(failure_of("pipeline: {bad_samples: [skip]}\n" + std::string{small}), "found a list, expected a map"));
  }

  TEST_CASE("a huge value or key is cut in the message") {
    const std::string huge(500'000, 'x');
    CHECK(failure_of(std::string{small} + "run: {name: " + huge + "}").size() < 400);
    CHECK(failure_of(std::string{small} + huge + ": 1").size() < 600);
    CHECK(failure_of(small, {"run.name=" + huge}).size() < 500);
    CHECK(failure_of(small, {huge + "=1"}).size() < 600);
  }

  TEST_CASE("the examples are valid") {
    for (const auto* name : {"fashion-mnist.yaml", "image-folder.yaml", "synthetic.yaml"}) {
      CAPTURE(name);
      const auto config = load_config(std::filesystem::path{TROUPE_SOURCE_DIR} / "app/examples" / name);
      REQUIRE_MESSAGE(config, config.error().context);
      CHECK((config->data.validation || config->data.held_out > 0));
    }
  }

} // TEST_SUITE
