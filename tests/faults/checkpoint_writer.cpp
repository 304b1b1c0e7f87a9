/// A run's checkpoints without the run: writes a few, or says what a folder holds. Driven by checkpoint_faults_test.py.
///
///   checkpoint_writer write FOLDER COUNT   one line per checkpoint, as soon as it is known:
///                                            durable NAME | failed CODE TEXT; likewise "probe", "clean", "version" and
///                                            "tidy" for what failed besides. Exit 0 if it got to the end.
///   checkpoint_writer read FOLDER          newest NAME | none CODE, then "passed-over TEXT", then "visible NAME good" or
///                                            "visible NAME bad" for every checkpoint that has its final name
#include "actors/saver/checkpoint.hpp"
#include "actors/saver/checkpoint_folder.hpp"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace troupe;

constexpr std::uint64_t keep_last = 2;

named_tensor filled(const std::string& name, std::size_t count, float value) {
  std::shared_ptr<std::byte> bytes{new std::byte[count * sizeof value], std::default_delete<std::byte[]>{}};
  for (std::size_t i = 0; i < count; ++i)
    std::memcpy(bytes.get() + i * sizeof value, &value, sizeof value);
  return {name, {{static_cast<std::int64_t>(count)}, dtype::f32, std::move(bytes)}};
}

snapshot snapshot_of(std::uint64_t version) {
  auto value = static_cast<float>(version);
  snapshot result;
  result.tag = {"faults", version, version * 100, version};
  result.weights = {filled("weight", 1000, value), filled("bias", 10, value)};
  result.has_training_state = true;
  result.optimizer_state = {filled("momentum_buffer.weight", 1000, value)};
  return result;
}

// Prints what failed and returns whether it did.
template <class T>
bool failed(const char* what, const expected<T>& x) {
  if (!x)
    std::cout << what << ' ' << to_string(x.error().code) << ' ' << x.error().context << std::endl;
  return !x;
}

void publish_and_tidy(const std::string& folder, const std::string& name) {
  failed("tidy", publish_link(folder, latest_link, name));
  failed("tidy", publish_link(folder, best_link, name));
  auto entries = list_checkpoints(folder);
  if (failed("tidy", entries))
    return;
  for (auto& x : *entries)
    if (!x.damage.empty())
      std::cout << "tidy damaged " << x.damage << std::endl;
  for (auto& x : to_delete(*entries, keep_last, {name}))
    failed("tidy", delete_checkpoint(x));
}

int write(const std::string& folder, std::uint64_t count) {
  if (failed("probe", probe_folder(folder)))
    return EXIT_FAILURE;
  failed("clean", clean_temp_folders(folder));
  auto version = next_version(folder);
  if (failed("version", version))
    return EXIT_FAILURE;
  for (std::uint64_t i = 0; i < count; ++i) {
    auto state = snapshot_of(*version + i);
    auto entry = write_checkpoint(folder, state, {"run: {}\n", {"a", "b"}, {}}, std::chrono::system_clock::now());
    if (failed("failed", entry))
      continue;
    std::cout << "durable " << entry->name << std::endl;
    publish_and_tidy(folder, entry->name);
  }
  return EXIT_SUCCESS;
}

// Whether every number in the checkpoint is its version: no two snapshots are mixed.
bool is_whole(const snapshot& state) {
  auto expected_state = snapshot_of(state.tag.version);
  auto same = [](const std::vector<named_tensor>& a, const std::vector<named_tensor>& b) {
    if (a.size() != b.size())
      return false;
    for (std::size_t i = 0; i < a.size(); ++i)
      if (a[i].name != b[i].name || a[i].value.shape != b[i].value.shape
          || std::memcmp(a[i].value.bytes.get(), b[i].value.bytes.get(), a[i].value.num_bytes()) != 0)
        return false;
    return true;
  };
  return same(state.weights, expected_state.weights) && same(state.optimizer_state, expected_state.optimizer_state);
}

int read(const std::string& folder) {
  std::vector<std::string> warnings;
  auto newest = load_newest(folder, &warnings);
  if (newest)
    std::cout << "newest " << newest->entry.name << '\n';
  else
    std::cout << "none " << to_string(newest.error().code) << '\n';
  for (auto& x : warnings)
    std::cout << "passed-over " << x << '\n';
  auto entries = list_checkpoints(folder);
  if (failed("list", entries))
    return EXIT_FAILURE;
  for (auto& x : *entries) {
    auto loaded = load_checkpoint(x.path);
    std::cout << "visible " << x.name << (loaded && is_whole(loaded->state) ? " good" : " bad") << '\n';
  }
  return EXIT_SUCCESS;
}

} // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() == 3 && arguments[0] == "write")
    return write(arguments[1], std::strtoull(arguments[2].c_str(), nullptr, 10));
  if (arguments.size() == 2 && arguments[0] == "read")
    return read(arguments[1]);
  std::cerr << "usage: checkpoint_writer write FOLDER COUNT | read FOLDER\n";
  return 2;
}
