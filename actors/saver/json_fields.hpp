/// Strict access to the members of a JSON object. Each throws nlohmann's exception, which names the member, where it is
/// missing or of another type; those who call it turn that into a `failure`.
#pragma once

#include "messages/snapshot.hpp"

#include <cstdint>
#include <string>

#include <nlohmann/json.hpp>

namespace troupe {

/// A whole number from 0 to 2^64 - 1: never a negative one, or a fraction, that is converted.
[[nodiscard]] inline std::uint64_t unsigned_at(const nlohmann::json& object, const char* key) {
  auto& x = object.at(key);
  if (!x.is_number_unsigned())
    throw nlohmann::json::type_error::create(302, std::string{"'"} + key + "' is not a whole number >= 0", &x);
  return x.get<std::uint64_t>();
}

[[nodiscard]] inline std::string string_at(const nlohmann::json& object, const char* key) {
  return object.at(key).get<std::string>();
}

[[nodiscard]] inline bool bool_at(const nlohmann::json& object, const char* key) {
  return object.at(key).get<bool>();
}

[[nodiscard]] inline nlohmann::json tag_json(const snapshot_tag& tag) {
  return {{"run", tag.run}, {"epoch", tag.epoch}, {"step", tag.step}, {"version", tag.version}};
}

[[nodiscard]] inline snapshot_tag tag_at(const nlohmann::json& object, const char* key) {
  auto& x = object.at(key);
  return {string_at(x, "run"), unsigned_at(x, "epoch"), unsigned_at(x, "step"), unsigned_at(x, "version")};
}

} // namespace troupe
