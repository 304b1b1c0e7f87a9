#include "app/data_report/sample_survey.hpp"

#include "actors/support/crc32c.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace troupe {

namespace {

using reasons = std::vector<std::optional<std::string>>; ///< By id; set for bad samples.

/// The failure's text without the words that say which sample it is about.
std::string reason_for(const failure& error, const dataset& data, std::uint64_t id) {
  const auto text = to_string(error);
  std::string_view rest = text;
  for (const std::string& known :
       {std::string("loader: "), "augmenter: sample " + std::to_string(id) + ": ", data.sample_name(id) + ": "})
    if (rest.starts_with(known))
      rest.remove_prefix(known.size());
  return std::string(rest);
}

void look_at_all(const dataset& data, const survey_order& order, const work_force& force, sample_survey& out,
                 reasons& bad) {
  const auto look = [&](std::uint64_t id, image_prober& prober) {
    auto& facts = out.samples[id];
    const auto sample = data.read(id);
    if (!sample) {
      bad[id] = reason_for(sample.error(), data, id);
      return;
    }
    facts.num_bytes = sample->bytes.size();
    facts.checksum = crc32c(sample->bytes);
    const auto probe = prober.probe(*sample);
    if (!probe) {
      bad[id] = reason_for(probe.error(), data, id);
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
  const auto sample = data.read(id);
  if (!sample)
    return reason_for(sample.error(), data, id);
  std::vector<float> numbers(
    static_cast<std::size_t>(transforms.output_channels() * transforms.output_height() * transforms.output_width()));
  if (auto made = transforms.apply(*sample, 0, 0, {.pixels = numbers.data()}); !made)
    return reason_for(made.error(), data, id);
  return std::nullopt;
}

/// The longer side in units of the shorter one.
double elongation(const image_facts& image) {
  const auto [shorter, longer] = std::minmax(image.width, image.height);
  return static_cast<double>(longer) / shorter;
}

/// Transforms refuse an image only where it is so long and thin that a resize would make it too long. So the longest and
/// thinnest are tried, until there is one that passes.
void try_longest(const dataset& data, const transform_pipeline& transforms, sample_survey& out, reasons& bad) {
  std::vector<std::uint64_t> ids;
  for (std::uint64_t id = 0; id < out.samples.size(); ++id)
    if (out.samples[id].good)
      ids.push_back(id);
  std::stable_sort(ids.begin(), ids.end(),
                   [&](auto a, auto b) { return elongation(out.samples[a].image) > elongation(out.samples[b].image); });
  for (const auto id : ids) {
    bad[id] = try_transforms(data, transforms, id);
    if (!bad[id])
      return;
    out.samples[id].good = false;
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
  try_longest(data, transforms, out, bad);
  for (std::uint64_t id = 0; id < bad.size(); ++id)
    if (bad[id])
      out.bad.push_back({id, data.sample_name(id), std::move(*bad[id])});
  return out;
}

} // namespace troupe
