#include "app/config/check_resume.hpp"

#include "app/config/schema.hpp"

#include <fmt/format.h>

namespace troupe {

namespace {

std::string value_of(const config_key& key, const run_config& config) {
  const auto value = schema().counts(key, config) ? key.write(config) : std::nullopt;
  return value.value_or("(none)");
}

} // namespace

expected<std::vector<std::string>> check_resume(const run_config& stored, const run_config& now) {
  std::vector<std::string> notices;
  std::string refused;
  for (const auto& key : schema().keys) {
    const auto before = value_of(key, stored);
    const auto after = value_of(key, now);
    if (before == after)
      continue;
    if (key.on_resume == resume_rule::must_match)
      refused += fmt::format("\n  {}: stored {}, now {}", key.path, before, after);
    else
      notices.push_back(fmt::format("{} changed from {} to {}{}{}", key.path, before, after,
                                    key.resume_note.empty() ? "" : ": ", key.resume_note));
  }
  if (!refused.empty())
    return failure{ec::mismatch, "resume: what shapes the run must stay as it was stored; start a new run instead, or "
                                 "restore:"
                                   + refused};
  return notices;
}

} // namespace troupe
