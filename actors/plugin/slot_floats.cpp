#include "actors/plugin/slot_floats.hpp"

#include "actors/glue/trace_events.hpp"
#include "actors/support/bfloat16.hpp"
#include "messages/pixel_type.hpp"

#include <cstring>
#include <stdexcept>
#include <string>

namespace troupe {

slot_floats::slot_floats(const batch_slice& slice, std::uint32_t i) : slice_(slice), i_(i) {
  trace_progress(slice.sample_id(i));
  const auto& layout = slice.layout();
  const auto count = layout.values_per_sample();
  auto* slot = slice.pixels(i);
  const bool is_float = layout.type == pixel_type::float32;
  if (is_float && !checked_build) {
    values_ = {reinterpret_cast<float*>(slot), count};
    return;
  }
  copy_ = std::make_unique<guarded_block>(count * sizeof(float));
  values_ = {reinterpret_cast<float*>(copy_->data()), count};
  if (is_float)
    std::memcpy(values_.data(), slot, values_.size_bytes());
  else
    for (std::size_t k = 0; k < count; ++k)
      values_[k] = from_bfloat16(reinterpret_cast<const std::uint16_t*>(slot)[k]);
}

void slot_floats::commit() {
  if (!copy_)
    return;
  if (!copy_->intact())
    throw std::out_of_range("wrote beside slot " + std::to_string(slice_.first() + i_) + ", which has "
                            + std::to_string(values_.size()) + " numbers");
  auto* slot = slice_.pixels(i_);
  if (slice_.layout().type == pixel_type::float32)
    std::memcpy(slot, values_.data(), values_.size_bytes());
  else
    for (std::size_t k = 0; k < values_.size(); ++k)
      reinterpret_cast<std::uint16_t*>(slot)[k] = to_bfloat16(values_[k]);
}

} // namespace troupe
