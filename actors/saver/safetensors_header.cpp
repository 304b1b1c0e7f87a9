#include "actors/saver/safetensors_header.hpp"

#include "actors/saver/safetensors_sax.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include <nlohmann/json.hpp>

namespace troupe {

namespace {

struct type_name {
  dtype type;
  std::string_view name;
};

// In the format's writing order: wide types first, so that every tensor starts at a multiple of its element's size.
constexpr std::array<type_name, 8> type_names{{{dtype::i64, "I64"},
                                               {dtype::f64, "F64"},
                                               {dtype::f32, "F32"},
                                               {dtype::i32, "I32"},
                                               {dtype::bf16, "BF16"},
                                               {dtype::f16, "F16"},
                                               {dtype::u8, "U8"},
                                               {dtype::boolean, "BOOL"}}};

std::size_t writing_order(dtype type) noexcept {
  auto found = std::find_if(type_names.begin(), type_names.end(), [&](const type_name& x) { return x.type == type; });
  return static_cast<std::size_t>(found - type_names.begin());
}

failure corrupt(const std::string& name, const std::string& why) {
  return {ec::corrupt, "tensor '" + name + "': " + why};
}

// Bytes of a tensor of this shape, or a failure where they do not fit into 64 bits.
expected<std::uint64_t> checked_bytes(const raw_entry& x, dtype type) {
  std::uint64_t num_bytes = size_of(type);
  for (auto extent : x.shape)
    if (extent > INT64_MAX || __builtin_mul_overflow(num_bytes, extent, &num_bytes))
      return corrupt(x.name, "its shape is too large");
  return num_bytes;
}

expected<safetensors_entry> checked_entry(raw_entry&& x) {
  auto known = std::find_if(type_names.begin(), type_names.end(), [&](const type_name& y) { return y.name == x.type; });
  if (known == type_names.end())
    return failure{ec::unsupported, "tensor '" + x.name + "': element type " + x.type
                                      + ", expected BOOL, U8, I32, I64, F16, BF16, F32 or F64"};
  auto num_bytes = checked_bytes(x, known->type);
  if (!num_bytes)
    return num_bytes.error();
  if (x.offsets[1] < x.offsets[0] || x.offsets[1] - x.offsets[0] != *num_bytes)
    return corrupt(x.name, "data_offsets [" + std::to_string(x.offsets[0]) + ", " + std::to_string(x.offsets[1])
                             + "], expected " + std::to_string(*num_bytes) + " bytes by its shape");
  return safetensors_entry{
    std::move(x.name), known->type, {x.shape.begin(), x.shape.end()}, x.offsets[0], x.offsets[1]};
}

expected<void> check_layout(const std::vector<safetensors_entry>& entries) {
  std::uint64_t expected_begin = 0;
  for (auto& x : entries) {
    if (x.begin != expected_begin)
      return corrupt(x.name, "starts at byte " + std::to_string(x.begin) + ", expected "
                               + std::to_string(expected_begin) + ": a hole or an overlap");
    expected_begin = x.end;
  }
  return {};
}

expected<void> check_writable(const named_tensor& x, std::set<std::string_view>& names) {
  auto mismatch = [&](const char* why) { return failure{ec::mismatch, "tensor '" + x.name + "': " + why}; };
  if (x.name == "__metadata__")
    return mismatch("the name is reserved by the format");
  if (!names.insert(x.name).second)
    return mismatch("the name is there twice");
  if (std::any_of(x.value.shape.begin(), x.value.shape.end(), [](std::int64_t extent) { return extent < 0; }))
    return mismatch("negative extent in its shape");
  if (x.value.bytes == nullptr && x.value.num_bytes() > 0)
    return mismatch("it has no bytes");
  return {};
}

} // namespace

std::string_view safetensors_name(dtype type) noexcept {
  return type_names[writing_order(type)].name;
}

expected<safetensors_header> parse_safetensors_header(std::string_view json) {
  if (json.empty() || json.front() != '{')
    return failure{ec::corrupt, "header does not start with '{'"};
  // The parser takes a zero byte for the end of its input and would not see what follows.
  if (json.find('\0') != std::string_view::npos)
    return failure{ec::corrupt, "header: a zero byte"};
  safetensors_sax sax;
  if (!nlohmann::json::sax_parse(json.begin(), json.end(), &sax))
    return failure{ec::corrupt, "header: " + sax.problem()};
  safetensors_header result;
  result.metadata = std::move(sax.metadata);
  result.entries.reserve(sax.entries.size());
  for (auto& x : sax.entries) {
    auto entry = checked_entry(std::move(x));
    if (!entry)
      return entry.error();
    result.entries.push_back(*std::move(entry));
  }
  std::sort(result.entries.begin(), result.entries.end(), [](const auto& a, const auto& b) {
    return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
  });
  if (auto ok = check_layout(result.entries); !ok)
    return ok.error();
  return result;
}

expected<safetensors_header> plan_safetensors(std::span<const named_tensor> tensors,
                                              std::map<std::string, std::string> metadata) {
  safetensors_header result;
  result.metadata = std::move(metadata);
  std::set<std::string_view> names;
  for (auto& x : tensors) {
    if (auto ok = check_writable(x, names); !ok)
      return ok.error();
    result.entries.push_back({x.name, x.value.type, x.value.shape, 0, x.value.num_bytes()});
  }
  std::sort(result.entries.begin(), result.entries.end(), [](const auto& a, const auto& b) {
    return std::pair{writing_order(a.type), std::string_view{a.name}}
           < std::pair{writing_order(b.type), std::string_view{b.name}};
  });
  std::uint64_t begin = 0;
  for (auto& x : result.entries) {
    x.begin = begin;
    begin = x.end += begin;
  }
  return result;
}

expected<std::string> to_json(const safetensors_header& header) try {
  using nlohmann::json;
  // Written by hand where the order counts: the tensors stand in the order of their bytes.
  std::string text = "{";
  if (!header.metadata.empty())
    text += "\"__metadata__\":" + json(header.metadata).dump();
  for (auto& x : header.entries) {
    text += text.size() > 1 ? "," : "";
    text += json(x.name).dump() + ":{\"dtype\":\"" + std::string{safetensors_name(x.type)}
            + "\",\"shape\":" + json(x.shape).dump() + ",\"data_offsets\":" + json{x.begin, x.end}.dump() + "}";
  }
  text += "}";
  constexpr std::size_t alignment = 8;
  text.resize((text.size() + alignment - 1) / alignment * alignment, ' ');
  return text;
} catch (const nlohmann::json::exception& error) {
  return failure{ec::mismatch, std::string{"a name or the metadata is not UTF-8: "} + error.what()};
}

} // namespace troupe
