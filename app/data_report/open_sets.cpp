#include "app/data_report/data_report.hpp"

#include "actors/loader/datasets/open_dataset.hpp"
#include "app/config/data_sources.hpp"
#include "app/make_transforms.hpp"

#include <utility>

namespace troupe {

namespace {

expected<opened_set> open_set(const std::string& name, const std::string& key, const dataset_config& source,
                              const std::vector<std::string>& classes, const data_section& how,
                              const std::vector<transform_config>& transforms) {
  auto data = open_dataset(source, classes);
  if (!data)
    return failure{data.error().code, "data." + key + ": " + to_string(data.error())};
  opened_set out{name, source, std::move(*data), classes, nullptr};
  if (out.class_names.empty())
    out.class_names = out.data->class_names();
  for (auto id = out.class_names.size(); id < out.data->num_classes(); ++id)
    out.class_names.push_back(std::to_string(id));
  const sample_shape shape{out.data->channels(), out.data->height(), out.data->width()};
  auto made = make_transforms(transforms, shape, how, ("transforms." + key).c_str());
  if (!made)
    return made.error();
  out.transforms = std::move(*made);
  return out;
}

} // namespace

expected<opened_set> open_training_set(const run_config& config) {
  return open_set("training", "train", training_source(config.data), config.data.classes, config.data,
                  config.transforms.train);
}

expected<std::optional<opened_set>> open_validation_set(const run_config& config, const opened_set& training) {
  const auto source = validation_source(config.data);
  if (!source)
    return std::optional<opened_set>{};
  auto validation =
    open_set("validation", "validation", *source, training.class_names, config.data, config.transforms.validation);
  if (!validation)
    return validation.error();
  if (const auto judged = validation->data->num_classes(), learnt = training.data->num_classes(); judged > learnt)
    return failure{ec::mismatch, "data.validation has labels of " + std::to_string(judged) + " classes, data.train of "
                                   + std::to_string(learnt)};
  return std::optional<opened_set>(std::move(*validation));
}

expected<std::vector<opened_set>> open_sets(const run_config& config) {
  std::vector<opened_set> out;
  auto training = open_training_set(config);
  if (!training)
    return training.error();
  out.push_back(std::move(*training));
  auto validation = open_validation_set(config, out.front());
  if (!validation)
    return validation.error();
  if (*validation)
    out.push_back(std::move(**validation));
  return out;
}

} // namespace troupe
