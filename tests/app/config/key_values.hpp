/// Values to try a key with, made from what the schema says of it.
#pragma once

#include "app/config/overrides.hpp"
#include "app/config/read_config.hpp"
#include "app/config/schema.hpp"
#include "tests/app/config/offered.hpp"

#include <fmt/format.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace troupe::test {

/// Lists for those keys whose entries have names of their own; what they name is in `offered`.
inline const std::map<std::string_view, std::string>& other_lists() {
  static const std::map<std::string_view, std::string> lists{
    {"train", "[random_horizontal_flip, {random_crop: {size: 7}}, {clahe: {clip: 7}}]"},
    {"validation", "[random_horizontal_flip, clahe]"},
    {"batch_steps", "[{smear: {width: 0.25}}]"},
    {"formats", "[{qoi: {strict: false}}]"},
    {"stages", "[{blender: {instances: 2}}]"},
    {"metrics", "[{macro_f1: {beta: 2}}]"},
    {"sinks", "[json_lines]"}};
  return lists;
}

/// Returns a value that `key` takes and that is not its default.
inline std::string other_value(const config_key& key) {
  const auto& spec = key.spec;
  switch (spec.kind) {
  case value_kind::text:
    return "something-else";
  case value_kind::boolean:
    return key.default_text == "true" ? "false" : "true";
  case value_kind::whole:
    if (std::stoll(spec.low) > 7 || std::stoull(spec.high) < 8)
      return key.default_text == spec.high ? spec.low : spec.high;
    return key.default_text == "7" ? "8" : "7";
  case value_kind::number:
    return key.default_text == "0.125" ? "0.25" : "0.125";
  case value_kind::choice:
    return spec.choices[0] == key.default_text ? spec.choices[1] : spec.choices[0];
  case value_kind::bytes:
    return "7KiB";
  case value_kind::duration:
    return "7s";
  case value_kind::interval:
    return "7";
  case value_kind::list:
    if (leaf_of(key.path) == "shape")
      return "[3, 9, 8]";
    if (const auto& name = leaf_of(key.path); other_lists().count(name) > 0)
      return other_lists().at(name);
    return "[a, \"b c\"]";
  case value_kind::map:
    return parent_of(key.path) == "model" ? "{width: 9}" : "{count: 9}";
  }
  return {};
}

/// Returns values just outside of what `key` takes.
inline std::vector<std::string> values_out_of_range(const config_key& key) {
  const auto& spec = key.spec;
  switch (spec.kind) {
  case value_kind::text:
    return {std::string(5000, 'x')};
  case value_kind::boolean:
    return {"yes", "no", "True", "1", "0", "\"true\""};
  case value_kind::choice:
    return {"no-such-choice", "\"\""};
  case value_kind::bytes:
    return {"0", "1TiB", "2000GiB", "-1", "1e3", ".inf"};
  case value_kind::duration:
    return {"0s", "25h", "-1s", "60", "1.5s", ".nan"};
  case value_kind::interval:
    return {"-1", "0ep", "1.5", "ep", "1e3", "2 ep", "18446744073709551616"};
  case value_kind::whole: {
    std::vector<std::string> out{"-1", "1e3", "1.5", "0x10", ".inf", "\"8\"", "99999999999999999999999"};
    if (spec.low == "1")
      out.push_back("0");
    out.push_back(std::to_string(std::stoull(spec.high)) == "18446744073709551615"
                    ? "18446744073709551616"
                    : std::to_string(std::stoull(spec.high) + 1));
    return out;
  }
  case value_kind::number: {
    std::vector<std::string> out{".nan", "nan", ".inf", "-.inf", "inf", "1e999", "\"0.5\"", "0.5x"};
    if (!spec.low.empty())
      out.push_back(spec.low_excluded ? spec.low : fmt::format("{}", std::stod(spec.low) - 1e-9));
    if (!spec.high.empty())
      out.push_back(spec.high_excluded ? spec.high : fmt::format("{}", std::stod(spec.high) + 1e-9));
    return out;
  }
  case value_kind::list:
    return {"[[a]]", "[{}]", "[null]", "[\"a\\nb\", {a: b, c: d}]"};
  case value_kind::map:
    return {"{zzzzzzzz: 1}"};
  }
  return {};
}

/// Returns values of a type that `key` does not take.
inline std::vector<std::string> values_of_wrong_type(const config_key& key) {
  std::vector<std::string> out{"null", "~"};
  if (key.spec.kind != value_kind::map)
    out.push_back("{a: 1}");
  out.push_back(key.spec.kind == value_kind::list ? "plain" : "[1, 2]");
  if (key.spec.kind != value_kind::text)
    out.push_back("\"some text\"");
  return out;
}

/// Returns the config of nothing but `overrides`; `root` need not be valid as a whole.
inline run_config read_overrides(const std::vector<std::string>& overrides, problem_list& problems) {
  node root;
  root.kind = node_kind::map;
  root.where = {"test", 1, 1};
  apply_overrides(overrides, root, problems);
  return read_config(root, problems);
}

/// Returns the override `path=value`, and before it what makes the key count.
inline std::vector<std::string> set_key(const config_key& key, const std::string& value) {
  std::vector<std::string> out;
  if (!key.only_for.empty())
    out.push_back(fmt::format("{}={}", selector_of(key), key.only_for.front()));
  out.push_back(fmt::format("{}={}", key.path, value));
  return out;
}

} // namespace troupe::test
