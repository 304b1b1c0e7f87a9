#include "app/plugins/plugin_search.hpp"

#include "actors/support/figures.hpp"
#include "app/plugins/plugin_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>

namespace troupe {

namespace fs = std::filesystem;

namespace {

fs::path program_folder() {
  std::error_code unknown;
  return fs::read_symlink("/proc/self/exe", unknown).parent_path();
}

/// Absolute, without links where that can be said.
fs::path resolved(const fs::path& path) {
  std::error_code failed;
  const auto whole = fs::weakly_canonical(path, failed);
  return failed ? path : whole;
}

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const auto part = text.substr(0, text.find(at));
    if (!part.empty())
      out.emplace_back(part);
    text.remove_prefix(std::min(text.size(), part.size() + 1));
  }
  return out;
}

/// Every place where `wanted` may lie, in order.
std::vector<fs::path> places_of(const std::string& wanted, const std::string& folder) {
  if (wanted.find('/') != std::string::npos)
    return {fs::path(folder) / wanted, wanted};
  const auto names = wanted.ends_with(".so") ? std::vector<std::string>{wanted}
                                             : std::vector<std::string>{wanted + ".so", "lib" + wanted + ".so"};
  std::vector<fs::path> places;
  for (const auto& each : plugin_folders(folder))
    for (const auto& name : names)
      places.push_back(fs::path(each) / name);
  return places;
}

std::vector<fs::path> libraries_in(const std::string& folder) {
  std::vector<fs::path> out;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed))
    if (entry.path().extension() == ".so" && is_file(entry.path()))
      out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

} // namespace

std::vector<std::string> plugin_folders(const std::string& folder) {
  std::vector<fs::path> all{folder.empty() ? "." : folder, "."};
  if (const char* given = std::getenv("TROUPE_PLUGIN_PATH"); given != nullptr)
    for (const auto& each : split(given, ':'))
      all.emplace_back(each);
  const auto own = program_folder();
  all.insert(all.end(), {own, own / "plugins", own / ".." / "lib" / "troupe" / "plugins"});
  std::vector<std::string> out;
  for (const auto& each : all)
    if (auto path = resolved(each).string(); std::find(out.begin(), out.end(), path) == out.end())
      out.push_back(std::move(path));
  return out;
}

expected<std::string> find_plugin(const std::string& wanted, const std::string& folder) {
  if (wanted.empty())
    return failure{ec::not_found, "\"\" names no plugin, expected a path or a name"};
  std::vector<std::string> looked;
  for (const auto& place : places_of(wanted, folder)) {
    auto path = resolved(place);
    if (is_file(path))
      return path.string();
    if (std::find(looked.begin(), looked.end(), path.string()) == looked.end())
      looked.push_back(path.string());
  }
  const bool is_path = wanted.find('/') != std::string::npos;
  return failure{ec::not_found,
                 printable(fmt::format("there is no file for \"{}\", looked for {}{}", wanted, fmt::join(looked, ", "),
                                       is_path ? "" : "; other folders can be named in TROUPE_PLUGIN_PATH"))};
}

std::vector<std::string> plugins_on_path(const std::string& folder) {
  std::vector<std::string> out;
  std::set<std::string> names;
  for (const auto& each : plugin_folders(folder))
    for (const auto& path : libraries_in(each))
      if (read_identity(path.string()) && names.insert(path.filename().string()).second)
        out.push_back(path.string());
  return out;
}

} // namespace troupe
