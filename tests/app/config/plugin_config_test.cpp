#include "app/config/check_resume.hpp"
#include "app/config/config_reference.hpp"
#include "app/config/load_config.hpp"
#include "app/config/validate.hpp"
#include "app/config/write_config.hpp"
#include "tests/app/config/offered.hpp"

#include <filesystem>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

constexpr const char* small = "data:\n  train: {dataset: synthetic}\n";

run_config config_of(const std::string& text) {
  auto config = parse_config(text, "f.yaml");
  REQUIRE_MESSAGE(config, config.error().context);
  return std::move(*config);
}

/// Returns the report on a small config with `more` after it.
std::string report_of(const std::string& more) {
  const auto config = parse_config(small + more, "f.yaml");
  return config ? "" : config.error().context;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string after_resume(const std::string& before, const std::string& now) {
  const auto notices = check_resume(config_of(small + before), config_of(small + now));
  if (!notices)
    return notices.error().context;
  return notices->empty() ? "" : notices->front();
}

} // namespace

TEST_SUITE("app/config") {

  TEST_CASE("a plugin's transform stands in lists like a built-in one") {
    const offered all;
    const auto config = config_of(std::string{small}
                                  + "transforms: {train: [clahe, {clahe: {clip: 4, gains: []}}, {clahe: null}, "
                                    "{normalize: {mean: [0.5], std: [1]}}]}");
    REQUIRE(config.transforms.train.size() == 4);
    const auto& plain = std::get<plugin_transform_config>(config.transforms.train[0]);
    CHECK(plain.name == "clahe");
    CHECK(plain.values == parameters{offered::clahe_parameters()});
    const auto& set = std::get<plugin_transform_config>(config.transforms.train[1]);
    CHECK(set.values.number("clip") == 4);
    CHECK(set.values.whole("tiles") == 8);
    CHECK(set.values.numbers("gains").empty());
    CHECK(std::get<plugin_transform_config>(config.transforms.train[2]).values == plain.values);
    const auto back = parse_config(write_config(config), "written");
    REQUIRE_MESSAGE(back, back.error().context);
    CHECK(std::get<plugin_transform_config>(back->transforms.train[1]).values == set.values);
  }

  TEST_CASE("hints look among built-in and plugins' transforms") {
    const offered all;
    CHECK(contains(report_of("transforms: {train: [clahee]}"), "did you mean clahe?"));
    CHECK(contains(report_of("transforms: {train: [random_crp]}"), "did you mean random_crop?"));
    CHECK(report_of("transforms:\n  train:\n  - clahe: {clip: 1000}\n")
          == "f.yaml:5:19: transforms.train[0].clahe.clip: found \"1000\", expected a number >= 0.1 and <= 100");
    CHECK(contains(report_of("transforms: {train: [{clahe: {clp: 1}}]}"),
                   "transforms.train[0].clahe.clp: unknown key; did you mean clip?"));
  }

  TEST_CASE("what follows a plugin's transform is not measured against the samples") {
    const offered all;
    const std::string last = "{normalize: {mean: [1, 2, 3], std: [1, 2, 3]}}]}";
    CHECK(contains(report_of("transforms: {train: [" + last), "one for each of the 1 channels"));
    CHECK(report_of("transforms: {train: [clahe, {random_crop: {size: 900}}, " + last) == "");
    CHECK(contains(report_of("transforms: {train: [{normalize: {mean: [1], std: [1]}}, clahe]}"),
                   "normalize is not the last of its list"));
  }

  TEST_CASE("without plugins a component's name is refused with what would bring it") {
    CHECK(report_of("validation: {metrics: [macro_f1]}")
          == "f.yaml:3:24: validation.metrics[0]: found \"macro_f1\", but no plugin offers a metric; expected one that "
             "plugins: [NAME] has loaded");
    CHECK(contains(report_of("  decode: {formats: [x]}"), "no plugin offers a decoder"));
    CHECK(contains(report_of("transforms: {batch_steps: [x]}"), "no plugin offers a batch step"));
    CHECK(contains(report_of("pipeline: {stages: [x]}"), "no plugin offers a stage"));
    CHECK(contains(report_of("log: {sinks: [x]}"), "no plugin offers a log sink"));
  }

  TEST_CASE("lists of components read with their parameters and read back") {
    const offered all;
    const auto config = config_of(std::string{small} + R"(
  decode: {formats: [{qoi: {strict: false}}]}
transforms: {batch_steps: [smear, {smear: {width: 0.1}}]}
validation: {metrics: [{macro_f1: {beta: 0.5}}, ece]}
log: {sinks: [{json_lines: {file: "a, b.jsonl"}}]}
)");
    CHECK_FALSE(config.data.decode.formats.at(0).values.flag("strict"));
    REQUIRE(config.transforms.batch_steps.size() == 2);
    CHECK(config.transforms.batch_steps[0].values.number("width") == 0.5);
    CHECK(config.transforms.batch_steps[1].values.number("width") == 0.1);
    REQUIRE(config.validation.metrics.size() == 2);
    CHECK(config.validation.metrics[0].name == "macro_f1");
    CHECK(config.validation.metrics[0].values.number("beta") == 0.5);
    CHECK(config.validation.metrics[1].name == "ece");
    CHECK(config.log.sinks.at(0).values.text("file") == "a, b.jsonl");
    const auto text = write_config(config);
    const auto back = config_of(text);
    CHECK(write_config(back) == text);
    CHECK(back.validation.metrics == config.validation.metrics);
    CHECK(back.transforms.batch_steps == config.transforms.batch_steps);
  }

  TEST_CASE("components that are known by their name may be named once") {
    const offered all;
    CHECK(report_of("validation:\n  metrics: [ece, macro_f1, ece]\n")
          == "f.yaml:4:28: validation.metrics[2]: ece is there twice, expected once");
    CHECK(contains(report_of("  decode: {formats: [qoi, qoi]}"), "data.decode.formats[1]: qoi is there twice"));
    CHECK(contains(report_of("validation: {metrics: [macro_f]}"), "did you mean macro_f1?"));
    CHECK(
      contains(report_of("validation: {metrics: [{macro_f1: {beta: 11}}]}"), "validation.metrics[0].macro_f1.beta"));
    CHECK(contains(report_of("validation: {metrics: [{ece: {beta: 1}}]}"), "it takes no parameters"));
  }

  TEST_CASE("a data set of a plugin takes options and limit, and none of the other keys") {
    const offered all;
    const auto config = config_of("data:\n  train: {options: {kind: square}, dataset: shapes, limit: 7}\n"
                                  "  validation: {dataset: shapes}\n");
    CHECK(config.data.train.dataset == "shapes");
    CHECK(config.data.train.limit == 7);
    CHECK(config.data.train.options.text("kind") == "square");
    CHECK(config.data.train.options.whole("count") == 100);
    REQUIRE(config.data.validation);
    CHECK(config.data.validation->options == parameters{offered::shapes_parameters()});
    const auto back = config_of(write_config(config));
    CHECK(back.data.train.options == config.data.train.options);
    CHECK(contains(write_config(config), "    options: {count: 100, kind: square}\n"));
    const auto of = [](const std::string& train) {
      const auto result = parse_config("data: {train: " + train + "}", "f.yaml");
      return result ? "" : result.error().context;
    };
    CHECK(contains(of("{dataset: shapes, root: /d}"), "data.train.root: belongs to dataset: idx"));
    CHECK(contains(of("{dataset: shapes, options: {kin: disc}}"),
                   "data.train.options.kin: unknown key; did you mean kind?"));
    CHECK(contains(of("{dataset: shapes, options: [1]}"), "expected a map of parameters"));
    CHECK(contains(of("{dataset: synthetic, options: {kind: disc}}"),
                   "data.train.options: belongs to dataset: shapes, but data.train.dataset is synthetic"));
    CHECK(contains(of("{dataset: shapse}"), "tar, shapes; did you mean shapes?"));
    CHECK(of("{dataset: shapes}") == "");
  }

  TEST_CASE("another data set over a plugin's one leaves no options behind") {
    const offered all;
    const auto config = parse_config("data: {train: {dataset: shapes}}", "f.yaml", {"data.train.dataset=synthetic"});
    REQUIRE(config);
    CHECK(config->data.train.options == parameters{});
    CHECK_FALSE(contains(write_config(*config), "options"));
  }

  TEST_CASE("without a plugin's data set or model options are refused") {
    CHECK(contains(report_of("model: {options: {width: 3}}"),
                   "model.options: belongs to name: one that a plugin brings, but model.name is lenet"));
  }

  TEST_CASE("the samples of a plugin's data set have a shape that the config does not tell") {
    const offered all;
    const auto config = parse_config("data: {train: {dataset: shapes}}\ntransforms: {train: [{grayscale: "
                                     "{num_output_channels: 3}}, {normalize: {mean: [1, 2, 3], std: [1, 2, 3]}}]}",
                                     "f.yaml");
    CHECK_MESSAGE(config, config.error().context);
  }

  TEST_CASE("a model of a plugin takes options") {
    const offered all;
    const auto config = config_of(std::string{small} + "model: {name: tiny_net, options: {width: 16}}");
    CHECK(config.model.name == "tiny_net");
    CHECK(config.model.options.whole("width") == 16);
    CHECK(config_of(std::string{small} + "model: {name: tiny_net}").model.options.whole("width") == 8);
    CHECK(config_of(write_config(config)).model.options == config.model.options);
    CHECK(contains(report_of("model: {options: {width: 3}}"), "model.options: belongs to name: tiny_net"));
  }

  TEST_CASE("a checkpoint may be judged by a plugin's metric that is computed") {
    const offered all;
    CHECK(report_of("validation: {metrics: [ece]}\ncheckpoint: {monitor: ece, mode: min}") == "");
    CHECK(report_of("validation: {metrics: [ece]}\ncheckpoint: {monitor: ece, mode: max}") == "");
    CHECK(report_of("validation: {metrics: [ece]}\ncheckpoint:\n  monitor: macro_f1\n")
          == "f.yaml:5:3: checkpoint.monitor: there is no such figure as macro_f1, expected one of top1, topk, loss, "
             "ece, or macro_f1 in validation.metrics");
    CHECK(contains(report_of("checkpoint: {monitor: macro_f}"), "did you mean macro_f1?"));
    CHECK(contains(report_of("checkpoint: {monitor: loss}"), "would keep the worst loss, expected min"));
  }

  TEST_CASE("what a resumed run may change of plugins") {
    const offered all;
    CHECK(after_resume("validation: {metrics: [ece]}", "log: {sinks: []}")
          == "validation.metrics changed from [ece] to []");
    CHECK(after_resume("", "log: {sinks: [json_lines]}")
          == "log.sinks changed from [] to [{json_lines: {file: log.jsonl}}]");
    CHECK(after_resume("", "pipeline: {on_plugin_failure: fail}")
          == "pipeline.on_plugin_failure changed from skip to fail");
    CHECK(contains(after_resume("", "transforms: {batch_steps: [smear]}"),
                   "\n  transforms.batch_steps: stored [], now [{smear: {width: 0.5}}]"));
    CHECK(contains(after_resume("pipeline: {stages: [blender]}", ""), "\n  pipeline.stages: stored [{blender: "));
    CHECK(contains(after_resume("", "  decode: {formats: [qoi]}"), "\n  data.decode.formats: stored []"));
    CHECK(contains(after_resume("model: {name: tiny_net}", "model: {name: tiny_net, options: {width: 9}}"),
                   "\n  model.options: stored {width: 8}, now {width: 9}"));
    run_config stored;
    auto now = stored;
    now.plugins = {"/elsewhere/vision.so"};
    REQUIRE(check_resume(stored, now));
    CHECK(check_resume(stored, now)->front() == "plugins changed from [] to [/elsewhere/vision.so]");
  }

  TEST_CASE("the schema follows what plugins bring, and earlier ones stay valid") {
    const auto& before = schema();
    const auto num_keys = before.keys.size();
    CHECK(contains(report_of("transforms: {train: [clahe]}"), "no transform is called \"clahe\""));
    {
      const offered all;
      CHECK(&schema() != &before);
      CHECK(&schema() == &schema());
      CHECK(contains(schema().find("data.train.dataset")->spec.expected, "shapes"));
      CHECK(report_of("transforms: {train: [clahe]}") == "");
    }
    CHECK(before.keys.size() == num_keys);
    CHECK_FALSE(contains(before.find("data.train.dataset")->spec.expected, "shapes"));
    CHECK_FALSE(contains(schema().find("data.train.dataset")->spec.expected, "shapes"));
  }

  TEST_CASE("a config made in code with a component that is not there is refused") {
    run_config config;
    config.data.train.dataset = "synthetic";
    config.validation.metrics = {{"ece", {}}};
    const auto result = validate(config);
    REQUIRE_FALSE(result);
    CHECK(contains(result.error().context, "validation.metrics[0]: found \"ece\", but no plugin offers a metric"));
  }

  TEST_CASE("the reference has what plugins offer under its section, with parameters and who brings it") {
    const offered all;
    const auto text = config_reference();
    const auto at = [&text](const std::string& part) {
      CAPTURE(part);
      CHECK(contains(text, part));
      return text.find(part);
    };
    CHECK(at("\n  clahe: Evens out the contrast. For train and validation; of the plugin vision.\n")
          > at("\ntransforms: "));
    CHECK(at("\n    clip: 2\n        Bound on the contrast. In grey levels. Takes a number >= 0.1 and <= 100.\n")
          < at("\ntransforms.batch: "));
    CHECK(at("\n  smear: Smears. For batch_steps; of the plugin vision.\n") < at("\ntransforms.batch: "));
    CHECK(at("\n  shapes: Drawn shapes. For dataset; of the plugin vision.\n") < at("\ndata.validation: "));
    CHECK(at("\n  qoi: QOI files. For formats;") < at("\ndata.cache: "));
    CHECK(at("\n  mosaic: (augmenter) Mixes four. For stages; of the plugin actors.\n")
          < at("\npipeline.bad_samples: "));
    CHECK(at("\n    instances: auto\n") < at("\nmodel: "));
    CHECK(at("\n  tiny_net: Small. For name; of the plugin nets.\n") < at("\noptimizer: "));
    CHECK(at("\n  macro_f1: F1. For metrics; of the plugin figures.\n") < at("\ncheckpoint: "));
    CHECK(at("\n  json_lines: A file. For sinks; of the plugin figures.\n") < at("\ntrace: "));
  }

  TEST_CASE("plugins are loaded before their names are read, and the result has their absolute paths, each once") {
    const auto folder = std::filesystem::path{TROUPE_BINARY_DIR} / "tests/plugins";
    REQUIRE_MESSAGE(std::filesystem::exists(folder / "sound.so"), "build the target sound");
    const offered restores_the_tables;
    const auto path = std::filesystem::canonical(folder / "sound.so").string();
    const std::string text = "data: {train: {dataset: ramp, options: {size: 9}}}\n"
                             "transforms: {train: [halve]}\nplugins: [sound, ./sound.so]\n";
    const auto config = parse_config(text, (folder / "run.yaml").string(), {}, {path});
    REQUIRE_MESSAGE(config, config.error().context);
    CHECK(config->plugins == std::vector<std::string>{path});
    CHECK(config->data.train.options.whole("size") == 9);
    CHECK(std::holds_alternative<plugin_transform_config>(config->transforms.train.at(0)));
    const auto elsewhere = parse_config(write_config(*config), "/elsewhere/config.yaml");
    REQUIRE_MESSAGE(elsewhere, elsewhere.error().context);
    CHECK(write_config(*elsewhere) == write_config(*config));
    const auto by_option = parse_config(small, "f.yaml", {}, {path});
    REQUIRE_MESSAGE(by_option, by_option.error().context);
    CHECK(by_option->plugins == std::vector<std::string>{path});
  }

  TEST_CASE("a plugin that is not there is a problem at its place, and the only one") {
    const auto config = parse_config(std::string{small} + "transforms: {train: [clahe]}\nplugins:\n  - ./no_such.so\n",
                                     "f.yaml", {}, {"/no/such/more.so"});
    REQUIRE_FALSE(config);
    CHECK(config.error().code == ec::bad_config);
    CHECK(config.error().context.rfind("f.yaml:5:5: plugins[0]: there is no file for \"./no_such.so\"", 0) == 0);
    CHECK(contains(config.error().context, "\n--plugin \"/no/such/more.so\": "));
    CHECK_FALSE(contains(config.error().context, "clahe"));
    CHECK(contains(report_of("plugins: ./x.so"), "write it in brackets"));
    CHECK(contains(report_of("plugins: [{a: b}]"), "plugins[0]: found a map, expected a name or file name"));
  }

} // TEST_SUITE
