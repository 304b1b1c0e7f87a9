#include "actors/glue/message_types.hpp"

#include "actors/glue/trace_recorder.hpp"

#include <caf/atom.hpp>
#include <caf/rtti_pair.hpp>
#include <caf/type_erased_tuple.hpp>
#include <caf/type_nr.hpp>

#include <array>
#include <atomic>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace troupe {

namespace {

/// A payload type as the trace knows it. Entries live for ever.
struct known_type {
  const std::type_info* type = nullptr; ///< nullptr: CAF's built-in type `number`.
  std::uint16_t number = 0;
  std::string name;
  ids_function ids = nullptr;
  const known_type* next = nullptr;
};

// Atomic, because any thread may meet a new type, and the others must not wait: a list that only grows, at its front.
std::atomic<const known_type*> known_types{nullptr};

const known_type* find_type(const caf::rtti_pair& type) noexcept {
  const known_type* oldest = nullptr; // The first registration lies deepest.
  for (auto* each = known_types.load(std::memory_order_acquire); each != nullptr; each = each->next)
    if (each->number == type.first && (type.second == nullptr || *each->type == *type.second))
      oldest = each;
  return oldest;
}

const known_type* add_type(std::unique_ptr<known_type> entry) noexcept {
  entry->next = known_types.load(std::memory_order_relaxed);
  while (!known_types.compare_exchange_weak(entry->next, entry.get(), std::memory_order_release)) {
  }
  return entry.release();
}

/// "troupe::(anonymous namespace)::chunk" -> "chunk"; template arguments stay as they are.
std::string short_name(const std::type_info& type) {
  int status = 0;
  std::unique_ptr<char, decltype(&std::free)> demangled{abi::__cxa_demangle(type.name(), nullptr, nullptr, &status),
                                                        &std::free};
  std::string name = status == 0 ? demangled.get() : type.name();
  const auto scope = name.rfind("::", name.find('<'));
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

/// "@i32" -> "i32"
std::string builtin_name(const caf::rtti_pair& type) {
  const auto index = static_cast<std::size_t>(type.first) - 1;
  if (index >= caf::type_nrs - 1)
    return "type " + std::to_string(type.first);
  const std::string_view name = caf::numbered_type_names[index];
  return std::string{name.substr(name.starts_with('@') ? 1 : 0)};
}

const known_type* look_up(const caf::rtti_pair& type) {
  if (const auto* known = find_type(type))
    return known;
  auto entry = std::make_unique<known_type>();
  entry->type = type.second;
  entry->number = type.first;
  entry->name = type.second != nullptr ? short_name(*type.second) : builtin_name(type);
  return add_type(std::move(entry));
}

/// A thread's memory of the types that it met lately: finding a type by its name would cost more than the message.
const known_type* type_at(const caf::type_erased_tuple& content, std::size_t position) {
  struct line {
    caf::rtti_pair type{0, nullptr};
    const known_type* known = nullptr;
  };
  thread_local std::array<line, 64> cache;
  const auto type = content.type(position);
  const auto key = type.first + (reinterpret_cast<std::uintptr_t>(type.second) >> 4);
  auto& line = cache[key % cache.size()];
  if (line.known == nullptr || line.type != type)
    line = {type, look_up(type)};
  return line.known;
}

/// The number of the name that atom and payload make together.
std::uint32_t name_of(caf::atom_value atom, const known_type* type, trace_recorder& recorder) {
  struct line {
    std::uint64_t nonce = 0; ///< Of the recorder whose number it is.
    caf::atom_value atom{};
    const known_type* type = nullptr;
    std::uint32_t name = 0;
  };
  thread_local std::array<line, 64> cache;
  const auto nonce = recorder.map().header().nonce;
  const auto key =
    (reinterpret_cast<std::uintptr_t>(type) >> 4) ^ (static_cast<std::uint64_t>(atom) * 0x9e3779b97f4a7c15 >> 40);
  auto& line = cache[key % cache.size()];
  if (line.nonce != nonce || line.atom != atom || line.type != type) {
    auto text = atom == caf::atom_value{} ? std::string{} : caf::to_string(atom);
    if (type != nullptr)
      text += text.empty() ? type->name : " " + type->name;
    if (text.empty())
      text = "(empty)";
    line = {nonce, atom, type, recorder.map().strings().intern(text)};
  }
  return line.name;
}

} // namespace

void register_message_type(const std::type_info& type, std::string_view name, ids_function ids) {
  auto entry = std::make_unique<known_type>();
  entry->type = &type;
  entry->name = name;
  entry->ids = ids;
  add_type(std::move(entry));
}

message_label label_of(const caf::type_erased_tuple& content, trace_recorder& recorder) {
  caf::atom_value atom{};
  const known_type* payload = nullptr;
  message_label label;
  bool has_ids = false;
  for (std::size_t i = 0; i < content.size() && !has_ids; ++i) {
    if (content.type(i).first == caf::type_nr<caf::atom_value>::value) {
      if (atom == caf::atom_value{} && payload == nullptr)
        atom = content.get_as<caf::atom_value>(i);
      continue;
    }
    const auto* type = type_at(content, i);
    if (payload == nullptr)
      payload = type;
    if (type->ids != nullptr) {
      label.ids = type->ids(content.get(i));
      has_ids = true;
    }
  }
  label.name = name_of(atom, payload, recorder);
  return label;
}

} // namespace troupe
