#include "actors/saver/checkpoint.hpp"

#include "actors/saver/checkpoint_manifest.hpp"
#include "actors/support/crc32c.hpp"
#include "tests/actors/saver/fixtures.hpp"
#include "tests/support/scratch_folder.hpp"

#include <chrono>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace std::chrono;

namespace {

const system_clock::time_point evening = sys_days{year{2026} / 11 / 30} + 19h + 5min + 1s;

const checkpoint_extra extra{"run:\n  name: \u00fc\n", {"t-shirt", "", "ankle boot\r"}, {{"data.fingerprint", "abc"}}};

checkpoint_entry written(const std::string& folder, const snapshot& state) {
  auto entry = write_checkpoint(folder, state, extra, evening);
  REQUIRE_MESSAGE(entry, entry.error().context);
  return *entry;
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> result;
  for (auto& x : std::filesystem::directory_iterator{folder})
    result.push_back(x.path().filename().string());
  std::sort(result.begin(), result.end());
  return result;
}

void check_same(const snapshot& a, const snapshot& b) {
  CHECK(a.tag == b.tag);
  CHECK(same_tensors(a.weights, b.weights));
  CHECK(a.has_training_state == b.has_training_state);
  CHECK(same_tensors(a.optimizer_state, b.optimizer_state));
  CHECK(a.optimizer_counters == b.optimizer_counters);
  CHECK(a.next == b.next);
  CHECK(a.batches_trained == b.batches_trained);
  CHECK(a.samples_trained == b.samples_trained);
  CHECK(a.samples_skipped == b.samples_skipped);
  CHECK(a.sums == b.sums);
  CHECK(same_tensors(a.attachments, b.attachments));
}

void flip_bit(const std::string& path, std::size_t byte) {
  auto bytes = bytes_of(path);
  bytes.at(byte) = static_cast<char>(bytes.at(byte) ^ 1);
  put_file(path, bytes);
}

void check_corrupt(const std::string& path) {
  auto loaded = load_checkpoint(path);
  REQUIRE_FALSE(loaded);
  CHECK_MESSAGE(loaded.error().code == ec::corrupt, loaded.error().context);
  CHECK_MESSAGE(loaded.error().context.find(path) != std::string::npos, loaded.error().context);
}

// Puts a file of another content into a checkpoint, with a manifest that agrees.
void forge_file(const std::string& path, const std::string& name, const std::string& bytes) {
  auto manifest = parse_manifest(bytes_of(path + "/" + manifest_file));
  REQUIRE(manifest);
  manifest->files[name] = {bytes.size(), crc32c(bytes)};
  auto json = to_json(*manifest);
  REQUIRE(json);
  put_file(path + "/" + name, bytes);
  put_file(path + "/" + manifest_file, *json);
}

} // namespace

TEST_SUITE_BEGIN("actors/saver/checkpoint");

TEST_CASE("a checkpoint comes back as it was, tensors in their order") {
  scratch_folder scratch;
  auto before = snapshot_at(1200, 3);
  auto entry = written(scratch.path(), before);
  CHECK(entry.name == "step-000001200-v0003-20261130T190501Z");
  CHECK(entry.path == scratch / entry.name);
  auto after = load_checkpoint(entry.path);
  REQUIRE_MESSAGE(after, after.error().context);
  check_same(after->state, before);
  CHECK(after->entry.tag == before.tag);
  CHECK(after->extra.config_yaml == extra.config_yaml);
  CHECK(after->extra.classes == extra.classes);
  CHECK(after->extra.notes == extra.notes);
}

TEST_CASE("the folder holds the named files and nothing else, plain text where people look") {
  scratch_folder scratch;
  auto entry = written(scratch.path(), snapshot_at(1200, 3));
  CHECK(names_in(scratch.path()) == std::vector<std::string>{entry.name});
  CHECK(names_in(entry.path)
        == std::vector<std::string>{"MANIFEST.json", "classes.txt", "config.yaml", "model.safetensors",
                                    "optimizer.safetensors", "state.json"});
  CHECK(bytes_of(entry.path + "/config.yaml") == extra.config_yaml);
  CHECK(bytes_of(entry.path + "/classes.txt") == "t-shirt\n\nankle boot\r\n");
  std::uint64_t sum = 0;
  for (auto& name : names_in(entry.path))
    sum += name == manifest_file ? 0 : std::filesystem::file_size(entry.path + "/" + name);
  CHECK(entry.num_bytes == sum);
}

TEST_CASE("weights alone make a checkpoint without an optimizer file") {
  scratch_folder scratch;
  auto before = snapshot_at(5, 1, false);
  auto entry = written(scratch.path(), before);
  CHECK_FALSE(std::filesystem::exists(entry.path + "/" + optimizer_file));
  auto after = load_checkpoint(entry.path);
  REQUIRE(after);
  check_same(after->state, before);
}

TEST_CASE("attachments come back as they were, whatever their names, in their order and a file of their own") {
  scratch_folder scratch;
  auto before = with_attachments(snapshot_at(5, 1));
  SUBCASE("with training state") {}
  SUBCASE("without") {
    before = with_attachments(snapshot_at(5, 1, false));
  }
  auto entry = written(scratch.path(), before);
  CHECK(std::filesystem::exists(entry.path + "/attachments.safetensors"));
  auto after = load_checkpoint(entry.path);
  REQUIRE_MESSAGE(after, after.error().context);
  check_same(after->state, before);
}

TEST_CASE("a checkpoint loads through a link, from a path with a slash at its end and under another name") {
  scratch_folder scratch;
  auto entry = written(scratch.path(), snapshot_at(5, 1));
  REQUIRE(publish_link(scratch.path(), best_link, entry.name));
  auto by_link = load_checkpoint(scratch / best_link);
  REQUIRE(by_link);
  CHECK(by_link->entry.name == entry.name);
  CHECK(load_checkpoint(entry.path + "/"));
  std::filesystem::rename(entry.path, scratch / "keep this");
  CHECK(load_checkpoint(scratch / "keep this"));
}

TEST_CASE("no number that is none reaches a checkpoint") {
  scratch_folder scratch;
  auto state = snapshot_at(5, 1);
  auto refused = [&] {
    auto entry = write_checkpoint(scratch.path(), state, extra, evening);
    REQUIRE_FALSE(entry);
    CHECK(entry.error().code == ec::nonfinite);
    CHECK(names_in(scratch.path()).empty());
  };
  SUBCASE("weight") {
    state.weights[0] = floats("fc.weight", {0, std::numeric_limits<float>::quiet_NaN()});
    refused();
  }
  SUBCASE("momentum") {
    state.optimizer_state[1] = floats("momentum_buffer.fc.bias", {std::numeric_limits<float>::infinity()});
    refused();
  }
  SUBCASE("weight of a sample") {
    state.attachments = {floats("sampling.1.2", {std::numeric_limits<float>::infinity()})};
    refused();
  }
}

TEST_CASE("what cannot be stored is refused and leaves nothing behind") {
  scratch_folder scratch;
  auto state = snapshot_at(5, 1);
  auto bad = extra;
  SUBCASE("a class with a line break") {
    bad.classes[0] = "a\nb";
  }
  SUBCASE("a note that is not UTF-8") {
    bad.notes["x"] = "\xff";
  }
  SUBCASE("a run that is not UTF-8") {
    state.tag.run = "\xff";
  }
  SUBCASE("an attachment whose name is not UTF-8") {
    state.attachments = {floats("listener.\xff", {1})};
  }
  SUBCASE("two weights of one name") {
    state.weights.push_back(state.weights[0]);
  }
  auto entry = write_checkpoint(scratch.path(), state, bad, evening);
  REQUIRE_FALSE(entry);
  CHECK(entry.error().code == ec::mismatch);
  CHECK(entry.error().context.find("step-000000005-v0001") != std::string::npos);
  CHECK(names_in(scratch.path()).empty());
}

TEST_CASE("a folder that is gone is reported") {
  scratch_folder scratch;
  auto entry = write_checkpoint(scratch / "gone", snapshot_at(5, 1), extra, evening);
  REQUIRE_FALSE(entry);
  CHECK(entry.error().code == ec::not_found);
}

TEST_CASE("a checkpoint never takes another's place") {
  scratch_folder scratch;
  auto entry = written(scratch.path(), snapshot_at(5, 1));
  auto other = snapshot_at(5, 1);
  other.weights[0] = floats("fc.weight", {42});
  CHECK_FALSE(write_checkpoint(scratch.path(), other, extra, evening));
  CHECK(names_in(scratch.path()) == std::vector<std::string>{entry.name});
  auto loaded = load_checkpoint(entry.path);
  REQUIRE(loaded);
  check_same(loaded->state, snapshot_at(5, 1));
}

TEST_CASE("a flipped bit in any byte of any file is found") {
  scratch_folder scratch;
  const auto before = with_attachments(snapshot_at(5, 1));
  auto entry = written(scratch.path(), before);
  for (auto& name : names_in(entry.path)) {
    auto path = entry.path + "/" + name;
    auto bytes = bytes_of(path);
    for (std::size_t at = 0; at < bytes.size(); at += name == manifest_file ? 1 : 7) {
      flip_bit(path, at);
      auto loaded = load_checkpoint(entry.path);
      // A blank of the manifest may become another blank-like byte only if JSON allows it: then nothing has changed.
      if (loaded)
        check_same(loaded->state, before);
      else
        CHECK((loaded.error().code == ec::corrupt || loaded.error().code == ec::unsupported));
      if (name != manifest_file)
        CHECK_FALSE(loaded);
      flip_bit(path, at);
    }
  }
  CHECK(load_checkpoint(entry.path));
}

TEST_CASE("a file cut short, grown, emptied, missing or not a file is corrupt") {
  scratch_folder scratch;
  auto entry = written(scratch.path(), with_attachments(snapshot_at(5, 1)));
  for (auto& name : names_in(entry.path)) {
    CAPTURE(name);
    auto path = entry.path + "/" + name;
    auto bytes = bytes_of(path);
    for (auto& other : {bytes.substr(0, bytes.size() / 2), std::string{}, bytes + "x"}) {
      put_file(path, other);
      check_corrupt(entry.path);
    }
    std::filesystem::remove(path);
    check_corrupt(entry.path);
    std::filesystem::create_directory(path);
    CHECK_FALSE(load_checkpoint(entry.path));
    std::filesystem::remove(path);
    put_file(path, bytes);
    CHECK(load_checkpoint(entry.path));
  }
}

TEST_CASE("files that verify but do not belong together are corrupt") {
  scratch_folder scratch;
  auto entry = written(scratch.path(), snapshot_at(5, 1));
  auto other = written(scratch.path(), snapshot_at(6, 2));
  auto state = nlohmann::json::parse(bytes_of(entry.path + "/" + state_file));
  SUBCASE("the state of another step") {
    forge_file(entry.path, state_file, bytes_of(other.path + "/" + state_file));
  }
  SUBCASE("a tensor missing") {
    state["weights"].push_back("fc2.weight");
    forge_file(entry.path, state_file, state.dump());
  }
  SUBCASE("a tensor too many") {
    state["weights"].erase(0);
    forge_file(entry.path, state_file, state.dump());
  }
  SUBCASE("a tensor twice in the list") {
    state["weights"][0] = state["weights"][1];
    forge_file(entry.path, state_file, state.dump());
  }
  SUBCASE("attachments in the list and no file of them") {
    state["attachments"].push_back("listener.x");
    forge_file(entry.path, state_file, state.dump());
  }
  SUBCASE("a file of attachments and none in the list") {
    forge_file(entry.path, attachments_file, bytes_of(entry.path + "/" + optimizer_file));
  }
  SUBCASE("a state that is not one") {
    forge_file(entry.path, state_file, "[]");
  }
  SUBCASE("tensors that are none") {
    forge_file(entry.path, weights_file, "PK");
  }
  SUBCASE("the whole of another step") {
    std::filesystem::remove_all(entry.path);
    std::filesystem::rename(other.path, entry.path);
  }
  check_corrupt(entry.path);
}

TEST_CASE("a checkpoint without attachments says nothing of them, as those of a time before there were any") {
  scratch_folder scratch;
  auto entry = written(scratch.path(), snapshot_at(5, 1));
  CHECK_FALSE(nlohmann::json::parse(bytes_of(entry.path + "/" + state_file)).contains("attachments"));
  CHECK(bytes_of(entry.path + "/" + manifest_file).find("attachments") == std::string::npos);
}

TEST_CASE("nothing at a path is not found") {
  scratch_folder scratch;
  CHECK(load_checkpoint(scratch / "absent").error().code == ec::not_found);
  std::filesystem::create_symlink("absent", scratch / "latest");
  CHECK(load_checkpoint(scratch / "latest").error().code == ec::not_found);
  put_file(scratch / "file", "");
  CHECK_FALSE(load_checkpoint(scratch / "file"));
}

TEST_CASE("the newest that verifies is resumed, and each one passed over is told") {
  scratch_folder scratch;
  written(scratch.path(), snapshot_at(100, 1));
  auto second = written(scratch.path(), snapshot_at(200, 2));
  auto third = written(scratch.path(), snapshot_at(300, 3));
  written(scratch.path(), snapshot_at(400, 4, false)); // Weights alone: passed over without a word.
  std::vector<std::string> warnings;
  auto newest = [&] {
    warnings.clear();
    auto loaded = load_newest(scratch.path(), &warnings);
    REQUIRE_MESSAGE(loaded, loaded.error().context);
    return loaded->state.tag.step;
  };
  CHECK(newest() == 300);
  CHECK(warnings.empty());
  put_file(third.path + "/" + weights_file, "");
  CHECK(newest() == 200);
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].find(third.name) != std::string::npos);
  std::filesystem::remove(second.path + "/" + manifest_file);
  CHECK(newest() == 100);
  CHECK(warnings.size() == 2);
  CHECK(load_newest(scratch.path(), nullptr));
}

TEST_CASE("a resume from an older checkpoint counts as newer than the steps it gave up") {
  scratch_folder scratch;
  written(scratch.path(), snapshot_at(100, 1));
  written(scratch.path(), snapshot_at(500, 2));
  written(scratch.path(), snapshot_at(200, 3));
  auto loaded = load_newest(scratch.path(), nullptr);
  REQUIRE(loaded);
  CHECK(loaded->state.tag.step == 200);
}

TEST_CASE("no checkpoint is not found, only damaged ones are corrupt") {
  scratch_folder scratch;
  CHECK(load_newest(scratch / "absent", nullptr).error().code == ec::not_found);
  CHECK(load_newest(scratch.path(), nullptr).error().code == ec::not_found);
  std::filesystem::create_directory(scratch / ".tmp-step-000000100-v0001-20261130T190501Z-1");
  put_file(scratch / "notes.txt", "");
  CHECK(load_newest(scratch.path(), nullptr).error().code == ec::not_found);
  written(scratch.path(), snapshot_at(100, 1, false));
  CHECK(load_newest(scratch.path(), nullptr).error().code == ec::not_found);
  auto entry = written(scratch.path(), snapshot_at(200, 2));
  flip_bit(entry.path + "/" + optimizer_file, 100);
  std::vector<std::string> warnings;
  CHECK(load_newest(scratch.path(), &warnings).error().code == ec::corrupt);
  CHECK(warnings.size() == 1);
}

TEST_SUITE_END();
