#include "actors/saver/safetensors_sax.hpp"

#include "actors/saver/safetensors_header.hpp"

namespace troupe {

bool safetensors_sax::refuse(const std::string& why) {
  problem_ = why;
  return false;
}

std::string safetensors_sax::where() const {
  switch (place_) {
  case place::start:
  case place::top:
  case place::done:
    return "header";
  case place::metadata:
    return "__metadata__";
  case place::entry:
  case place::shape:
  case place::offsets:
    break;
  }
  return "tensor '" + entries.back().name + "'";
}

bool safetensors_sax::unexpected(const std::string& what) {
  return refuse(where() + ": " + what + " at '" + key_ + "', which does not belong there");
}

bool safetensors_sax::number_unsigned(number_unsigned_t value) {
  if (place_ == place::shape) {
    if (entries.back().shape.size() == max_rank)
      return refuse(where() + ": more than " + std::to_string(max_rank) + " dimensions");
    entries.back().shape.push_back(value);
    return true;
  }
  if (place_ == place::offsets && num_offsets_ < 2) {
    entries.back().offsets[num_offsets_++] = value;
    return true;
  }
  return unexpected("the number " + std::to_string(value));
}

bool safetensors_sax::string(string_t& value) {
  if (place_ == place::metadata) {
    metadata[key_] = std::move(value);
    return true;
  }
  if (place_ == place::entry && key_ == "dtype") {
    entries.back().type = std::move(value);
    return true;
  }
  return unexpected("a string");
}

bool safetensors_sax::start_object(std::size_t) {
  if (place_ == place::start) {
    place_ = place::top;
    return true;
  }
  if (place_ != place::top)
    return unexpected("an object");
  if (key_ == "__metadata__") {
    place_ = place::metadata;
    return true;
  }
  if (entries.size() == max_tensors)
    return refuse("more than " + std::to_string(max_tensors) + " tensors");
  entries.push_back({key_, {}, {}, {}});
  has_type_ = has_shape_ = has_offsets_ = false;
  place_ = place::entry;
  return true;
}

bool safetensors_sax::entry_key(const std::string& name) {
  auto* seen = name == "dtype"          ? &has_type_
               : name == "shape"        ? &has_shape_
               : name == "data_offsets" ? &has_offsets_
                                        : nullptr;
  if (seen == nullptr)
    return refuse(where() + ": unknown key '" + name + "', expected dtype, shape and data_offsets");
  if (*seen)
    return refuse(where() + ": '" + name + "' is there twice");
  *seen = true;
  return true;
}

bool safetensors_sax::key(string_t& name) {
  key_ = name;
  if (place_ == place::entry)
    return entry_key(name);
  if (place_ == place::metadata)
    return !metadata.contains(name) || refuse("__metadata__: '" + name + "' is there twice");
  if (name == "__metadata__") {
    if (std::exchange(has_metadata_, true))
      return refuse("__metadata__ is there twice");
    return true;
  }
  return names_.insert(name).second || refuse("tensor '" + name + "' is there twice");
}

bool safetensors_sax::end_object() {
  if (place_ == place::entry && !(has_type_ && has_shape_ && has_offsets_))
    return refuse(where() + ": dtype, shape or data_offsets is missing");
  place_ = place_ == place::top ? place::done : place::top;
  return true;
}

bool safetensors_sax::start_array(std::size_t) {
  if (place_ == place::entry && key_ == "shape") {
    place_ = place::shape;
    return true;
  }
  if (place_ == place::entry && key_ == "data_offsets") {
    place_ = place::offsets;
    num_offsets_ = 0;
    return true;
  }
  return unexpected("an array");
}

bool safetensors_sax::end_array() {
  if (place_ == place::offsets && num_offsets_ != 2)
    return refuse(where() + ": data_offsets has " + std::to_string(num_offsets_) + " numbers, expected 2");
  place_ = place::entry;
  return true;
}

bool safetensors_sax::parse_error(std::size_t position, const std::string&, const nlohmann::json::exception&) {
  return refuse("not valid JSON in UTF-8 near byte " + std::to_string(position));
}

} // namespace troupe
