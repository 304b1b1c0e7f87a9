#include "app/trace_tools/analysis/name_patterns.hpp"

#include <algorithm>
#include <fnmatch.h>
#include <set>

namespace troupe {

namespace {

/// True also where a name is one of the other sort: what was recorded then decides.
bool matches_some(const recorded_trace& trace, const std::string& pattern) {
  return std::any_of(trace.processes.begin(), trace.processes.end(), [&](const recorded_process& process) {
    return std::any_of(process.names.begin(), process.names.end(), [&](const std::string& name) {
      return !name.empty() && fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
    });
  });
}

failure no_match(const std::string& pattern, const char* what, const std::set<std::string>& names) {
  std::string text = "\"" + pattern + "\" is the name of no " + what + ", expected a pattern that matches one of ";
  for (const auto& name : names)
    text += (name == *names.begin() ? "" : ", ") + name;
  return {ec::not_found, text};
}

} // namespace

expected<void> check_actor_pattern(const recorded_trace& trace, const std::string& pattern) {
  if (matches_some(trace, pattern))
    return {};
  std::set<std::string> names;
  for (const auto& process : trace.processes)
    for (const auto& [key, stats] : process.stats)
      if (key.receiver != 0)
        names.insert(process.name(key.receiver));
  return no_match(pattern, "actor", names);
}

expected<void> check_type_pattern(const recorded_trace& trace, const std::string& pattern) {
  if (matches_some(trace, pattern))
    return {};
  std::set<std::string> names;
  for (const auto& process : trace.processes)
    for (const auto& [key, stats] : process.stats)
      if (key.type != 0)
        names.insert(process.name(key.type));
  return no_match(pattern, "message type, mark, span or value", names);
}

} // namespace troupe
