#include "actors/support/components/plugin_guard.hpp"

namespace troupe {

namespace {

plugin_failure_handling& current_handling() noexcept {
  static plugin_failure_handling only;
  return only;
}

} // namespace

void handle_plugin_failures(plugin_failure_handling how) {
  current_handling() = std::move(how);
}

const plugin_failure_handling& plugin_failures() noexcept {
  return current_handling();
}

std::string text_of(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& error) {
    return error.what() != nullptr ? error.what() : "it gave no reason";
  } catch (const std::string& text) {
    return text;
  } catch (const char* text) {
    return text != nullptr ? text : "it gave no reason";
  } catch (...) {
    return "it threw what is no std::exception";
  }
}

failure plugin_guard::failed(std::uint64_t sample, std::string what) noexcept {
  const auto& how = plugin_failures();
  if (how.policy == plugin_policy::disable)
    enabled_.store(false, std::memory_order_relaxed);
  if (how.report)
    how.report({plugin_, component_, what, sample, how.policy == plugin_policy::disable});
  return {ec::plugin_failed, component_ + " (plugin " + plugin_ + "): " + std::move(what)};
}

} // namespace troupe
