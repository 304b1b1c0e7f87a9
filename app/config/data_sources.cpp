#include "app/config/data_sources.hpp"

namespace troupe {

namespace {

dataset_config part_of(const data_section& data, data_part part) {
  auto out = data.train;
  out.part = part;
  out.held_out_share = data.held_out;
  out.held_out_seed = data.split_seed;
  return out;
}

} // namespace

dataset_config training_source(const data_section& data) {
  return data.held_out > 0 ? part_of(data, data_part::kept) : data.train;
}

std::optional<dataset_config> validation_source(const data_section& data) {
  return data.held_out > 0 ? part_of(data, data_part::held_out) : data.validation;
}

} // namespace troupe
