#include "actors/loader/datasets/read_sample.hpp"

#include <exception>
#include <string>
#include <utility>

namespace troupe {

expected<encoded_sample> read_sample(const dataset& data, std::uint64_t id) try {
  auto sample = data.read(id);
  if (sample)
    return sample;
  auto why = std::move(sample).error();
  for (const auto& known : {std::string("loader: "), data.sample_name(id) + ": "})
    if (why.context.starts_with(known))
      why.context.erase(0, known.size());
  return why;
} catch (const std::exception& error) {
  return failure{ec::bad_data, std::string("cannot be read: ") + error.what()};
}

} // namespace troupe
