#include "actors/saver/checkpoint_manifest.hpp"

#include <functional>
#include <string>

#include <nlohmann/json.hpp>

#include "tests/support/doctest.hpp"

using namespace troupe;
using nlohmann::json;

namespace {

checkpoint_manifest sample(bool has_training_state = true) {
  checkpoint_manifest result;
  result.tag = {"r\u00fcn \"1\"", 2, 1200, ~0ull};
  result.has_training_state = has_training_state;
  result.files = {{weights_file, {1ull << 40, 0xFFFFFFFF}},
                  {state_file, {10, 0}},
                  {config_file, {0, 1}},
                  {classes_file, {5, 0x0000ABCD}}};
  if (has_training_state)
    result.files[optimizer_file] = {7, 0xE3069283};
  return result;
}

std::string json_of(const checkpoint_manifest& manifest) {
  auto text = to_json(manifest);
  REQUIRE(text);
  return *text;
}

// The sample's JSON after `change` has been at it.
failure refused(const std::function<void(json&)>& change) {
  auto x = json::parse(json_of(sample()));
  change(x);
  auto manifest = parse_manifest(x.dump());
  REQUIRE_FALSE(manifest);
  return manifest.error();
}

} // namespace

TEST_SUITE_BEGIN("actors/saver/checkpoint_manifest");

TEST_CASE("a manifest reads back, with and without training state") {
  for (auto has_training_state : {true, false}) {
    auto before = sample(has_training_state);
    auto after = parse_manifest(json_of(before));
    REQUIRE(after);
    CHECK(after->tag == before.tag);
    CHECK(after->has_training_state == has_training_state);
    CHECK(after->files == before.files);
  }
  CHECK(sample().num_bytes() == (1ull << 40) + 22);
}

TEST_CASE("a manifest may list a file of attachments") {
  auto before = sample();
  before.files[attachments_file] = {9, 1};
  auto after = parse_manifest(json_of(before));
  REQUIRE(after);
  CHECK(after->files == before.files);
}

TEST_CASE("the format is as other tools expect it") {
  auto x = json::parse(json_of(sample()));
  CHECK(x["format_version"] == 1);
  CHECK(x["files"]["classes.txt"]["size"] == 5);
  CHECK(x["files"]["classes.txt"]["crc32c"] == "0000abcd");
}

TEST_CASE("a run's name that is not UTF-8 is refused") {
  auto manifest = sample();
  manifest.tag.run = "\xff";
  auto text = to_json(manifest);
  REQUIRE_FALSE(text);
  CHECK(text.error().code == ec::mismatch);
}

TEST_CASE("a manifest cut short anywhere is corrupt") {
  auto text = json_of(sample());
  for (std::size_t length = 0; length + 1 < text.size(); ++length) { // The last byte is a line break.
    auto manifest = parse_manifest(std::string_view{text}.substr(0, length));
    REQUIRE_FALSE(manifest);
    CHECK(manifest.error().code == ec::corrupt);
  }
}

TEST_CASE("a manifest of a later format is unsupported and says which") {
  auto why = refused([](json& x) { x["format_version"] = 2; });
  CHECK(why.code == ec::unsupported);
  CHECK(why.context == "format version 2, expected 1");
}

TEST_CASE("a missing member is corrupt and named") {
  for (auto key : {"format_version", "tag", "has_training_state", "files"}) {
    auto why = refused([&](json& x) { x.erase(key); });
    CHECK(why.code == ec::corrupt);
    CHECK(why.context.find(key) != std::string::npos);
  }
  for (auto key : {"run", "epoch", "step", "version"})
    CHECK(refused([&](json& x) { x["tag"].erase(key); }).context.find(key) != std::string::npos);
}

TEST_CASE("a member of another type is corrupt") {
  CHECK(refused([](json& x) { x["tag"]["step"] = -1; }).code == ec::corrupt);
  CHECK(refused([](json& x) { x["tag"]["step"] = 1.5; }).code == ec::corrupt);
  CHECK(refused([](json& x) { x["tag"]["step"] = "1"; }).code == ec::corrupt);
  CHECK(refused([](json& x) { x["tag"] = 1; }).code == ec::corrupt);
  CHECK(refused([](json& x) { x["has_training_state"] = 1; }).code == ec::corrupt);
  CHECK(refused([](json& x) { x["files"] = json::array({1}); }).code == ec::corrupt);
  CHECK(refused([](json& x) { x["files"][state_file]["size"] = -1; }).code == ec::corrupt);
  CHECK(refused([](json& x) { x = json::array(); }).code == ec::corrupt);
}

TEST_CASE("a checksum that is not eight hexadecimal digits is corrupt") {
  for (auto text : {"", "0", "0000abc", "0000abcde", "0000abcg", "-000abcd", "0x00abcd"})
    CHECK(refused([&](json& x) { x["files"][state_file]["crc32c"] = text; }).code == ec::corrupt);
}

TEST_CASE("the list must be the files of a checkpoint and no others") {
  for (auto name : {weights_file, optimizer_file, state_file, config_file, classes_file})
    CHECK(refused([&](json& x) { x["files"].erase(name); }).context.find("does not list the 5 files")
          != std::string::npos);
  auto digest = json{{"size", 1}, {"crc32c", "00000000"}};
  for (auto name : {"../../etc/passwd", "/etc/passwd", "extra"}) {
    CHECK(refused([&](json& x) { x["files"][name] = digest; }).code == ec::corrupt);
    CHECK(refused([&](json& x) {
            x["files"].erase(state_file);
            x["files"][name] = digest;
          }).code
          == ec::corrupt);
  }
  CHECK(refused([](json& x) { x["has_training_state"] = false; }).code == ec::corrupt);
}

TEST_SUITE_END();
