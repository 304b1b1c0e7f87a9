#include "actors/saver/checkpoint.hpp"
#include "actors/saver/checkpoint_manifest.hpp"
#include "actors/saver/checkpoint_state.hpp"
#include "actors/saver/safetensors.hpp"
#include "actors/support/crc32c.hpp"
#include "actors/support/file_io.hpp"

#include <filesystem>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>

namespace troupe {

namespace {

namespace fs = std::filesystem;

failure corrupt(const std::string& path, const std::string& why) {
  return {ec::corrupt, path + ": " + why};
}

expected<void> check_digest(const std::string& path, const file_digest& found, const file_digest& promised) {
  if (found.num_bytes != promised.num_bytes)
    return corrupt(path, "has " + std::to_string(found.num_bytes) + " bytes, the manifest says "
                           + std::to_string(promised.num_bytes));
  if (found.crc32c != promised.crc32c)
    return corrupt(path, "its checksum is not the manifest's");
  return {};
}

// Files that are in the manifest and not in the folder are damage, not an absent checkpoint.
failure as_damage(const failure& why) {
  return {why.code == ec::not_found ? ec::corrupt : why.code, why.context};
}

// One checkpoint's folder and what its manifest says about the files in it.
class checkpoint_reader {
public:
  checkpoint_reader(std::string folder, checkpoint_manifest manifest)
    : folder_(std::move(folder)), manifest_(std::move(manifest)) {}

  expected<std::string> text(const char* name) const {
    auto path = folder_ + "/" + name;
    auto& promised = manifest_.files.at(name);
    auto result = read_file(path, promised.num_bytes);
    if (!result)
      return as_damage(result.error());
    if (auto ok = check_digest(path, {result->size(), crc32c(*result)}, promised); !ok)
      return ok.error();
    return result;
  }

  expected<checkpoint_state> state() const {
    auto json = text(state_file);
    if (!json)
      return json.error();
    auto result = parse_state(*json);
    if (!result)
      return corrupt(folder_ + "/" + state_file, result.error().context);
    auto& counters = result->counters;
    if (counters.tag != manifest_.tag || counters.has_training_state != manifest_.has_training_state)
      return corrupt(folder_ + "/" + state_file, "is not of the snapshot that the manifest names");
    if (result->attachments.empty() == manifest_.files.contains(attachments_file))
      return corrupt(folder_ + "/" + state_file,
                     "lists " + std::to_string(result->attachments.size()) + " attachments, and the manifest "
                       + (result->attachments.empty() ? "has a file of them" : "has no file of them"));
    return result;
  }

  // The tensors of a file, in the order of `names`.
  expected<std::vector<named_tensor>> tensors(const char* name, const std::vector<std::string>& names) const {
    auto path = folder_ + "/" + name;
    auto file = read_safetensors(path);
    if (!file)
      return as_damage(file.error());
    if (auto ok = check_digest(path, {file->num_bytes, file->checksum}, manifest_.files.at(name)); !ok)
      return ok.error();
    std::unordered_map<std::string_view, named_tensor*> left;
    for (auto& x : file->tensors)
      left.emplace(x.name, &x);
    std::vector<named_tensor> result;
    for (auto& x : names) {
      auto found = left.find(x);
      if (found == left.end())
        return corrupt(path, "has no tensor '" + x + "' left, which " + state_file + " lists");
      result.push_back(*found->second);
      left.erase(found);
    }
    if (!left.empty())
      return corrupt(path, "has the tensor '" + std::string{left.begin()->first} + "', which " + state_file
                             + " does not list");
    return result;
  }

private:
  std::string folder_;
  checkpoint_manifest manifest_;
};

std::vector<std::string> lines_in(std::string_view text) {
  std::vector<std::string> result;
  while (!text.empty()) {
    auto length = text.find('\n');
    result.emplace_back(text.substr(0, length));
    text.remove_prefix(length == std::string_view::npos ? text.size() : length + 1);
  }
  return result;
}

expected<snapshot> read_snapshot(const checkpoint_reader& reader, checkpoint_state state) {
  auto result = std::move(state.counters);
  auto weights = reader.tensors(weights_file, state.weights);
  if (!weights)
    return weights.error();
  result.weights = *std::move(weights);
  if (result.has_training_state) {
    auto optimizer_state = reader.tensors(optimizer_file, state.optimizer_state);
    if (!optimizer_state)
      return optimizer_state.error();
    result.optimizer_state = *std::move(optimizer_state);
  }
  if (!state.attachments.empty()) {
    auto attachments = reader.tensors(attachments_file, state.attachments);
    if (!attachments)
      return attachments.error();
    result.attachments = *std::move(attachments);
  }
  return result;
}

expected<checkpoint_extra> read_extra(const checkpoint_reader& reader) {
  auto config = reader.text(config_file);
  if (!config)
    return config.error();
  auto classes = reader.text(classes_file);
  if (!classes)
    return classes.error();
  return checkpoint_extra{*std::move(config), lines_in(*classes), {}};
}

expected<checkpoint_reader> open_reader(const checkpoint_entry& entry) {
  if (!entry.damage.empty())
    return failure{ec::corrupt, entry.damage};
  auto text = read_file(entry.path + "/" + manifest_file, max_manifest_bytes);
  if (!text)
    return as_damage(text.error());
  auto manifest = parse_manifest(*text);
  if (!manifest)
    return corrupt(entry.path + "/" + manifest_file, manifest.error().context);
  return checkpoint_reader{entry.path, *std::move(manifest)};
}

expected<loaded_checkpoint> load_entry(checkpoint_entry entry) {
  auto reader = open_reader(entry);
  if (!reader)
    return reader.error();
  auto extra = read_extra(*reader);
  if (!extra)
    return extra.error();
  auto state = reader->state();
  if (!state)
    return state.error();
  extra->notes = std::move(state->notes);
  auto loaded = read_snapshot(*reader, *std::move(state));
  if (!loaded)
    return loaded.error();
  return loaded_checkpoint{std::move(entry), *std::move(loaded), *std::move(extra)};
}

} // namespace

expected<loaded_checkpoint> load_checkpoint(const std::string& path) {
  std::error_code error;
  auto target = fs::canonical(path, error); // The checkpoint's own name, where `path` is a link.
  if (error)
    return failure{error == std::errc::no_such_file_or_directory ? ec::not_found : ec::io_error,
                   "cannot open the checkpoint " + path + ": " + error.message()};
  return load_entry(read_checkpoint_entry(target.string()));
}

expected<loaded_checkpoint> load_newest(const std::string& folder, std::vector<std::string>* warnings) {
  auto entries = list_checkpoints(folder);
  if (!entries)
    return entries.error();
  std::size_t num_damaged = 0;
  for (auto entry = entries->rbegin(); entry != entries->rend(); ++entry) {
    if (entry->damage.empty() && !entry->has_training_state)
      continue;
    auto loaded = load_entry(*entry);
    if (loaded)
      return loaded;
    ++num_damaged;
    if (warnings != nullptr)
      warnings->push_back("checkpoint " + entry->name + " passed over: " + loaded.error().context);
  }
  if (num_damaged > 0)
    return failure{ec::corrupt, folder + ": none of its " + std::to_string(num_damaged)
                                  + " checkpoints verifies; look at them before starting afresh elsewhere"};
  return failure{ec::not_found, folder + ": no checkpoint to resume from"};
}

} // namespace troupe
