#include "actors/glue/guard.hpp"

#include <caf/make_message.hpp>
#include <caf/message.hpp>

namespace troupe {

namespace {

std::string what_of(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const std::exception& error) {
    return error.what();
  } catch (const caf::error& error) {
    return caf::to_string(error);
  } catch (...) {
    return "an exception that is no std::exception";
  }
}

} // namespace

caf::error to_error(const failure& why) {
  return caf::error{static_cast<std::uint8_t>(why.code), error_category, caf::make_message(to_string(why))};
}

failure to_failure(const caf::error& error) {
  if (!error)
    return {};
  if (error.category() != error_category)
    return {ec::actor_died, caf::to_string(error)};
  const auto& context = error.context();
  return {static_cast<ec>(error.code()),
          context.match_elements<std::string>() ? context.get_as<std::string>(0) : std::string{}};
}

void add_error_category(caf::actor_system_config& config) {
  config.add_error_category(error_category, [](std::uint8_t code, caf::atom_value, const caf::message& context) {
    if (context.match_elements<std::string>())
      return context.get_as<std::string>(0);
    return std::string{to_string(static_cast<ec>(code))};
  });
}

caf::error error_of(std::string_view actor, const std::exception_ptr& exception) {
  return to_error({ec::actor_died, std::string{actor} + ": " + what_of(exception)});
}

} // namespace troupe
