#include "app/trace_tools/remake/data_place.hpp"

#include <filesystem>
#include <vector>

namespace troupe {

namespace {

namespace fs = std::filesystem;

/// The path that counts from the working folder; nullptr if there is none.
std::string* outer_path(dataset_config& source) {
  if (source.dataset == "synthetic")
    return nullptr;
  return source.dataset == "manifest" && source.root.empty() ? &source.file : &source.root;
}

bool is_relative(dataset_config source) {
  const auto* path = outer_path(source);
  return path != nullptr && fs::path(*path).is_relative();
}

void put_in(dataset_config& source, const std::string& folder) {
  if (auto* path = outer_path(source))
    *path = (fs::path(folder) / *path).string();
}

} // namespace

std::string config_path_of(const std::string& run_folder) {
  const auto newest = run_folder + "/checkpoints/latest/config.yaml";
  std::error_code ignored;
  return fs::exists(newest, ignored) ? newest : run_folder + "/config.yaml";
}

std::optional<std::string> started_in(const std::string& run_folder, const run_section& run) {
  const fs::path dir = (fs::path(run.dir) / "").lexically_normal().parent_path();
  if (dir.is_absolute() || (!dir.empty() && *dir.begin() == ".."))
    return std::nullopt;
  std::error_code error;
  auto at = fs::canonical(run_folder, error).parent_path();
  if (error)
    return std::nullopt;
  std::vector<fs::path> parts(dir.begin(), dir.end());
  std::erase(parts, ".");
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    if (at.filename() != *part)
      return std::nullopt;
    at = at.parent_path();
  }
  return at.string();
}

bool has_relative_data(const data_section& data) {
  return is_relative(data.train) || (data.validation && is_relative(*data.validation));
}

data_section with_data_in(data_section data, const std::string& folder) {
  put_in(data.train, folder);
  if (data.validation)
    put_in(*data.validation, folder);
  return data;
}

} // namespace troupe
