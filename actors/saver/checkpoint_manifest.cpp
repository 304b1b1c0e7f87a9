#include "actors/saver/checkpoint_manifest.hpp"

#include "actors/saver/json_fields.hpp"

#include <array>
#include <charconv>
#include <cstdio>
#include <system_error>

#include <nlohmann/json.hpp>

namespace troupe {

namespace {

using nlohmann::json;

constexpr std::uint64_t manifest_version = 1;
constexpr std::array always_there{weights_file, state_file, config_file, classes_file};

// Eight hexadecimal digits, as other tools print a CRC.
std::string hex(std::uint32_t x) {
  char text[sizeof "ffffffff"];
  std::snprintf(text, sizeof text, "%08x", x);
  return text;
}

std::uint32_t hex_at(const json& object, const char* key) {
  auto text = string_at(object, key);
  std::uint32_t x = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x, 16);
  if (error != std::errc{} || end != text.data() + text.size() || text.size() != 8)
    throw json::other_error::create(501, "'" + text + "' is not a CRC of 8 hexadecimal digits", &object);
  return x;
}

expected<void> check_files(const checkpoint_manifest& manifest) {
  auto num_files =
    always_there.size() + (manifest.has_training_state ? 1 : 0) + (manifest.files.contains(attachments_file) ? 1 : 0);
  auto is_complete =
    manifest.files.size() == num_files && (!manifest.has_training_state || manifest.files.contains(optimizer_file));
  for (auto name : always_there)
    is_complete = is_complete && manifest.files.contains(name);
  if (!is_complete)
    return failure{ec::corrupt, "does not list the " + std::to_string(num_files) + " files of a checkpoint"};
  return {};
}

} // namespace

std::uint64_t checkpoint_manifest::num_bytes() const noexcept {
  std::uint64_t sum = 0;
  for (auto& [name, digest] : files)
    sum += digest.num_bytes;
  return sum;
}

expected<std::string> to_json(const checkpoint_manifest& manifest) try {
  json files = json::object();
  for (auto& [name, digest] : manifest.files)
    files[name] = {{"size", digest.num_bytes}, {"crc32c", hex(digest.crc32c)}};
  json result{{"format_version", manifest_version},
              {"tag", tag_json(manifest.tag)},
              {"has_training_state", manifest.has_training_state},
              {"files", std::move(files)}};
  return result.dump(2) + "\n";
} catch (const json::exception& error) {
  return failure{ec::mismatch, std::string{"the run's name is not UTF-8: "} + error.what()};
}

expected<checkpoint_manifest> parse_manifest(std::string_view text) try {
  auto x = json::parse(text);
  if (auto version = unsigned_at(x, "format_version"); version != manifest_version)
    return failure{ec::unsupported,
                   "format version " + std::to_string(version) + ", expected " + std::to_string(manifest_version)};
  checkpoint_manifest result;
  result.tag = tag_at(x, "tag");
  result.has_training_state = bool_at(x, "has_training_state");
  for (auto& [name, digest] : x.at("files").items())
    result.files[name] = {unsigned_at(digest, "size"), hex_at(digest, "crc32c")};
  if (auto ok = check_files(result); !ok)
    return ok.error();
  return result;
} catch (const json::exception& error) {
  return failure{ec::corrupt, error.what()};
}

} // namespace troupe
