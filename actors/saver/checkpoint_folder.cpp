#include "actors/saver/checkpoint_folder.hpp"

#include "actors/saver/checkpoint_manifest.hpp"
#include "actors/saver/checkpoint_name.hpp"
#include "actors/support/file_io.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <tuple>

#include <unistd.h>

namespace troupe {

namespace {

namespace fs = std::filesystem;

bool is_unfinished(std::string_view name) noexcept {
  return name.starts_with(temporary_prefix) || name.starts_with(deleted_prefix);
}

// Names of everything in the folder, in no order.
expected<std::vector<std::string>> names_in(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> result;
  fs::directory_iterator it{folder, error};
  for (; !error && it != fs::directory_iterator{}; it.increment(error))
    result.push_back(it->path().filename().string());
  if (error == std::errc::no_such_file_or_directory)
    return std::vector<std::string>{};
  if (error)
    return failure{ec::io_error, "cannot list " + folder + ": " + error.message()};
  return result;
}

// The version in the name of a checkpoint, finished or not; 0 for any other name.
std::uint64_t version_in(std::string_view name) {
  if (name.starts_with(temporary_prefix))
    name = name.substr(temporary_prefix.size(), name.rfind('-') - temporary_prefix.size()); // "...-<pid>"
  else if (name.starts_with(deleted_prefix))
    name.remove_prefix(deleted_prefix.size());
  auto number = parse_checkpoint_name(name);
  return number ? number->version : 0;
}

} // namespace

checkpoint_entry read_checkpoint_entry(const std::string& path) {
  checkpoint_entry result;
  result.path = path;
  result.name = fs::path{path}.filename().string();
  auto number = parse_checkpoint_name(result.name);
  if (number) {
    result.tag.step = number->step;
    result.tag.version = number->version;
  }
  auto text = read_file(path + "/" + manifest_file, max_manifest_bytes);
  if (!text) {
    result.damage = text.error().context;
    return result;
  }
  auto manifest = parse_manifest(*text);
  if (!manifest) {
    result.damage = path + "/" + manifest_file + ": " + manifest.error().context;
    return result;
  }
  if (number && (manifest->tag.step != number->step || manifest->tag.version != number->version)) {
    result.damage = path + ": the manifest is of step " + std::to_string(manifest->tag.step) + ", version "
                    + std::to_string(manifest->tag.version);
    return result;
  }
  result.tag = manifest->tag;
  result.has_training_state = manifest->has_training_state;
  result.num_bytes = manifest->num_bytes();
  return result;
}

expected<std::vector<checkpoint_entry>> list_checkpoints(const std::string& folder) {
  auto names = names_in(folder);
  if (!names)
    return names.error();
  std::vector<checkpoint_entry> result;
  for (auto& name : *names)
    if (parse_checkpoint_name(name))
      result.push_back(read_checkpoint_entry(folder + "/" + name));
  std::sort(result.begin(), result.end(), [](const checkpoint_entry& a, const checkpoint_entry& b) {
    return std::tie(a.tag.version, a.tag.step, a.name) < std::tie(b.tag.version, b.tag.step, b.name);
  });
  return result;
}

expected<std::uint64_t> next_version(const std::string& folder) {
  auto names = names_in(folder);
  if (!names)
    return names.error();
  std::uint64_t newest = 0;
  for (auto& name : *names)
    newest = std::max(newest, version_in(name));
  return newest + 1;
}

expected<void> publish_link(const std::string& folder, const std::string& link, const std::string& name) {
  return replace_link(folder + "/" + link, name);
}

expected<std::string> linked_checkpoint(const std::string& folder, const std::string& link) {
  std::error_code error;
  auto target = fs::read_symlink(folder + "/" + link, error);
  if (error)
    return failure{error == std::errc::no_such_file_or_directory ? ec::not_found : ec::io_error,
                   "cannot read the link " + folder + "/" + link + ": " + error.message()};
  return target.string();
}

std::vector<checkpoint_entry> to_delete(const std::vector<checkpoint_entry>& entries, std::uint64_t keep_last,
                                        const std::set<std::string>& protected_names) {
  std::vector<checkpoint_entry> result;
  std::uint64_t num_with_state = 0;
  std::uint64_t num_weights_alone = 0;
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    bool is_surplus = false;
    if (!entry->damage.empty())
      is_surplus = num_with_state >= keep_last;
    else if (entry->has_training_state)
      is_surplus = ++num_with_state > keep_last;
    else
      is_surplus = ++num_weights_alone > keep_last;
    if (is_surplus && !protected_names.contains(entry->name))
      result.push_back(*entry);
  }
  return result;
}

expected<void> delete_checkpoint(const checkpoint_entry& entry) {
  auto folder = fs::path{entry.path}.parent_path().string();
  auto doomed = folder + "/" + std::string{deleted_prefix} + entry.name;
  if (auto renamed = rename_path(entry.path, doomed); !renamed)
    return renamed;
  if (auto synced = sync_folder(folder); !synced)
    return synced;
  return remove_path(doomed);
}

expected<std::uint64_t> clean_temp_folders(const std::string& folder) {
  auto names = names_in(folder);
  if (!names)
    return names.error();
  std::uint64_t count = 0;
  for (auto& name : *names) {
    if (!is_unfinished(name))
      continue;
    if (auto removed = remove_path(folder + "/" + name); !removed)
      return removed.error();
    ++count;
  }
  return count;
}

expected<void> probe_folder(const std::string& folder, std::uint64_t needed_bytes) {
  if (auto made = make_folders(folder); !made)
    return made;
  auto available = free_bytes(folder);
  if (!available)
    return available.error();
  if (*available < needed_bytes)
    return failure{ec::io_error, folder + ": " + std::to_string(*available) + " bytes free, expected at least "
                                   + std::to_string(needed_bytes)};
  auto probe = folder + "/" + std::string{temporary_prefix} + "probe-" + std::to_string(::getpid());
  auto written = write_new_file(probe, std::string(4096, 'p'));
  auto removed = remove_path(probe);
  return written ? removed : written;
}

} // namespace troupe
