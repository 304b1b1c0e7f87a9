#include "app/plugins/plugin_loader.hpp"

#include "actors/plugin/plugin.hpp"
#include "actors/plugin/plugin_entry.hpp"
#include "actors/support/components/plugin_guard.hpp"
#include "actors/support/figures.hpp"
#include "app/plugins/offer_checks.hpp"
#include "app/plugins/plugin_file.hpp"
#include "app/plugins/plugin_fit.hpp"
#include "app/plugins/plugin_search.hpp"
#include "app/plugins/snake_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <dlfcn.h>
#include <iterator>
#include <utility>

namespace troupe {

namespace {

std::vector<loaded_plugin>& all_loaded() {
  static std::vector<loaded_plugin> only;
  return only;
}

template <class Field>
const loaded_plugin* find_loaded(Field field, const std::string& value) {
  const auto& all = all_loaded();
  const auto found = std::find_if(all.begin(), all.end(), [&](auto& x) { return x.*field == value; });
  return found == all.end() ? nullptr : &*found;
}

expected<void> check_name(const plugin_identity& identity, const std::string& path) {
  if (!is_snake_case(identity.name))
    return failure{ec::bad_config, fmt::format("{}: its name is \"{}\", {}", path, identity.name, name_rule)};
  if (const auto* other = find_loaded(&loaded_plugin::name, identity.name); other != nullptr)
    return failure{ec::bad_config, fmt::format("{}: its name is {}, as that of {}, which is loaded: expected one "
                                               "plugin of that name",
                                               path, identity.name, other->path)};
  return {};
}

std::string text_of_dlerror() {
  const char* text = dlerror();
  return text == nullptr ? "no reason given" : text;
}

/// Maps the library for ever: the run holds functions of it.
expected<const plugin_entry*> open_library(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  const void* entry = library == nullptr ? nullptr : dlsym(library, plugin_symbol);
  if (entry == nullptr)
    return failure{ec::mismatch, fmt::format("{}: cannot be loaded: {}; expected a library whose symbols are all "
                                             "found: rebuild it against this Troupe, with every library that it needs",
                                             path, printable(text_of_dlerror()))};
  return static_cast<const plugin_entry*>(entry);
}

expected<void> fill(plugin& offer, const plugin_entry& entry, const std::string& who) {
  try {
    entry.fill(offer);
    return {};
  } catch (...) {
    return failure{ec::plugin_failed,
                   who + ": it threw while it said what it offers: " + printable(text_of(std::current_exception()))};
  }
}

template <class T>
void append(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

void publish(plugin& offer) {
  auto& components = component_registry::instance();
  append(components.transforms, offer.components.transforms);
  append(components.batch_transforms, offer.components.batch_transforms);
  append(components.data_sources, offer.components.data_sources);
  append(components.decoders, offer.components.decoders);
  append(components.models, offer.components.models);
  append(components.metrics, offer.components.metrics);
  append(components.log_sinks, offer.components.log_sinks);
  auto& actors = actor_registry::instance();
  append(actors.augmenters, offer.actors.augmenters);
  append(actors.stages, offer.actors.stages);
  append(actors.listeners, offer.actors.listeners);
}

/// @pre the file at `path` fits and its name is free
expected<void> take_in(const plugin_identity& identity, const std::string& path) {
  const auto entry = open_library(path);
  if (!entry)
    return entry.error();
  const auto who = fmt::format("{} (plugin {})", path, identity.name);
  plugin offer{identity.name};
  if (auto filled = fill(offer, **entry, who); !filled)
    return filled;
  if (auto checked = check_offer(offer, who); !checked)
    return checked;
  publish(offer);
  return {};
}

} // namespace

expected<loaded_plugin> load_plugin(const std::string& wanted, const std::string& folder) {
  const auto path = find_plugin(wanted, folder);
  if (!path)
    return path.error();
  if (const auto* same = find_loaded(&loaded_plugin::path, *path); same != nullptr)
    return *same;
  const auto identity = read_identity(*path);
  if (!identity)
    return identity.error();
  if (auto fits = check_fit(*identity, own_identity(), *path); !fits)
    return fits.error();
  if (auto named = check_name(*identity, *path); !named)
    return named.error();
  if (auto taken = take_in(*identity, *path); !taken)
    return taken.error();
  all_loaded().push_back({identity->name, identity->version, *path, identity->digest});
  return all_loaded().back();
}

const std::vector<loaded_plugin>& loaded_plugins() {
  return all_loaded();
}

} // namespace troupe
