/// The one symbol that a plugin exports: data, which the program reads in the file before it loads anything.
#pragma once

#include "actors/plugin/build_id.hpp"

#include <cstdint>

namespace troupe {

class plugin;

/// Plain data without pointers but for `fill`, so that the program can read it in the file. `api`, `size` and `build` come
/// first and stay there for ever. Texts end with a zero.
struct plugin_entry {
  std::uint32_t api;     ///< `plugin_api_version`
  std::uint32_t size;    ///< Of this struct.
  char build[192];       ///< `TROUPE_BUILD_ID`
  char torch[32];        ///< Version of LibTorch that it was built with; "": it does not use it.
  std::uint64_t layout;  ///< `plugin_layout_id()`
  char name[64];         ///< snake_case; unique among the plugins of a process.
  char version[64];      ///< Its own, for people.
  void (*fill)(plugin&); ///< Adds all that the plugin offers. May throw.
};

/// Name of the symbol.
inline constexpr const char* plugin_symbol = "troupe_plugin";

} // namespace troupe

#ifdef TROUPE_PLUGIN_TORCH
#define TROUPE_PLUGIN_TORCH_VERSION TORCH_VERSION
#else
#define TROUPE_PLUGIN_TORCH_VERSION ""
#endif

/// Makes a library a plugin: `TROUPE_PLUGIN(clahe, "1.0") { plugin.transform(...); }`, once, outside of namespaces.
#define TROUPE_PLUGIN(plugin_name, plugin_version)                                                                     \
  static void troupe_fill_plugin(::troupe::plugin& plugin);                                                            \
  extern "C" __attribute__((visibility("default")))                                                                    \
  const ::troupe::plugin_entry troupe_plugin{::troupe::plugin_api_version,                                             \
                                             sizeof(::troupe::plugin_entry),                                           \
                                             TROUPE_BUILD_ID,                                                          \
                                             TROUPE_PLUGIN_TORCH_VERSION,                                              \
                                             ::troupe::plugin_layout_id(),                                             \
                                             #plugin_name,                                                             \
                                             plugin_version,                                                           \
                                             troupe_fill_plugin};                                                      \
  static void troupe_fill_plugin([[maybe_unused]] ::troupe::plugin& plugin)
