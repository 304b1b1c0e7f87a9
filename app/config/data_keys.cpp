#include "app/config/schema.hpp"
#include "app/config/transform_list.hpp"

namespace troupe {

namespace {

void add_dataset_keys(key_adder<run_config, dataset_config> add) {
  using c = dataset_config;
  add("dataset", &c::dataset, one_of({"idx", "synthetic"}), "Kind of data set; the other keys depend on it.")
    .known_as({"type", "kind", "format"});
  add("limit", &c::limit, whole<std::uint64_t>(0), "Use the first so many samples only; 0: all.")
    .in("samples")
    .known_as({"max_samples", "subset"});
  add("root", &c::root, text("a folder"), "Folder that images and labels are relative to; empty: the working folder.")
    .only_with("idx")
    .known_as({"folder", "path"});
  add("images", &c::images, text("a file name"), "IDX3 file of unsigned bytes, plain or gzip.").only_with("idx");
  add("labels", &c::labels, text("a file name"), "IDX1 file of unsigned bytes, plain or gzip.").only_with("idx");
  add("size", &c::size, whole<std::uint64_t>(1, 4'294'967'295), "How many samples there are.")
    .in("samples")
    .only_with("synthetic")
    .known_as({"num_samples", "length"});
  add("shape", &c::shape, list_of(whole<std::int64_t>(1, 256), 3, 3), "Channels (1 or 3), height, width (8 and more).")
    .only_with("synthetic");
  add("num_classes", &c::num_classes, whole<std::int64_t>(2, 1000), "How many classes there are.")
    .only_with("synthetic");
  add("seed", &c::seed, whole<std::uint64_t>(0), "Another seed gives other samples of the same classes.")
    .only_with("synthetic");
}

} // namespace

void add_data_keys(config_schema& to) {
  to.sections.push_back({"data.train", "The samples to learn from."});
  add_dataset_keys({to.keys, "data.train.", [](const run_config& x) { return &x.data.train; },
                    [](run_config& x) -> dataset_config& { return x.data.train; }});
  to.sections.push_back({"data.validation", "The samples to judge by. Left out: nothing is judged."});
  add_dataset_keys({to.keys, "data.validation.",
                    [](const run_config& x) { return x.data.validation ? &*x.data.validation : nullptr; },
                    [](run_config& x) -> dataset_config& {
                      return x.data.validation ? *x.data.validation : x.data.validation.emplace();
                    }});
  add_section(to, "data", "What both data sets share.",
              &run_config::data)("classes", &data_section::classes, list_of(text("a name"), 0, 100'000),
                                 "Class names by id; empty: the data set's own, or the ids.")
    .known_as({"class_names", "labels_map"});

  auto add = add_section(to, "transforms", "What is done to each sample, in this order.", &run_config::transforms);
  add("train", &transforms_section::train, transform_list(), "For training.");
  add("validation", &transforms_section::validation, transform_list(), "For validation.");
}

} // namespace troupe
