#include "actors/loader/user_cache.hpp"

#include <cstdlib>

namespace troupe {

namespace {

std::string absolute_folder_in(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value == '/' ? value : "";
}

} // namespace

std::string user_cache_folder(const std::string& name) {
  if (const auto cache = absolute_folder_in("XDG_CACHE_HOME"); !cache.empty())
    return cache + "/troupe/" + name;
  if (const auto home = absolute_folder_in("HOME"); !home.empty())
    return home + "/.cache/troupe/" + name;
  return {};
}

} // namespace troupe
