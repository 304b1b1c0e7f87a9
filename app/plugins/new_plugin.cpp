#include "app/plugins/new_plugin.hpp"

#include "actors/augmenter/transforms/make_transform.hpp"
#include "actors/support/figures.hpp"
#include "actors/support/file_io.hpp"
#include "app/plugins/snake_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>

namespace troupe {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t max_template_bytes = 1 << 20;

/// Names that CMake, or a library that comes with Troupe's package, has for targets; the plugin is a target of its name.
constexpr std::array<std::string_view, 12> reserved_names{
  "all",     "clean",          "edit_cache", "help",          "install", "list_install_components",
  "package", "package_source", "preinstall", "rebuild_cache", "test",    "torch"};

bool is_reserved(std::string_view name) {
  return name.starts_with("opencv_")
         || std::find(reserved_names.begin(), reserved_names.end(), name) != reserved_names.end();
}

/// Whether a transform of Troupe's own is called that; the last kind of transform is that of the plugins.
template <std::size_t... I>
bool is_built_in(std::string_view name, std::index_sequence<I...>) {
  return ((name == name_of(transform_config{std::in_place_index<I>})) || ...);
}

expected<void> check_name(const std::string& name) {
  const auto refused = [&](const std::string& why) { return failure{ec::bad_config, "plugins --new: " + why}; };
  if (!is_snake_case(name))
    return refused(fmt::format("\"{}\": {}", printable(name), name_rule));
  if (is_reserved(name))
    return refused(name + ": CMake has a target of that name, or a library may have one; expected another one");
  if (is_built_in(name, std::make_index_sequence<std::variant_size_v<transform_config> - 1>{}))
    return refused(name + ": Troupe has a transform of that name itself; expected another one");
  return {};
}

std::string with_all(std::string text, std::string_view mark, std::string_view value) {
  for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at + value.size()))
    text.replace(at, mark.size(), value);
  return text;
}

/// File names of the template, sorted: "NAME.cpp.in".
expected<std::vector<std::string>> template_files(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator i(folder, error), end; !error && i != end; i.increment(error))
    names.push_back(i->path().filename().string());
  if (names.empty())
    return failure{ec::not_found, folder.string()
                                    + ": is not there or empty; expected the template of new plugins, "
                                      "which comes with Troupe: build or install it again"};
  std::sort(names.begin(), names.end());
  return names;
}

/// Fills the template's file in and puts it into `project`; returns its path.
expected<std::string> write_file(const fs::path& from, const fs::path& project, const std::string& name,
                                 const std::string& troupe_dir) {
  auto text = read_file(from.string(), max_template_bytes);
  if (!text)
    return text.error();
  const auto path = (project / with_all(from.stem().string(), "NAME", name)).string();
  if (auto written = write_new_file(path, with_all(with_all(*text, "@NAME@", name), "@TROUPE_DIR@", troupe_dir));
      !written)
    return written.error();
  return path;
}

expected<std::vector<std::string>> write_files(const std::vector<std::string>& names, const fs::path& project,
                                               const std::string& name, const fs::path& troupe_dir) {
  std::vector<std::string> paths;
  for (const auto& each : names) {
    auto path = write_file(troupe_dir / "template" / each, project, name, troupe_dir.string());
    if (!path)
      return path.error();
    paths.push_back(std::move(*path));
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

} // namespace

expected<std::vector<std::string>> write_new_plugin(const std::string& name, const std::string& folder,
                                                    const std::string& troupe_dir) {
  if (auto fits = check_name(name); !fits)
    return fits.error();
  const auto names = template_files(fs::path(troupe_dir) / "template");
  if (!names)
    return names.error();
  const auto project = fs::path(folder.empty() ? "." : folder) / name;
  std::error_code unknown;
  if (fs::exists(fs::symlink_status(project, unknown)))
    return failure{ec::bad_config, project.string() + ": is there already; expected a name that is free in "
                                     + project.parent_path().string() + " (nothing was written)"};
  if (auto made = make_folders(project.parent_path().string()); !made)
    return made.error();
  if (auto made = make_new_folder(project.string()); !made)
    return made.error();
  auto paths = write_files(*names, project, name, fs::absolute(troupe_dir, unknown));
  if (!paths)
    if (auto removed = remove_path(project.string()); !removed)
      return failure{paths.error().code, paths.error().context + "; " + removed.error().context};
  return paths;
}

expected<std::string> find_troupe_dir(const std::string& program_folder) {
  const auto built = fs::path(program_folder);
  const auto installed = (built / "../lib/cmake/Troupe").lexically_normal();
  std::error_code unknown;
  for (const auto& each : {built, installed})
    if (fs::exists(each / "TroupeConfig.cmake", unknown))
      return each.string();
  return failure{ec::not_found, "there is no TroupeConfig.cmake in " + built.string() + " or " + installed.string()
                                  + "; expected it where Troupe is built or installed: build or install it again"};
}

} // namespace troupe
