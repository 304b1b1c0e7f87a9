#include "app/config/load_config.hpp"
#include "app/config/validate.hpp"

#include <functional>
#include <limits>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

/// A config that breaks no rule.
run_config valid_config() {
  run_config x;
  x.data.train.dataset = "synthetic";
  x.data.validation = x.data.train;
  return x;
}

/// Returns the error after `change`; empty: none.
std::string error_after(const std::function<void(run_config&)>& change) {
  auto x = valid_config();
  change(x);
  const auto result = validate(x);
  return result ? "" : result.error().context;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_SUITE("app/config") {

  TEST_CASE("a valid config passes") {
    CHECK(error_after([](run_config&) {}) == "");
    CHECK(error_after([](run_config& x) { x.data.validation.reset(); }) == "");
  }

  TEST_CASE("values out of their range are found in configs that were made in code") {
    CHECK(contains(error_after([](run_config& x) { x.pipeline.batch_size = 0; }), "pipeline.batch_size: found \"0\""));
    CHECK(contains(error_after([](run_config& x) { x.optimizer.lr = 0; }), "optimizer.lr"));
    CHECK(contains(error_after([](run_config& x) { x.optimizer.lr = std::numeric_limits<double>::quiet_NaN(); }),
                   "optimizer.lr"));
    CHECK(contains(error_after([](run_config& x) { x.train.epochs = 0; }), "train.epochs"));
    CHECK(contains(error_after([](run_config& x) { x.pipeline.prefetch_batches = 65; }), "pipeline.prefetch_batches"));
    CHECK(contains(error_after([](run_config& x) { x.run.device = "cuda"; }), "run.device"));
    CHECK(contains(error_after([](run_config& x) { x.run.device = "cpu # really"; }), "run.device"));
    CHECK(contains(error_after([](run_config& x) { x.validation.device = "cuda:-1"; }), "validation.device"));
    CHECK(contains(error_after([](run_config& x) { x.checkpoint.monitor = "top5"; }), "checkpoint.monitor"));
    CHECK(contains(error_after([](run_config& x) { x.run.name = "../up"; }), "run.name"));
    CHECK(contains(error_after([](run_config& x) {
                     x.data.train.shape = {1, 28};
                   }),
                   "data.train.shape: found 2 values"));
    CHECK(contains(error_after([](run_config& x) { x.train.torch_threads = -1; }), "train.torch_threads"));
    CHECK(contains(error_after([](run_config& x) { x.trace.mode = static_cast<trace_mode>(9); }), "trace.mode"));
  }

  TEST_CASE("an IDX data set needs its two files") {
    const auto report = error_after([](run_config& x) { x.data.train = {}; });
    CHECK(contains(report, "data.train.images: is missing"));
    CHECK(contains(report, "data.train.labels: is missing"));
    CHECK(contains(error_after([](run_config& x) { x.data.validation->dataset = "idx"; }), "data.validation.images"));
  }

  TEST_CASE("every data set needs what it is read from") {
    const auto of = [](const std::string& kind, const std::function<void(dataset_config&)>& change = {}) {
      return error_after([&](run_config& x) {
        x.data.train = {};
        x.data.train.dataset = kind;
        x.data.validation.reset();
        x.transforms = {};
        if (change)
          change(x.data.train);
      });
    };
    CHECK(contains(of("image_folder"), "data.train.root: is missing, expected a folder"));
    CHECK(contains(of("manifest"), "data.train.file: is missing, expected the name of a CSV"));
    CHECK(contains(of("cifar10"), "data.train.root: is missing"));
    CHECK(contains(of("tar"), "data.train.files: is missing, expected the shards"));
    CHECK(of("image_folder", [](dataset_config& x) { x.root = "photos"; }) == "");
    CHECK(of("manifest", [](dataset_config& x) { x.file = "list.csv"; }) == "");
    CHECK(of("cifar100", [](dataset_config& x) { x.root = "cifar"; }) == "");
    CHECK(of("tar", [](dataset_config& x) { x.files = {"s.tar"}; }) == "");
    CHECK(contains(of("tar", [](dataset_config& x) { x.files = {"s.tar", ""}; }), "data.train.files: holds an empty"));
  }

  TEST_CASE("a validation set of CIFAR is not the training files") {
    const auto of = [](std::vector<std::string> files) {
      return error_after([&](run_config& x) {
        x.data.train.dataset = "cifar10";
        x.data.train.root = "cifar";
        x.data.validation = x.data.train;
        x.data.validation->files = files;
        x.transforms = {};
      });
    };
    CHECK(contains(of({}), "data.validation.files: is missing and would be the training files, expected [test_batch"));
    CHECK(of({"test_batch.bin"}) == "");
  }

  TEST_CASE("samples are held out instead of a validation set, not beside it") {
    CHECK(contains(error_after([](run_config& x) { x.data.held_out = 0.1; }), "data.split: 0.1 holds out a part"));
    CHECK(error_after([](run_config& x) {
            x.data.held_out = 0.1;
            x.data.validation.reset();
          })
          == "");
    CHECK(contains(error_after([](run_config& x) { x.data.held_out = 0.95; }), "data.split: found"));
  }

  TEST_CASE("images are decoded to one or three channels of 8 or 16 bits") {
    CHECK(
      contains(error_after([](run_config& x) { x.data.decode.channels = 2; }), "data.decode.channels: 2, expected"));
    CHECK(contains(error_after([](run_config& x) { x.data.decode.bits = 12; }), "data.decode.bits: 12, expected 8 or"));
    const auto channels = [](std::int64_t count, std::size_t num_means) {
      return error_after([&](run_config& x) {
        x.data.train = {};
        x.data.train.dataset = "image_folder";
        x.data.train.root = "photos";
        x.data.validation.reset();
        x.data.decode.channels = count;
        x.transforms = {};
        x.transforms.train = {normalize_config{std::vector<double>(num_means, 0.5), {0.5}}};
      });
    };
    CHECK(channels(3, 3) == "");
    CHECK(contains(channels(1, 3), "one for each of the 1 channels"));
  }

  TEST_CASE("a chunk is not larger than a batch") {
    CHECK(error_after([](run_config& x) { x.pipeline.chunk_size = x.pipeline.batch_size; }) == "");
    CHECK(contains(error_after([](run_config& x) { x.pipeline.chunk_size = x.pipeline.batch_size + 1; }),
                   "pipeline.chunk_size: 129"));
  }

  TEST_CASE("Nesterov's step needs momentum") {
    CHECK(contains(error_after([](run_config& x) { x.optimizer.momentum = 0; }), "optimizer.nesterov: true needs"));
    CHECK(error_after([](run_config& x) {
            x.optimizer.momentum = 0;
            x.optimizer.nesterov = false;
          })
          == "");
    CHECK(error_after([](run_config& x) {
            x.optimizer.name = "adamw";
            x.optimizer.momentum = 0;
          })
          == "");
  }

  TEST_CASE("a schedule does not end above its peak") {
    CHECK(contains(error_after([](run_config& x) { x.lr_schedule.min_lr = 0.06; }), "lr_schedule.min_lr: 0.06"));
    CHECK(error_after([](run_config& x) { x.lr_schedule.min_lr = 0.05; }) == "");
  }

  TEST_CASE("the best checkpoint is not the worst") {
    CHECK(contains(error_after([](run_config& x) { x.checkpoint.monitor = "loss"; }),
                   "checkpoint.mode: would keep the worst loss, expected min"));
    CHECK(contains(error_after([](run_config& x) { x.checkpoint.mode = monitor_mode::min; }),
                   "would keep the worst top1, expected max"));
    CHECK(error_after([](run_config& x) {
            x.checkpoint.monitor = "loss";
            x.checkpoint.mode = monitor_mode::min;
          })
          == "");
  }

  TEST_CASE("an epoch without a batch is refused") {
    const auto limited = [](std::uint64_t limit) {
      return error_after([limit](run_config& x) {
        x.pipeline.drop_last = true;
        x.data.train.limit = limit;
      });
    };
    CHECK(contains(limited(127), "pipeline.drop_last: leaves no batch of 128 samples in an epoch of 127"));
    CHECK(limited(128) == "");
    CHECK(limited(0) == "");
  }

  TEST_CASE("synthetic data sets have shapes that exist and agree with each other") {
    CHECK(contains(error_after([](run_config& x) {
                     x.data.validation->shape = {1, 28, 27};
                   }),
                   "data.validation.shape: differs"));
    CHECK(contains(error_after([](run_config& x) { x.data.validation->num_classes = 11; }),
                   "data.validation.num_classes: 11 differs"));
    for (const auto& shape : std::vector<std::vector<std::int64_t>>{{2, 8, 8}, {1, 7, 8}, {1, 8, 7}})
      CHECK(contains(error_after([&shape](run_config& x) {
                       x.data.validation.reset();
                       x.data.train.shape = shape;
                     }),
                     "data.train.shape: ["));
  }

  TEST_CASE("class names are different and as many as the classes") {
    CHECK(contains(error_after([](run_config& x) {
                     x.data.classes = {"a", "b"};
                   }),
                   "data.classes: 2 names for 10 classes"));
    const auto idx = [](std::vector<std::string> names) {
      return error_after([&names](run_config& x) {
        x.data.train = {};
        x.data.train.images = "i";
        x.data.train.labels = "l";
        x.data.validation.reset();
        x.data.classes = names;
      });
    };
    CHECK(idx({"a", "b"}) == "");
    CHECK(contains(idx({"a", "b", "a"}), "\"a\" is there twice"));
    CHECK(contains(idx({"a", ""}), "holds an empty name"));
  }

  TEST_CASE("transforms fit the samples") {
    const auto with = [](transform_config x) { return error_after([&x](run_config& c) { c.transforms.train = {x}; }); };
    CHECK(with(normalize_config{{0.5}, {0.5}}) == "");
    CHECK(contains(with(normalize_config{}), "transforms.train[0].normalize.mean: has 0 values"));
    CHECK(contains(with(normalize_config{{0.5, 0.5}, {0.5}}),
                   "normalize.mean: has 2 values, expected one, or one for each of the 1 channels"));
    CHECK(contains(with(normalize_config{{0.5}, {0.5, 0.5}}), "normalize.std: has 2 values"));
    CHECK(with(random_crop_config{32, 2}) == "");
    CHECK(contains(with(random_crop_config{33, 2}),
                   "transforms.train[0].random_crop.size: 33 is more than the padded sample's 32"));
    CHECK(contains(with(random_erasing_config{0.5, {0.3, 0.2}, {0.3, 3.3}, 0}), "random_erasing.scale: starts at 0.3"));
    CHECK(contains(with(random_erasing_config{0.5, {0.2, 0.3}, {3, 2}, 0}), "random_erasing.ratio"));
    CHECK(contains(error_after([](run_config& x) {
                     x.transforms.validation = {normalize_config{{0.5}, {0.5}}, random_horizontal_flip_config{}};
                   }),
                   "transforms.validation[0]: normalize is not the last"));
  }

  TEST_CASE("each transform's parameters fit each other") {
    const auto with = [](transform_config x) { return error_after([&x](run_config& c) { c.transforms.train = {x}; }); };
    CHECK(contains(with(resize_config{}), "transforms.train[0].resize.size: is missing"));
    CHECK(contains(with(resize_config{.size = 20, .max_size = 20}), "resize.max_size: 20 is not more than size, 20"));
    CHECK(contains(with(resize_config{.size = {20, 20}, .max_size = 30}), "resize.max_size: 30 has no meaning"));
    CHECK(contains(with(center_crop_config{}), "center_crop.size: is missing"));
    CHECK(contains(with(random_resized_crop_config{}), "random_resized_crop.size: is missing"));
    CHECK(contains(with(random_resized_crop_config{.size = 8, .ratio = {2, 1}}), "ratio: starts at 2 and ends at 1"));
    CHECK(contains(with(random_rotation_config{.degrees = {9, 3}}), "random_rotation.degrees: starts at 9"));
    CHECK(contains(with(random_affine_config{.shear = {1, 2, 4, 3}}), "random_affine.shear: starts at 4"));
    CHECK(contains(with(random_affine_config{.shear = {1, 2, 4}}), "random_affine.shear: has 3 values"));
    CHECK(contains(with(color_jitter_config{.hue = {0.1, 0}}), "color_jitter.hue: starts at 0.1"));
    CHECK(contains(with(grayscale_config{}), "grayscale.num_output_channels: 3, expected the 1 of the samples"));
    CHECK(contains(with(gaussian_blur_config{}), "gaussian_blur.kernel_size: is missing"));
    CHECK(contains(with(gaussian_blur_config{.kernel_size = {3, 4}}), "gaussian_blur.kernel_size: is even"));
    CHECK(contains(with(rand_augment_config{.magnitude = 31}), "rand_augment.magnitude: 31 is not below"));
    CHECK(with(trivial_augment_wide_config{}) == "");
  }

  TEST_CASE("a crop is checked against what the transforms before it leave") {
    const auto with = [](std::vector<transform_config> x) {
      return error_after([&x](run_config& c) { c.transforms.train = x; });
    };
    CHECK(with({resize_config{.size = 40}, random_crop_config{32}}) == "");
    CHECK(contains(with({center_crop_config{20}, random_crop_config{24}}), "random_crop.size: 24 is more than"));
    CHECK(with({random_rotation_config{.expand = true}, random_crop_config{40}}) == "");
  }

  TEST_CASE("what is allowed but odd is told") {
    const auto oddities = [](const std::function<void(run_config&)>& change) {
      auto x = valid_config();
      change(x);
      return find_oddities(x);
    };
    CHECK(oddities([](run_config&) {}).empty());
    CHECK(contains(oddities([](run_config& x) { x.data.validation.reset(); }).at(0), "no checkpoint becomes the best"));
    CHECK(contains(oddities([](run_config& x) { x.validation.every = {}; }).at(0), "validation.every is 0"));
    CHECK(contains(oddities([](run_config& x) { x.pipeline.prefetch_batches = 1; }).at(0), "prefetch_batches is 1"));
    CHECK(contains(oddities([](run_config& x) { x.pipeline.prefetch_batches = 5; }).at(0), "prefetch_batches is 5"));
    // 4096 samples: 32 steps in each of the 10 epochs.
    CHECK(oddities([](run_config& x) { x.lr_schedule.warmup_steps = 319; }).empty());
    CHECK(contains(oddities([](run_config& x) { x.lr_schedule.warmup_steps = 320; }).at(0), "in a run of 320 steps"));
  }

} // TEST_SUITE
