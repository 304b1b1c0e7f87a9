#include "actors/loader/datasets/image_folder_dataset.hpp"

#include "actors/loader/datasets/file_list_dataset.hpp"
#include "actors/loader/datasets/file_names.hpp"
#include "actors/loader/datasets/fingerprint.hpp"
#include "actors/loader/datasets/sample_file.hpp"

#include <filesystem>
#include <system_error>
#include <utility>

namespace troupe {

namespace {

expected<void> check_root(const dataset_config& config, const std::string& root) {
  if (config.root.empty())
    return failure{ec::bad_config, "loader: data set \"image_folder\" has no `root`, expected the path of a folder"};
  std::error_code error;
  if (std::filesystem::exists(root, error) && !std::filesystem::is_directory(root, error))
    return failure{ec::bad_data, "loader: " + printable_path(root)
                                   + ": is a file, expected a folder that has a folder of images for each class"};
  return {};
}

failure nothing_found(const file_index& index, const std::string& root) {
  std::string found;
  for (const auto& notice : describe(index.passed))
    found += "; " + notice;
  const auto num_classes = index.classes.size();
  if (num_classes == 0)
    return {ec::bad_data, "loader: " + printable_path(root)
                            + ": has no class folders, expected a folder of images for each " + "class, such as "
                            + printable_path(root) + "/cat/1.jpg" + found};
  return {ec::bad_data, "loader: " + printable_path(root) + ": has no images in its " + std::to_string(num_classes)
                          + " class folders, e.g. " + printable_path(index.classes.front().name)
                          + "; expected files such as .jpg or .png" + found};
}

std::vector<std::uint32_t> labels_of(const file_index& index, const class_table& table) {
  std::vector<std::uint32_t> labels;
  labels.reserve(index.files.size());
  for (std::size_t i = 0; i < index.classes.size(); ++i)
    labels.insert(labels.end(), index.classes[i].num_files, table.ids[i]);
  return labels;
}

} // namespace

expected<std::unique_ptr<dataset>> open_image_folder_dataset(const dataset_config& config,
                                                             const std::vector<std::string>& classes,
                                                             const index_cache& cache) {
  const auto root = absolute_path({}, config.root);
  if (auto ok = check_root(config, root); !ok)
    return ok.error();
  auto index = find_class_folders(root, cache);
  if (!index)
    return std::move(index).error();
  if (index->files.empty())
    return nothing_found(*index, root);
  label_list folders;
  for (const auto& [name, num_files] : index->classes)
    folders.add(name, num_files);
  auto table = make_class_table(folders, label_style::names, classes, root, {});
  if (!table)
    return std::move(table).error();
  file_list list;
  list.root = root;
  list.labels = labels_of(*index, *table);
  list.notices = describe(index->passed);
  list.notices.insert(list.notices.end(), table->notices.begin(), table->notices.end());
  list.fingerprint = fingerprint_builder()
                       .add(table->names)
                       .add(list.labels)
                       .add(index->files)
                       .add(index->sizes)
                       .finish("image_folder", index->files.size(), table->num_classes);
  list.classes = std::move(*table);
  list.files = std::move(index->files);
  list.sizes = std::move(index->sizes);
  return make_file_list_dataset(std::move(list));
}

expected<std::unique_ptr<dataset>> open_image_folder_dataset(const dataset_config& config,
                                                             const std::vector<std::string>& classes) {
  return open_image_folder_dataset(config, classes, users_index_cache());
}

} // namespace troupe
