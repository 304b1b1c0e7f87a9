#include "app/config/component_specs.hpp"
#include "app/config/option_keys.hpp"
#include "app/config/schema.hpp"
#include "app/config/transform_list.hpp"

#include <string>
#include <vector>

namespace troupe {

namespace {

/// Data sets whose samples are files or lie in files.
std::vector<std::string> of_files() {
  return {"idx", "image_folder", "manifest", "cifar10", "cifar100", "tar"};
}

void add_synthetic_keys(key_adder<run_config, dataset_config>& add) {
  using c = dataset_config;
  add("size", &c::size, whole<std::uint64_t>(1, 4'294'967'295), "How many samples there are.")
    .in("samples")
    .only_with({"synthetic"})
    .known_as({"num_samples", "length"});
  add("shape", &c::shape, list_of(whole<std::int64_t>(1, 256), 3, 3), "Channels (1 or 3), height, width (8 and more).")
    .only_with({"synthetic"});
  add("num_classes", &c::num_classes, whole<std::int64_t>(2, 1000), "How many classes there are.")
    .only_with({"synthetic"});
  add("seed", &c::seed, whole<std::uint64_t>(0), "Another seed gives other samples of the same classes.")
    .only_with({"synthetic"});
}

void add_dataset_keys(key_adder<run_config, dataset_config> add) {
  using c = dataset_config;
  const optioned_kind<c> kind{"dataset", &c::dataset, &c::options, data_source_specs()};
  add_kind(add, kind, {"idx", "synthetic", "image_folder", "manifest", "cifar10", "cifar100", "tar"},
           "Kind of data set; the other keys depend on it.")
    .known_as({"type", "kind", "format"});
  add("limit", &c::limit, whole<std::uint64_t>(0), "Use the first so many samples only; 0: all.")
    .in("samples")
    .known_as({"max_samples", "subset"});
  add("root", &c::root, text("a folder"),
      "Folder of the data; other files are relative to it. image_folder: it has a folder for each class. Empty: the "
      "working folder; manifest: the folder of its file.")
    .only_with(of_files())
    .known_as({"folder", "path", "data_dir"});
  add("images", &c::images, text("a file name"), "IDX3 file of unsigned bytes, plain or gzip.").only_with({"idx"});
  add("labels", &c::labels, text("a file name"), "IDX1 file of unsigned bytes, plain or gzip.").only_with({"idx"});
  add("files", &c::files, list_of(text("a file name"), 0, 100'000),
      "tar: the shards, such as train-{0000..0012}.tar, plain or gzip. cifar10, cifar100: the batch files; empty: "
      "those for training.")
    .only_with({"cifar10", "cifar100", "tar"})
    .known_as({"shards", "urls", "batches"});
  add("file", &c::file, text("a file name"),
      "CSV or TSV with a header row: path, label and perhaps split and weight, in any order.")
    .only_with({"manifest"})
    .known_as({"manifest", "csv", "annotations"});
  add("split", &c::split, text("a word"), "Rows whose column split says this; empty: all rows.")
    .only_with({"manifest"});
  add_synthetic_keys(add);
  add_options(add, kind, "What a plugin's data set takes.");
}

void add_decode_keys(config_schema& to) {
  to.sections.push_back({"data.decode", "How image files become pixels."});
  using c = decode_config;
  key_adder<run_config, c> add{to.keys, "data.decode.", [](const run_config& x) { return &x.data.decode; },
                               [](run_config& x) -> c& { return x.data.decode; }};
  add("channels", &c::channels, whole<std::int64_t>(1, 3), "3: RGB; 1: grey.").known_as({"color_mode"});
  add("bits", &c::bits, whole<std::int64_t>(8, 16), "8, or 16 to keep the depth of 16-bit files.");
  add("apply_orientation", &c::apply_orientation, boolean(), "Turn photos as their EXIF orientation says.")
    .known_as({"exif", "exif_transpose"});
  add("scaled_jpeg", &c::scaled_jpeg, boolean(), "Shrink JPEGs while they are decoded, where they are resized anyway.");
  add("max_pixels", &c::max_pixels, whole<std::uint64_t>(1, 4'000'000'000),
      "An image that claims more is a bad sample.")
    .in("pixels")
    .known_as({"max_image_pixels"});
  add("max_pixels_per_byte", &c::max_pixels_per_byte, whole<std::uint64_t>(1, 1'000'000'000),
      "An image that claims more pixels for each byte of its file is a bad sample.")
    .in("pixels");
  add("formats", &c::formats, component_list("decoder", format_specs()),
      "Parameters of plugins' decoders; one that is not named has its defaults.");
}

void add_cache_keys(config_schema& to) {
  to.sections.push_back({"data.cache", "Whether decoded images are kept for the next epoch."});
  using c = cache_config;
  key_adder<run_config, c> add{to.keys, "data.cache.", [](const run_config& x) { return &x.data.cache; },
                               [](run_config& x) -> c& { return x.data.cache; }};
  add("mode", &c::mode,
      choice<cache_mode>({{"none", cache_mode::none}, {"memory", cache_mode::memory}, {"disk", cache_mode::disk}}),
      "Where they are kept.");
  add("side", &c::side, whole<std::int64_t>(8, 8192), "They are kept with a shorter side of this; never enlarged.")
    .in("pixels")
    .known_as({"shorter_side"});
  add("max_bytes", &c::max_bytes, bytes(1, std::uint64_t{1} << 40), "Images past this bound are decoded every time.")
    .changeable()
    .known_as({"max_size", "capacity"});
  add("dir", &c::dir, text("a folder"), "disk: where; empty: troupe in the user's cache folder.").changeable();
}

void add_shared_keys(config_schema& to) {
  using s = data_section;
  auto add = add_section(to, "data", "What both data sets share.", &run_config::data);
  add("classes", &s::classes, list_of(text("a name"), 0, 100'000),
      "Class names by id; empty: the data set's own, or the ids.")
    .known_as({"class_names", "labels_map"});
  add("split", &s::held_out, number({.low = 0, .high = 0.9}),
      "Share of each class of data.train that is held out, to judge by instead of data.validation; 0: none.")
    .known_as({"val_split", "validation_split", "test_size", "held_out"});
  add("split_seed", &s::split_seed, whole<std::uint64_t>(0), "Another seed holds out other samples.");
}

void add_mix_keys(config_schema& to) {
  using c = batch_mix_config;
  to.sections.push_back(
    {"transforms.batch", "Mixes whole training batches with themselves, each by one of these or none."});
  key_adder<run_config, c> add{to.keys, "transforms.batch.", [](const run_config& x) { return &x.transforms.batch; },
                               [](run_config& x) -> c& { return x.transforms.batch; }};
  const auto share = number({.low = 0, .high = 1});
  const auto alpha = number({.low = 0.01, .high = 100});
  add("mixup_p", &c::mixup_p, share, "Share of batches for MixUp (Zhang et al., 2017).");
  add("mixup_alpha", &c::mixup_alpha, alpha, "A sample's own share is drawn from Beta(alpha, alpha).");
  add("cutmix_p", &c::cutmix_p, share, "Share of batches for CutMix (Yun et al., 2019).");
  add("cutmix_alpha", &c::cutmix_alpha, alpha, "A sample's own share is drawn from Beta(alpha, alpha).");
}

} // namespace

void add_data_keys(config_schema& to) {
  to.sections.push_back({"data.train", "The samples to learn from."});
  add_dataset_keys({to.keys, "data.train.", [](const run_config& x) { return &x.data.train; },
                    [](run_config& x) -> dataset_config& { return x.data.train; }});
  to.sections.push_back({"data.validation", "The samples to judge by. Left out: see data.split."});
  add_dataset_keys({to.keys, "data.validation.",
                    [](const run_config& x) { return x.data.validation ? &*x.data.validation : nullptr; },
                    [](run_config& x) -> dataset_config& {
                      return x.data.validation ? *x.data.validation : x.data.validation.emplace();
                    }});
  add_shared_keys(to);
  add_decode_keys(to);
  add_cache_keys(to);

  auto add = add_section(to, "transforms", "What is done to each sample, in this order.", &run_config::transforms);
  add("train", &transforms_section::train, transform_list(), "For training.");
  add("validation", &transforms_section::validation, transform_list(), "For validation.");
  add("batch_steps", &transforms_section::batch_steps, component_list("batch step", batch_step_specs()),
      "What plugins do to whole training batches, after mixing and in this order.");
  add_mix_keys(to);
}

} // namespace troupe
