/// A YAML document as a tree that remembers where every value stands.
#pragma once

#include "app/config/problem.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

struct map_entry;

enum class node_kind : std::uint8_t { null, scalar, list, map };

/// One value of the document. Only the member that `kind` names is filled.
struct node {
  node_kind kind = node_kind::null;
  position where;
  std::string text;               ///< scalar
  bool quoted = false;            ///< scalar: written in quotes, hence never a number or a truth value.
  std::vector<node> items;        ///< list
  std::vector<map_entry> entries; ///< map, in the order of the file; keys are unique.

  [[nodiscard]] map_entry* find(std::string_view key);
  [[nodiscard]] const map_entry* find(std::string_view key) const;
};

struct map_entry {
  std::string key;
  position where; ///< Of the key.
  node value;
};

/// How the positions of a document are given: by line and column, or by its name alone (one-line sources).
enum class position_style : std::uint8_t { lines, name_only };

/// Bounds on what is read; a config needs a small part of each.
inline constexpr std::size_t max_source_bytes = 1u << 20;
inline constexpr std::size_t max_document_depth = 32;
inline constexpr std::size_t max_document_nodes = 20'000;

/// Parses `text` into a tree. Nothing, and a problem, if it is not one YAML document within the bounds above: bad UTF-8,
/// control characters, tabs as indentation, anchors, aliases and keys that are not plain text are refused. Duplicate
/// keys are a problem too, but the tree (with the first of them) is returned, so that more problems can be found.
[[nodiscard]] std::optional<node> parse_document(std::string_view text, const std::string& source, position_style style,
                                                 problem_list& problems);

/// Returns where `path` ("transforms.train[0].normalize.mean") stands, or the innermost part of it that exists.
[[nodiscard]] position find_position(const node& root, std::string_view path);

/// Returns "a map", "a list", "nothing", or the scalar's text in quotes, shortened.
[[nodiscard]] std::string describe(const node& x);

} // namespace troupe
