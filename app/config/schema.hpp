/// Every key of a config, in one table: parsing, checks, hints, the reference, the resolved config and the rules of
/// resuming all come from it.
#pragma once

#include "app/config/key.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace troupe {

using config_key = basic_key<run_config>;

/// A group of keys for the reference.
struct config_section {
  std::string path; ///< "data.train"; empty: the top level.
  std::string about;
};

struct config_schema {
  std::vector<config_section> sections;
  std::vector<config_key> keys; ///< Keys with a common prefix are neighbours.

  /// Returns the key at this dotted path; null: there is none.
  [[nodiscard]] const config_key* find(std::string_view path) const;
  /// Returns true if some key lies below `path`.
  [[nodiscard]] bool is_section(std::string_view path) const;
  /// Returns false for a key of another kind of data set or model than the one that `config` names beside it.
  [[nodiscard]] bool counts(const config_key& key, const run_config& config) const;
  /// Returns the hint for an unknown key: the nearest one, or the valid ones of its section.
  [[nodiscard]] std::string hint(std::string_view unknown_path) const;
};

/// Returns the table, with all that plugins have brought up to now. References to earlier ones stay valid. Safe from any
/// thread while no plugin is being loaded.
[[nodiscard]] const config_schema& schema();

/// Returns the path of the key that says whether `key` counts: "data.train.dataset". @pre `key.only_for` is not empty.
[[nodiscard]] std::string selector_of(const config_key& key);

/// Returns "optimizer" for "optimizer.lr", "" for "plugins".
[[nodiscard]] std::string_view parent_of(std::string_view path) noexcept;
/// Returns "lr" for "optimizer.lr".
[[nodiscard]] std::string_view leaf_of(std::string_view path) noexcept;

// The parts of the table, one per group of sections.
void add_data_keys(config_schema& to);
void add_pipeline_keys(config_schema& to);
void add_training_keys(config_schema& to);
void add_output_keys(config_schema& to);

/// Returns an adder for the keys of one section of `run_config`.
template <class Part>
[[nodiscard]] key_adder<run_config, Part> add_section(config_schema& to, const std::string& path, std::string about,
                                                      Part run_config::*part) {
  to.sections.push_back({path, std::move(about)});
  return {to.keys, path + ".", [part](const run_config& x) { return &(x.*part); },
          [part](run_config& x) -> Part& { return x.*part; }};
}

} // namespace troupe
