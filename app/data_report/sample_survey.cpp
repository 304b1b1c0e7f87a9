#include "app/data_report/sample_survey.hpp"

#include "actors/loader/datasets/read_sample.hpp"
#include "actors/support/crc32c.hpp"

#include <algorithm>
#include <exception>
#include <map>
#include <optional>
#include <utility>

namespace troupe {

namespace {

using reasons = std::vector<std::optional<std::string>>; ///< By id; set for bad samples.

/// Calls `make`, which returns an expected; what it throws becomes its error, so that one sample cannot end the report.
template <class Make>
auto guarded(Make make) -> decltype(make()) try {
  return make();
} catch (const std::exception& error) {
  return failure{ec::bad_data, error.what()};
}

void look_at_all(const dataset& data, const survey_order& order, const work_force& force, sample_survey& out,
                 reasons& bad) {
  const auto look = [&](std::uint64_t id, image_prober& prober) {
    auto& facts = out.samples[id];
    const auto sample = read_sample(data, id);
    if (!sample) {
      bad[id] = to_string(sample.error());
      return;
    }
    facts.num_bytes = sample->bytes.size();
    facts.checksum = crc32c(sample->bytes);
    const auto probe = guarded([&] { return prober.probe(*sample); });
    if (!probe) {
      bad[id] = to_string(probe.error());
      return;
    }
    facts.image = probe->facts;
    facts.good = true;
    if (order.wants_moments)
      out.moments[id] = probe->moments;
  };
  on_all_cores(out.samples.size(), force, [&] {
    return [&look, prober = image_prober(order.decode)](std::uint64_t id) mutable { look(id, prober); };
  });
}

/// Runs a sample through the transforms; returns why that fails.
std::optional<std::string> try_transforms(const dataset& data, const transform_pipeline& transforms, std::uint64_t id) {
  const auto sample = read_sample(data, id);
  if (!sample)
    return to_string(sample.error());
  std::vector<float> numbers(
    static_cast<std::size_t>(transforms.output_channels() * transforms.output_height() * transforms.output_width()));
  if (auto made = guarded([&] { return transforms.apply(*sample, 0, 0, {.pixels = numbers.data()}); }); !made)
    return to_string(made.error());
  return std::nullopt;
}

/// Transforms refuse an image for its size alone: so one of each size is tried, and stands for the others.
void try_sizes(const dataset& data, const transform_pipeline& transforms, sample_survey& out, reasons& bad) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::optional<std::string>> refused;
  for (std::uint64_t id = 0; id < out.samples.size(); ++id) {
    auto& facts = out.samples[id];
    if (!facts.good)
      continue;
    const auto [verdict, is_new] = refused.try_emplace({facts.image.width, facts.image.height});
    if (is_new)
      verdict->second = try_transforms(data, transforms, id);
    if (!verdict->second)
      continue;
    bad[id] = verdict->second;
    facts.good = false;
    if (!out.moments.empty())
      out.moments[id] = {};
  }
}

} // namespace

sample_survey survey_samples(const dataset& data, const transform_pipeline& transforms, const survey_order& order,
                             const work_force& force) {
  sample_survey out;
  out.samples.resize(std::min(order.num_samples, data.num_samples()));
  if (order.wants_moments)
    out.moments.resize(out.samples.size());
  reasons bad(out.samples.size());
  look_at_all(data, order, force, out, bad);
  try_sizes(data, transforms, out, bad);
  for (std::uint64_t id = 0; id < bad.size(); ++id)
    if (bad[id])
      out.bad.push_back({id, data.sample_name(id), std::move(*bad[id])});
  return out;
}

} // namespace troupe
