/// What the trace calls a message, and how it finds the ids that the message is about.
#pragma once

#include "messages/trace_ids.hpp"

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <typeinfo>

#include <caf/fwd.hpp>

namespace troupe {

class trace_recorder;

/// Reads the ids from a payload of the registered type.
using ids_function = trace_ids (*)(const void*);

/// Registers a payload type under `name`. Any thread, but before the first message of that type is traced; the first
/// registration of a type counts. Kept for the life of the process.
void register_message_type(const std::type_info& type, std::string_view name, ids_function ids);

/// Registers `T` under `name`, with its ids where `ids_of(const T&)` exists. Types that nobody registers appear under
/// their C++ name and without ids, types that CAF has built in always under CAF's.
template <class T>
void register_message_type(std::string_view name) {
  ids_function ids = nullptr;
  if constexpr (requires(const T& x) {
                  { ids_of(x) } -> std::same_as<trace_ids>;
                })
    ids = [](const void* x) { return ids_of(*static_cast<const T*>(x)); };
  register_message_type(typeid(T), name, ids);
}

/// A message's label in the trace.
struct message_label {
  std::uint32_t name = 0; ///< "verb", "payload" or "verb payload": the leading atom and the first other element.
  trace_ids ids;          ///< Of the first element that has any.
};

/// Labels a message by its content. Any thread.
[[nodiscard]] message_label label_of(const caf::type_erased_tuple& content, trace_recorder& recorder);

} // namespace troupe
