#include "actors/support/components/attachments.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

namespace troupe {

namespace {

constexpr std::string_view sampling_prefix = "sampling.";
constexpr std::string_view listener_prefix = "listener.";

/// A tensor over the numbers in `owner`, which it keeps alive.
template <class Container>
named_tensor row_of(std::string name, dtype type, const std::shared_ptr<const Container>& owner) {
  const auto bytes = reinterpret_cast<const std::byte*>(owner->data());
  return {std::move(name), {{static_cast<std::int64_t>(owner->size())}, type, {owner, bytes}}};
}

/// Takes a whole number off the front of the text.
std::optional<std::uint64_t> number_off(std::string_view& text) {
  std::uint64_t x = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (error != std::errc{})
    return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return x;
}

/// Version and first epoch, off "<version>.<from_epoch>".
std::optional<sample_weights> parsed(std::string_view text) {
  const auto version = number_off(text);
  if (!version || !text.starts_with('.'))
    return std::nullopt;
  text.remove_prefix(1);
  const auto from_epoch = number_off(text);
  if (!from_epoch || !text.empty())
    return std::nullopt;
  return sample_weights{*version, *from_epoch, nullptr};
}

failure corrupt(const named_tensor& x, const char* what_was_expected) {
  return {ec::corrupt, "attachment '" + x.name + "', expected " + what_was_expected};
}

bool is_row_of(const host_tensor& x, dtype type) {
  return x.type == type && x.shape.size() == 1 && x.shape[0] >= 0 && (x.bytes || x.shape[0] == 0);
}

/// The tensor's elements. @pre is_row_of(x, ...) with elements of that size
template <class Container>
Container copy_of(const host_tensor& x) {
  Container out(x.num_elements(), {});
  if (x.num_bytes() > 0)
    std::memcpy(out.data(), x.bytes.get(), x.num_bytes());
  return out;
}

} // namespace

std::vector<named_tensor> attachments_of(const std::vector<sample_weights>& sampling,
                                         const std::map<std::string, std::string>& listeners) {
  std::vector<named_tensor> out;
  for (const auto& each : sampling)
    out.push_back(
      row_of(std::string{sampling_prefix} + std::to_string(each.version) + "." + std::to_string(each.from_epoch),
             dtype::f32, each.weights));
  for (const auto& [name, kept] : listeners)
    out.push_back(row_of(std::string{listener_prefix} + name, dtype::u8, std::make_shared<const std::string>(kept)));
  return out;
}

expected<kept_attachments> read_attachments(const std::vector<named_tensor>& attachments) {
  kept_attachments out;
  for (const auto& each : attachments) {
    const std::string_view name = each.name;
    if (name.starts_with(listener_prefix)) {
      if (!is_row_of(each.value, dtype::u8))
        return corrupt(each, "a row of bytes");
      out.listeners[std::string{name.substr(listener_prefix.size())}] = copy_of<std::string>(each.value);
      continue;
    }
    auto weights = name.starts_with(sampling_prefix) ? parsed(name.substr(sampling_prefix.size())) : std::nullopt;
    if (!weights)
      return corrupt(each, "'sampling.<version>.<from_epoch>' or 'listener.<name>'");
    if (!is_row_of(each.value, dtype::f32))
      return corrupt(each, "a row of floats");
    weights->weights = std::make_shared<const std::vector<float>>(copy_of<std::vector<float>>(each.value));
    out.sampling.push_back(std::move(*weights));
  }
  std::stable_sort(out.sampling.begin(), out.sampling.end(),
                   [](const auto& a, const auto& b) { return a.version < b.version; });
  return out;
}

} // namespace troupe
