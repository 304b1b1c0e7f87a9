#include "actors/support/imaging/plugin_extensions.hpp"

#include "actors/support/components/component_registry.hpp"
#include "actors/support/components/plugin_guard.hpp"

#include <algorithm>

namespace troupe {

namespace {

using extension_list = std::vector<std::pair<std::string, image_format>>;

extension_list ask_all() {
  const auto& decoders = component_registry::instance().decoders;
  extension_list out;
  for (std::size_t place = 0; place < std::min(decoders.size(), max_plugin_formats); ++place) {
    const auto& kind = decoders[place];
    std::vector<std::string> found;
    const auto asked = plugin_guard(kind.plugin, "decoder " + kind.name).call(no_sample, [&] {
      if (const auto decoder = kind.make(parameters(kind.parameters)))
        found = decoder->extensions();
    });
    if (!asked)
      continue;
    for (auto& extension : found)
      out.emplace_back(std::move(extension), plugin_format(place));
  }
  return out;
}

} // namespace

const extension_list& plugin_extensions() {
  static const auto asked = ask_all();
  return asked;
}

std::string_view plugin_format_name(image_format format) noexcept {
  const auto& decoders = component_registry::instance().decoders;
  const auto place = place_of(format);
  return place < decoders.size() ? std::string_view(decoders[place].name) : "unknown";
}

} // namespace troupe
