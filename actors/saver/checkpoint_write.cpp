#include "actors/saver/checkpoint.hpp"
#include "actors/saver/checkpoint_manifest.hpp"
#include "actors/saver/checkpoint_name.hpp"
#include "actors/saver/checkpoint_state.hpp"
#include "actors/saver/finite_check.hpp"
#include "actors/saver/safetensors.hpp"
#include "actors/support/file_io.hpp"

#include <string_view>
#include <utility>

#include <unistd.h>

namespace troupe {

namespace {

// Fills a folder file by file; each is synced and in the manifest before the next is begun.
class checkpoint_filler {
public:
  checkpoint_filler(std::string folder, const snapshot& state) : folder_(std::move(folder)) {
    manifest_.tag = state.tag;
    manifest_.has_training_state = state.has_training_state;
  }

  expected<void> add(const char* name, std::string_view text) {
    return add_file(name, [&](output_file& file) { return file.write(text); });
  }

  // Python's readers of safetensors want to know whose tensors these are: "pt" for PyTorch's conventions.
  expected<void> add(const char* name, const std::vector<named_tensor>& tensors) {
    return add_file(name, [&](output_file& file) { return write_safetensors(file, tensors, {{"format", "pt"}}); });
  }

  expected<void> add_manifest() {
    auto json = to_json(manifest_);
    if (!json)
      return json.error();
    return write_new_file(folder_ + "/" + manifest_file, *json);
  }

  [[nodiscard]] std::uint64_t num_bytes() const noexcept { return manifest_.num_bytes(); }

private:
  template <class Fill>
  expected<void> add_file(const char* name, Fill fill) {
    auto file = output_file::create(folder_ + "/" + name);
    if (!file)
      return file.error();
    if (auto filled = fill(*file); !filled)
      return filled;
    if (auto synced = file->sync(); !synced)
      return synced;
    if (auto closed = file->close(); !closed)
      return closed;
    manifest_.files[name] = {file->num_bytes(), file->checksum()};
    return {};
  }

  std::string folder_;
  checkpoint_manifest manifest_;
};

expected<std::string> lines_of(const std::vector<std::string>& classes) {
  std::string result;
  for (auto& name : classes) {
    if (name.find('\n') != std::string::npos)
      return failure{ec::mismatch, "class '" + name + "' has a line break in its name"};
    result += name + "\n";
  }
  return result;
}

// All but the manifest.
expected<void> add_contents(checkpoint_filler& filler, const snapshot& state, const checkpoint_extra& extra) {
  auto json = to_json(state, extra.notes);
  if (!json)
    return json.error();
  auto classes = lines_of(extra.classes);
  if (!classes)
    return classes.error();
  if (auto added = filler.add(weights_file, state.weights); !added)
    return added;
  if (state.has_training_state)
    if (auto added = filler.add(optimizer_file, state.optimizer_state); !added)
      return added;
  if (!state.attachments.empty())
    if (auto added = filler.add(attachments_file, state.attachments); !added)
      return added;
  if (auto added = filler.add(state_file, *json); !added)
    return added;
  if (auto added = filler.add(config_file, extra.config_yaml); !added)
    return added;
  return filler.add(classes_file, *classes);
}

// Returns the bytes of the folder, which is durable but for its own name.
expected<std::uint64_t> fill_folder(const std::string& path, const snapshot& state, const checkpoint_extra& extra) {
  checkpoint_filler filler{path, state};
  if (auto added = add_contents(filler, state, extra); !added)
    return added.error();
  if (auto added = filler.add_manifest(); !added)
    return added.error();
  if (auto synced = sync_folder(path); !synced)
    return synced.error();
  return filler.num_bytes();
}

expected<void> check_snapshot(const snapshot& state) {
  if (auto ok = check_finite(state.weights); !ok)
    return ok;
  if (auto ok = check_finite(state.attachments); !ok)
    return ok;
  return state.has_training_state ? check_finite(state.optimizer_state) : expected<void>{};
}

// Gives the filled folder its final name, or takes the name away again: what is not durable must not be seen.
expected<void> finish(const std::string& folder, const std::string& temporary, const checkpoint_entry& entry) {
  if (auto renamed = rename_path(temporary, entry.path); !renamed)
    return renamed;
  auto synced = sync_folder(folder);
  if (!synced)
    (void)delete_checkpoint(entry); // The first failure is the one to tell.
  return synced;
}

} // namespace

expected<checkpoint_entry> write_checkpoint(const std::string& folder, const snapshot& state,
                                            const checkpoint_extra& extra, std::chrono::system_clock::time_point now) {
  checkpoint_entry entry;
  entry.name = checkpoint_name(state.tag, now);
  entry.path = folder + "/" + entry.name;
  entry.tag = state.tag;
  entry.has_training_state = state.has_training_state;
  auto not_saved = [&](const failure& why) {
    return failure{why.code, "saver: " + entry.name + " not saved: " + why.context};
  };
  if (auto ok = check_snapshot(state); !ok)
    return not_saved(ok.error());
  auto temporary = folder + "/" + std::string{temporary_prefix} + entry.name + "-" + std::to_string(::getpid());
  if (auto made = make_new_folder(temporary); !made)
    return not_saved(made.error());
  auto num_bytes = fill_folder(temporary, state, extra);
  auto finished = num_bytes ? finish(folder, temporary, entry) : expected<void>{num_bytes.error()};
  if (!finished) {
    (void)remove_path(temporary); // If this fails too, the next start cleans it away.
    return not_saved(finished.error());
  }
  entry.num_bytes = *num_bytes;
  return entry;
}

} // namespace troupe
