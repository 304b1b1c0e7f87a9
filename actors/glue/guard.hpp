/// Errors with a story, as CAF values: what handlers answer with, and what an escaped exception becomes.
#pragma once

#include "messages/failure.hpp"

#include <caf/actor_system_config.hpp>
#include <caf/atom.hpp>
#include <caf/error.hpp>
#include <caf/fwd.hpp>

#include <exception>
#include <string>
#include <string_view>

namespace troupe {

/// CAF's category of `ec` codes.
inline constexpr caf::atom_value error_category = caf::atom("troupe");

/// The failure as a CAF error, text included.
[[nodiscard]] caf::error to_error(const failure& why);

/// The failure inside an error that `to_error` made. Any other error becomes `actor_died`, with CAF's rendering of it.
[[nodiscard]] failure to_failure(const caf::error& error);

/// Lets the actor system render our errors: `sys.render(error)` gives the text alone.
void add_error_category(caf::actor_system_config& config);

/// The error for an exception that left a handler of the actor called `actor`: `actor_died`, "trainer: what()".
[[nodiscard]] caf::error error_of(std::string_view actor, const std::exception_ptr& exception);

/// Makes an exception that leaves a handler of `self` end the actor with an error that names actor and cause, for
/// whoever asked and whoever monitors. CAF's own handler prints it and passes on a code without text.
template <class Self>
void report_exceptions(Self* self, std::string name) {
  self->set_exception_handler(
    [name = std::move(name)](std::exception_ptr& exception) { return error_of(name, exception); });
}

} // namespace troupe
