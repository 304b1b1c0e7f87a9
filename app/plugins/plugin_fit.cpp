#include "app/plugins/plugin_fit.hpp"

#include "actors/plugin/plugin_entry.hpp"

#include <torch/csrc/api/include/torch/version.h>

#include <fmt/format.h>

#include <string_view>

namespace troupe {

namespace {

failure misfit(const std::string& path, std::string_view what, std::string_view found, std::string_view own) {
  return {ec::mismatch, fmt::format("{}: its {} is {}, expected {}: rebuild it against this Troupe: cmake -S SOURCES "
                                    "-B BUILD -DTroupe_DIR=THIS_TROUPE, then cmake --build BUILD --clean-first",
                                    path, what, found, own)};
}

std::string layout_text(const plugin_identity& x) {
  return fmt::format("{:016x}, {} bytes", x.layout, x.size);
}

} // namespace

plugin_identity own_identity() {
  return {plugin_api_version, sizeof(plugin_entry), TROUPE_BUILD_ID, TORCH_VERSION, plugin_layout_id(), {}, {}, {}};
}

expected<void> check_fit(const plugin_identity& found, const plugin_identity& own, const std::string& path) {
  if (found.api != own.api)
    return misfit(path, "plugin API", std::to_string(found.api), std::to_string(own.api));
  if (found.build != own.build)
    return misfit(path, "build", "\"" + found.build + "\"", "\"" + own.build + "\"");
  if (found.layout != own.layout || found.size != own.size)
    return misfit(path, "layout of messages", layout_text(found), layout_text(own));
  if (!found.torch.empty() && found.torch != own.torch)
    return misfit(path, "LibTorch", found.torch, own.torch);
  return {};
}

} // namespace troupe
